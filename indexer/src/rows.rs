//! Rows of columns as records.

use crate::reader::Progress;
use crate::record::{Embedded, Fault, Record};
use crate::source::Counted;
use medsift::Result;
use medsift::columnar::{ColumnFormat, ColumnReader, ColumnRow, ReadOptions, VectorModel};
use std::path::Path;
use std::sync::Arc;

/// Reads the rows of a file in order.
pub(crate) struct RowReader {
    file: Arc<Path>,
    rows: ColumnReader,
    progress: Progress,
    /// Bytes of the file, and how many of them are counted as read.
    bytes: u64,
    counted: u64,
    rows_read: u64,
}

impl RowReader {
    /// Opens a file of columns, with the vectors of its passages where they are
    /// wanted and there.
    ///
    /// # Errors
    /// As of [`ColumnReader::open`].
    pub(crate) fn open(
        path: &Path,
        format: ColumnFormat,
        bytes: u64,
        progress: Progress,
        vectors: bool,
    ) -> Result<Self> {
        let name_of = crate::reference::name;
        let options = ReadOptions { vectors, name_of };
        let of_stream = progress.clone();
        let rows = ColumnReader::open(path, format, options, |file| {
            Box::new(Counted::new(file, of_stream))
        })?;
        Ok(Self {
            file: path.into(),
            rows,
            progress,
            bytes,
            counted: 0,
            rows_read: 0,
        })
    }

    /// What the vectors are that are read.
    pub(crate) fn vectors(&self) -> Option<&VectorModel> {
        self.rows.vectors()
    }

    /// The next row; `None` at the end, or behind the fault that ends it.
    pub(crate) fn next(&mut self) -> Option<Record> {
        let row = self.rows.next()?;
        self.rows_read += 1;
        self.count();
        Some(match row {
            ColumnRow::Article(article, None) => Record::Article(article),
            ColumnRow::Article(article, Some(given)) => Record::Embedded(Box::new(Embedded {
                article: *article,
                passages: given.passages,
                vectors: given.vectors,
            })),
            ColumnRow::Fault(fault) => {
                let mut raw = fault.raw.into_bytes();
                raw.truncate(Fault::MAX_RAW_BYTES);
                self.fault(fault.id, fault.reason, raw)
            }
            ColumnRow::Damage(reason) => {
                self.progress.damaged(&reason);
                self.fault(None, reason, Vec::new())
            }
        })
    }

    /// What is read of the parts, in bytes of the file.
    fn count(&mut self) {
        // Streams are counted where they are read.
        let Some((read, all)) = self.rows.parts() else {
            return;
        };
        let share = u128::from(self.bytes) * u128::from(read) / u128::from(all.max(1));
        let place = u64::try_from(share).unwrap_or(self.bytes);
        self.progress.add(place.saturating_sub(self.counted));
        self.counted = place.max(self.counted);
    }

    fn fault(&self, id: Option<String>, reason: String, raw: Vec<u8>) -> Record {
        Record::Fault(Fault {
            file: self.file.clone(),
            // A row lies in as many places as there are columns.
            byte_offset: 0,
            ordinal: self.rows_read,
            id,
            reason,
            raw,
        })
    }
}

#[cfg(test)]
mod tests;
