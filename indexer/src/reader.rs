use crate::record::Record;
use crate::rows::RowReader;
use crate::split::{RawRecord, Splitter};
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Reads the records of one file, in order, one at a time.
///
/// Ends after the last record, or after a [`crate::Fault`] that says where and
/// why the file cannot be read any further.
pub struct RecordReader {
    file: Arc<Path>,
    input: Input,
    progress: Progress,
    /// Records of the last raw record that are still to be given.
    pending: std::vec::IntoIter<Record>,
}

/// Where records come from.
pub(crate) enum Input {
    /// A stream that is cut into raw records.
    Cut(Box<Splitter>),
    /// Rows.
    Rows(Box<RowReader>),
}

impl RecordReader {
    pub(crate) fn new(file: Arc<Path>, input: Input, progress: Progress) -> Self {
        Self {
            file,
            input,
            progress,
            pending: Vec::new().into_iter(),
        }
    }

    /// The next raw record, for callers that [`crate::parse`] elsewhere, such
    /// as on several threads. Rows of columns are no raw records: a file of
    /// them gives none here.
    pub fn next_raw(&mut self) -> Option<RawRecord> {
        match &mut self.input {
            Input::Cut(splitter) => splitter.next(),
            Input::Rows(_) => None,
        }
    }

    /// The file that is read.
    pub fn file(&self) -> &Arc<Path> {
        &self.file
    }

    /// A handle on how far reading has come, usable from another thread.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }
}

/// The file and the progress; the buffers say nothing.
impl fmt::Debug for RecordReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordReader")
            .field("file", &self.file)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl Iterator for RecordReader {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            if let Some(record) = self.pending.next() {
                return Some(record);
            }
            let splitter = match &mut self.input {
                Input::Cut(splitter) => splitter,
                Input::Rows(rows) => return rows.next(),
            };
            let Some(raw) = splitter.next() else {
                if let Some(damage) = splitter.failure() {
                    self.progress.damaged(damage);
                }
                return None;
            };
            self.pending = crate::parse(raw, &self.file).into_iter();
        }
    }
}

/// How much of a file has been read, in bytes as they lie on disk.
#[derive(Debug, Clone)]
pub struct Progress {
    read: Arc<AtomicU64>,
    failure: Arc<OnceLock<String>>,
    damage: Arc<OnceLock<String>>,
    total: u64,
}

impl Progress {
    pub(crate) fn new(total: u64) -> Self {
        Self {
            read: Arc::default(),
            failure: Arc::default(),
            damage: Arc::default(),
            total,
        }
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn fail(&self, error: &std::io::Error) {
        // The first failure ends the reading.
        let _ = self.failure.set(error.to_string());
    }

    /// Why the operating system gave no more of the file, where it refused.
    /// Damage inside the file is a fault among its records instead.
    pub fn failure(&self) -> Option<String> {
        let failure = self.failure.get()?;
        Some(format!("reading broke off: {failure}; run again to go on"))
    }

    pub(crate) fn damaged(&self, damage: &str) {
        let _ = self.damage.set(damage.to_owned());
    }

    /// Why the file could not be read to its end, known once the reader has
    /// ended: what came before the damage was read, what follows is missing.
    pub fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// Bytes read so far.
    pub fn read_bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Size of the file.
    pub fn total_bytes(&self) -> u64 {
        self.total
    }
}
