use super::FileReport;
use medsift::index::Ledger;

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

    /// Everything so far is durable and visible as this generation.
    fn committed(&self, _generation: u64) {}

    /// A file is done, skipped or refused.
    fn file_done(&self, _report: &FileReport) {}

    /// Whether to stop: the batch at hand is finished and committed first.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}
