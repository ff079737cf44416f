//! What became of the records of a file.

use serde::Serialize;
use std::path::{Path, PathBuf};

/// Faults of a file that its report names; the rest are counted.
const NAMED_FAULTS: usize = 10;

/// What became of one file's records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// SHA-256 of the file as it lies on disk, in hexadecimal.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
    /// Examples that were made of it. With what was skipped they add up to
    /// [`SourceFile::read`].
    pub examples: usize,
    /// What was left out.
    pub skipped: Skipped,
    /// Its first faults in words, where faults are skipped.
    pub faults: Vec<String>,
}

/// Records that were left out, by reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Without a label, by the set's own word.
    pub unlabelled: usize,
    /// Without the values asked for.
    pub filtered: usize,
    /// With a text that is too short or too long, or too short a list.
    pub length: usize,
    /// Held out.
    pub excluded: usize,
    /// Faulty.
    pub faulty: usize,
    /// Above the limit.
    pub over_limit: usize,
}

impl Skipped {
    /// All of them.
    pub fn total(&self) -> usize {
        self.unlabelled
            + self.filtered
            + self.length
            + self.excluded
            + self.faulty
            + self.over_limit
    }
}

impl SourceFile {
    /// Everything that was found in the file; a record with a list counts
    /// once for each element.
    pub fn read(&self) -> usize {
        self.examples + self.skipped.total()
    }

    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            sha256: String::new(),
            bytes: 0,
            examples: 0,
            skipped: Skipped::default(),
            faults: Vec::new(),
        }
    }

    /// Counts a faulty record, and names it if it is one of the first.
    pub(super) fn skip_fault(&mut self, line: u64, what: &str) {
        self.skipped.faulty += 1;
        if self.faults.len() < NAMED_FAULTS {
            self.faults.push(format!("line {line}: {what}"));
        }
    }
}
