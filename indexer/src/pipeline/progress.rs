use super::FileReport;
use medsift::index::{CommitStep, CommitWatch, Ledger};

/// Who watches an indexing job, and may end it.
///
/// Every method does nothing unless it is implemented.
pub trait Progress: Sync {
    /// A file is begun: its name, its place from 0, of how many, its size.
    fn file_started(&self, _name: &str, _position: usize, _of: usize, _bytes: u64) {}

    /// Bytes of the current file that are read.
    fn file_position(&self, _bytes: u64) {}

    /// Ledger of the current file so far.
    fn records(&self, _ledger: &Ledger) {}

    /// A commit builds a graph: passages that are in it, of how many.
    fn graph(&self, _step: CommitStep, _done: u64, _all: u64) {}

    /// Everything so far is durable and visible as this generation.
    fn committed(&self, _generation: u64) {}

    /// A file is done, skipped or refused.
    fn file_done(&self, _report: &FileReport) {}

    /// Whether to stop: the batch at hand is finished and committed first.
    /// Segments are then left unjoined, so that nothing long is begun.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Whoever watches a job watches its commits.
pub(super) struct Commits<'a>(pub(super) &'a dyn Progress);

impl CommitWatch for Commits<'_> {
    fn graph(&self, step: CommitStep, done: u64, all: u64) {
        self.0.graph(step, done, all);
    }

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
