//! Standard output: buffered, its width and its colours known.

use crate::error::Result;
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// Columns of output that goes to a file or a pipe.
const WIDTH_OF_A_FILE: usize = 100;

/// Narrowest and widest text that is still pleasant to read.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=140;

/// Where results go.
pub(crate) struct Output {
    /// Not locked: what serves an assistant writes there from other threads.
    out: BufWriter<Stdout>,
    style: Style,
    width: usize,
}

/// Whether text is emphasised with ANSI escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    colour: bool,
}

impl Output {
    /// Standard output as it is: colours only on a terminal and without
    /// `NO_COLOR` (<https://no-color.org>).
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let width = terminal
            .then(terminal_size::terminal_size)
            .flatten()
            .map_or(WIDTH_OF_A_FILE, |(width, _)| usize::from(width.0));
        Self {
            out: BufWriter::new(stdout),
            style: Style::new(terminal && colours_wanted()),
            width: width.clamp(*WIDTHS.start(), *WIDTHS.end()),
        }
    }

    /// How text is emphasised.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Columns to fill.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()?;
        Ok(())
    }

    /// Writes a value as indented JSON and a line end.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer_pretty(&mut self.out, value)?;
        self.out.write_all(b"\n")?;
        self.out.flush()?;
        Ok(())
    }
}

/// Whether the user has not asked for plain text.
pub(crate) fn colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

impl Style {
    /// With or without escapes.
    pub(crate) fn new(colour: bool) -> Self {
        Self { colour }
    }

    /// Matching words.
    pub(crate) fn highlight(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    /// Headings and titles.
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Side information.
    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// What must not be overlooked.
    pub(crate) fn warn(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_style_adds_nothing() {
        assert_eq!(Style::new(false).bold("a"), "a");
        assert_eq!(Style::new(true).bold("a"), "\x1b[1ma\x1b[0m");
        assert_eq!(Style::new(true).bold(""), "");
    }
}
