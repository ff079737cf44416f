//! Progress bars on standard error, with rate and time left. Where standard
//! error is not a terminal, indexing tells the log how far it is, and a training
//! writes a line now and then.

mod enrichment;
mod indexing;
mod training;

pub(crate) use enrichment::EnrichBar;
pub(crate) use indexing::IndexBars;
pub(crate) use training::TrainBars;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Write};
use std::sync::OnceLock;
use std::time::Duration;

/// How often a bar is drawn at most, and a spinner turns.
const TICK: Duration = Duration::from_millis(120);

/// How often a line tells of long work where no bar can be drawn.
const LINES: Duration = Duration::from_secs(30);

/// The one place on the terminal where bars are drawn.
fn board() -> &'static MultiProgress {
    static BOARD: OnceLock<MultiProgress> = OnceLock::new();
    BOARD.get_or_init(MultiProgress::new)
}

/// Runs something that writes to the terminal while the bars are lifted.
pub(crate) fn suspended<R>(write: impl FnOnce() -> R) -> R {
    board().suspend(write)
}

/// A bar that counts bytes.
pub(crate) fn byte_bar(quiet: bool, bytes: u64) -> ProgressBar {
    let style = "{prefix} [{bar:24}] {bytes}/{total_bytes} {bytes_per_sec}, {eta} left {msg}";
    bar(quiet, Some(bytes), style)
}

/// A bar that counts anything else.
pub(crate) fn count_bar(quiet: bool, count: u64) -> ProgressBar {
    let style = "{prefix} [{bar:24}] {human_pos}/{human_len} {per_sec}, {eta} left {msg}";
    bar(quiet, Some(count), style)
}

/// A sign of life for work of unknown length.
pub(crate) fn spinner(quiet: bool, what: &str) -> ProgressBar {
    let bar = bar(quiet, None, "{spinner} {msg} ({elapsed})");
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(TICK);
    bar
}

fn bar(quiet: bool, length: Option<u64>, template: &str) -> ProgressBar {
    let target = if quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    if target.is_hidden() {
        return ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    board().add(ProgressBar::with_draw_target(length, target).with_style(style))
}

/// Writes a line, below which the bars go on.
fn line(text: &str) {
    suspended(|| {
        let _ = writeln!(io::stderr(), "{text}");
    });
}
