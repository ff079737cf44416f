use medsift::index::{Ledger, QuarantinedRecord};
use serde::Serialize;

/// What a job did.
#[derive(Debug, Clone, Default, Serialize)]
pub struct IndexReport {
    /// Every file in order.
    pub files: Vec<FileReport>,
    /// Ledger of what this job read.
    pub total: Ledger,
    /// Whether it was ended before its time.
    pub cancelled: bool,
    /// The committed state that it left.
    pub generation: u64,
    /// Articles in the index now.
    pub articles: u64,
}

/// What became of one file.
#[derive(Debug, Clone, Default, Serialize)]
pub struct FileReport {
    /// Its name without folders.
    pub name: String,
    /// Its format, where it was recognised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// What this job did with its records.
    pub ledger: Ledger,
    /// Records that an earlier, interrupted job had already applied.
    #[serde(skip_serializing_if = "is_zero")]
    pub resumed_after: u64,
    /// Records among the unchanged whose format holds less than the article
    /// that is there: they did not take its place.
    #[serde(skip_serializing_if = "is_zero")]
    pub kept: u64,
    /// Why nothing was done: the index holds the file already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Why the file could not be read at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Why the file could not be read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damaged: Option<String>,
    /// Whether the job was cancelled inside it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Records that could not be read (they are in the index's quarantine
    /// with their bytes).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<QuarantinedRecord>,
}

impl IndexReport {
    pub(super) fn push(&mut self, file: FileReport) {
        self.total += file.ledger;
        self.files.push(file);
    }

    /// Whether every file was read, whole and without a fault.
    pub fn is_clean(&self) -> bool {
        !self.cancelled
            && self.total.quarantined == 0
            && self
                .files
                .iter()
                .all(|file| file.refused.is_none() && file.damaged.is_none())
    }
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}
