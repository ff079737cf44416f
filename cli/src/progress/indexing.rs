//! What indexing shows: bars, or lines of the log where there is no terminal.

use super::{LINES, byte_bar, count_bar};
use crate::interrupt::Interrupt;
use indicatif::ProgressBar;
use medsift::index::{CommitStep, Ledger};
use medsift_indexer::pipeline::{FileReport, Progress};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What indexing shows: one bar for the file being read, and one below it
/// while a commit builds a graph.
pub(crate) struct IndexBars {
    quiet: bool,
    /// Whether the log takes the place of bars; it is shown with `-v`.
    lines: bool,
    interrupt: Interrupt,
    current: Mutex<Current>,
}

/// The file being read, and the graph being built.
struct Current {
    name: String,
    /// Bytes of the file, read and in all.
    position: (u64, u64),
    bar: ProgressBar,
    began: Instant,
    /// When a line was written last.
    told: Instant,
    graph: Option<(CommitStep, ProgressBar)>,
}

impl Current {
    fn end_graph(&mut self) {
        if let Some((_, bar)) = self.graph.take() {
            bar.finish_and_clear();
        }
    }
}

/// What stands before the bar of a graph.
fn graph_label(step: CommitStep) -> &'static str {
    match step {
        CommitStep::NewSegment => "building graph",
        CommitStep::JoinedSegment => "joining segments, building graph",
    }
}

impl IndexBars {
    /// Bars for a run that Ctrl-C may stop.
    pub(crate) fn new(quiet: bool, interrupt: Interrupt) -> Self {
        let now = Instant::now();
        let current = Current {
            name: String::new(),
            position: (0, 0),
            bar: ProgressBar::hidden(),
            began: now,
            told: now,
            graph: None,
        };
        Self {
            quiet,
            lines: !io::stderr().is_terminal(),
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
            current.name = format!("{name} ({} of {of})", position + 1);
            current.bar.set_prefix(current.name.clone());
            current.position = (0, bytes);
            current.began = Instant::now();
        });
    }

    fn file_position(&self, bytes: u64) {
        self.with_current(|current| {
            current.position.0 = bytes;
            current.bar.set_position(bytes);
        });
    }

    fn records(&self, ledger: &Ledger) {
        self.with_current(|current| {
            let seconds = current.began.elapsed().as_secs_f64().max(0.001);
            let rate = ledger.read as f64 / seconds;
            let words = format!("{} records, {rate:.0}/s", ledger.read);
            if self.lines && current.told.elapsed() >= LINES {
                current.told = Instant::now();
                let (read, all) = current.position;
                let share = 100 * read / all.max(1);
                tracing::info!(file = %current.name, "{share} % read, {words}");
            }
            current.bar.set_message(format!("· {words}"));
        });
    }

    fn graph(&self, step: CommitStep, done: u64, all: u64) {
        self.with_current(|current| {
            if current
                .graph
                .as_ref()
                .is_none_or(|(shown, _)| *shown != step)
            {
                current.end_graph();
                let bar = count_bar(self.quiet, all);
                bar.set_prefix(graph_label(step));
                current.graph = Some((step, bar));
                tracing::info!(passages = all, "{}", graph_label(step));
            }
            if let Some((_, bar)) = &current.graph {
                bar.set_length(all);
                bar.set_position(done);
            }
            if done == all {
                current.end_graph();
            }
        });
    }

    fn committed(&self, generation: u64) {
        self.with_current(Current::end_graph);
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
