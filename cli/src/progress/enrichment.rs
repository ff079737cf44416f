//! What enrichment shows: a bar, or lines of the log where there is no terminal.

use super::{LINES, count_bar};
use crate::interrupt::Interrupt;
use indicatif::ProgressBar;
use medsift_indexer::enrichment::EnrichProgress;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A bar for a run that Ctrl-C may stop.
pub(crate) struct EnrichBar {
    quiet: bool,
    /// Whether the log takes the place of the bar; it is shown with `-v`.
    lines: bool,
    interrupt: Interrupt,
    shown: Mutex<Shown>,
}

struct Shown {
    bar: ProgressBar,
    articles: u64,
    told: Instant,
}

impl EnrichBar {
    /// Shows nothing when `quiet`.
    pub(crate) fn new(quiet: bool, interrupt: Interrupt) -> Self {
        Self {
            quiet,
            lines: !io::stderr().is_terminal(),
            interrupt,
            shown: Mutex::new(Shown {
                bar: ProgressBar::hidden(),
                articles: 0,
                told: Instant::now(),
            }),
        }
    }

    fn with<R>(&self, change: impl FnOnce(&mut Shown) -> R) -> R {
        // A bar is only decoration: a panic elsewhere does not spoil it.
        change(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl EnrichProgress for EnrichBar {
    fn started(&self, articles: u64) {
        self.with(|shown| {
            shown.articles = articles;
            shown.bar = count_bar(self.quiet, articles);
            shown.bar.set_prefix("reading articles");
        });
    }

    fn read(&self, articles: u64) {
        self.with(|shown| {
            shown.bar.set_position(articles);
            if articles == shown.articles {
                shown.bar.finish_and_clear();
            }
            if self.lines && shown.told.elapsed() >= LINES {
                shown.told = Instant::now();
                tracing::info!(read = articles, of = shown.articles, "reading articles");
            }
        });
    }

    fn committed(&self, generation: u64) {
        tracing::info!(generation, "committed");
    }

    fn cancelled(&self) -> bool {
        let pressed = self.interrupt.is_pressed();
        if pressed {
            self.with(|shown| shown.bar.finish_and_clear());
        }
        pressed
    }
}
