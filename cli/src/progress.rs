//! Progress bars on standard error, with rate and time left. They draw nothing
//! where standard error is not a terminal.

mod training;

pub(crate) use training::TrainBars;

use crate::interrupt::Interrupt;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use medsift::index::Ledger;
use medsift_indexer::pipeline::{FileReport, Progress};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often a bar is drawn at most, and a spinner turns.
const TICK: Duration = Duration::from_millis(120);

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

/// What indexing shows: one bar for the file being read.
pub(crate) struct IndexBars {
    quiet: bool,
    interrupt: Interrupt,
    current: Mutex<Current>,
}

/// The file being read.
struct Current {
    bar: ProgressBar,
    began: Instant,
}

impl IndexBars {
    /// Bars for a run that Ctrl-C may stop.
    pub(crate) fn new(quiet: bool, interrupt: Interrupt) -> Self {
        let current = Current {
            bar: ProgressBar::hidden(),
            began: Instant::now(),
        };
        Self {
            quiet,
            interrupt,
            current: Mutex::new(current),
        }
    }

    fn with_current<R>(&self, change: impl FnOnce(&mut Current) -> R) -> R {
        // A bar is only decoration: a panic elsewhere does not spoil it.
        change(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Progress for IndexBars {
    fn file_started(&self, name: &str, position: usize, of: usize, bytes: u64) {
        self.with_current(|current| {
            current.bar.finish_and_clear();
            current.bar = byte_bar(self.quiet, bytes);
            current
                .bar
                .set_prefix(format!("{name} ({} of {of})", position + 1));
            current.began = Instant::now();
        });
    }

    fn file_position(&self, bytes: u64) {
        self.with_current(|current| current.bar.set_position(bytes));
    }

    fn records(&self, ledger: &Ledger) {
        self.with_current(|current| {
            let seconds = current.began.elapsed().as_secs_f64().max(0.001);
            let rate = ledger.read as f64 / seconds;
            current
                .bar
                .set_message(format!("· {} records, {rate:.0}/s", ledger.read));
        });
    }

    fn committed(&self, generation: u64) {
        tracing::info!(generation, "committed");
    }

    fn file_done(&self, report: &FileReport) {
        self.with_current(|current| current.bar.finish_and_clear());
        tracing::info!(file = %report.name, records = report.ledger.read, "file done");
    }

    fn cancelled(&self) -> bool {
        self.interrupt.is_pressed()
    }
}
