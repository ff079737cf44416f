//! A sheet of labelled values, as `show`, `stats` and `model inspect` print.

use super::text::{clean, columns, wrap};
use crate::output::Style;
use std::fmt;

/// Columns of the labels.
const LABEL: usize = 16;

/// Text that grows line by line.
pub(crate) struct Sheet {
    text: String,
    width: usize,
    style: Style,
}

impl Sheet {
    /// An empty sheet of a width.
    pub(crate) fn new(width: usize, style: Style) -> Self {
        Self {
            text: String::new(),
            width,
            style,
        }
    }

    /// A heading with an empty line before it.
    pub(crate) fn heading(&mut self, heading: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let width = self.width;
        for line in wrapped(heading, width) {
            self.text.push_str(&self.style.bold(&line));
            self.text.push('\n');
        }
    }

    /// What must not be overlooked.
    pub(crate) fn warning(&mut self, text: &str) {
        for line in wrapped(text, self.width) {
            self.text.push_str(&self.style.warn(&line));
            self.text.push('\n');
        }
    }

    /// A label and its value; nothing where the value is empty. The value is
    /// wrapped in its column.
    pub(crate) fn field(&mut self, label: &str, value: impl fmt::Display) {
        let lines = wrapped(&value.to_string(), self.width.saturating_sub(LABEL).max(16));
        for (number, line) in lines.iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            let gap = " ".repeat(LABEL.saturating_sub(columns(label)).max(1));
            let label = self.style.dim(label);
            self.text.push_str(&format!("{label}{gap}{line}\n"));
        }
    }

    /// A label and a value that may be absent.
    pub(crate) fn optional(&mut self, label: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.field(label, value);
        }
    }

    /// One label, then each value on lines of its own.
    pub(crate) fn list(&mut self, label: &str, values: impl IntoIterator<Item = String>) {
        for (number, value) in values.into_iter().enumerate() {
            self.field(if number == 0 { label } else { "" }, value);
        }
    }

    /// Running text over the whole width.
    pub(crate) fn paragraph(&mut self, text: &str) {
        for line in wrapped(text, self.width) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// The finished text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let text = clean(text);
    wrap(&text, width)
        .into_iter()
        .map(|line| text[line].to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_wrapped_in_their_column() {
        let mut sheet = Sheet::new(32, Style::new(false));
        sheet.field("Journal", "one two three four");
        sheet.field("Absent", "");
        assert_eq!(
            sheet.finish(),
            "Journal         one two three\n                four\n"
        );
    }
}
