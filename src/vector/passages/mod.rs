//! The passages of a segment: an Arrow IPC file whose columns are used in place.
//!
//! Columns: `key`, `ordinal`, `start`, `end` (unsigned, 32 bits) and `vector`
//! (fixed-size list of 32-bit floats), without nulls and uncompressed, in
//! record batches of [`BATCH_ROWS`] rows of which only the last may be shorter.
//! Any Arrow reader opens it. See the format's specification,
//! <https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format>.

mod layout;
#[cfg(test)]
mod tests;
mod write;

pub(super) use write::PassagesWriter;

use super::mapped::{MappedFile, Numbers};
use super::segment::PassageRow;
use crate::error::{Error, Result};
use crate::key::ArticleKey;
use std::ops::Range;
use std::path::Path;

/// Rows of a full record batch: a power of two, so that a row is found by
/// shifting.
pub(super) const BATCH_ROWS: usize = 1 << 14;

/// How far a vector's length may be from one.
pub(super) const UNIT_TOLERANCE: f32 = 1e-3;

/// One record batch: its columns in the mapped file.
#[derive(Debug)]
struct Batch {
    keys: Numbers<u32>,
    ordinals: Numbers<u32>,
    starts: Numbers<u32>,
    ends: Numbers<u32>,
    vectors: Numbers<f32>,
}

/// The rows of a segment.
#[derive(Debug)]
pub(super) struct Passages {
    batches: Vec<Batch>,
    dimension: usize,
    rows: u32,
    /// `row >> shift` is the batch of a row.
    shift: u32,
}

impl Passages {
    /// Finds the columns of a mapped file.
    pub(super) fn open(file: &MappedFile) -> Result<Self> {
        let layout = layout::read(file)?;
        let mut rows = 0usize;
        let mut batches = Vec::with_capacity(layout.batches.len());
        for columns in &layout.batches {
            rows += columns.rows;
            batches.push(Batch {
                keys: file.numbers(columns.starts[0], columns.rows)?,
                ordinals: file.numbers(columns.starts[1], columns.rows)?,
                starts: file.numbers(columns.starts[2], columns.rows)?,
                ends: file.numbers(columns.starts[3], columns.rows)?,
                vectors: file.numbers(columns.starts[4], columns.rows * layout.dimension)?,
            });
        }
        let rows = u32::try_from(rows)
            .ok()
            .filter(|rows| *rows <= i32::MAX as u32)
            .ok_or_else(|| Error::corrupt(file.path(), "it claims too many rows"))?;
        Ok(Self {
            shift: shift(&layout.batches).ok_or_else(|| {
                Error::corrupt(file.path(), "its record batches are of irregular lengths")
            })?,
            batches,
            dimension: layout.dimension,
            rows,
        })
    }

    /// Number of rows.
    pub(super) fn len(&self) -> u32 {
        self.rows
    }

    /// Numbers in a vector.
    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    #[inline]
    fn place(&self, row: u32) -> (&Batch, usize) {
        let batch = &self.batches[(row >> self.shift) as usize];
        (batch, (row & ((1 << self.shift) - 1)) as usize)
    }

    /// The vector of a row.
    #[inline]
    pub(super) fn vector(&self, row: u32) -> &[f32] {
        let (batch, at) = self.place(row);
        &batch.vectors[at * self.dimension..(at + 1) * self.dimension]
    }

    /// The key of a row.
    #[inline]
    pub(super) fn key(&self, row: u32) -> u32 {
        let (batch, at) = self.place(row);
        batch.keys[at]
    }

    /// A whole row.
    pub(super) fn row(&self, row: u32) -> PassageRow<'_> {
        let (batch, at) = self.place(row);
        PassageRow {
            key: ArticleKey(batch.keys[at]),
            ordinal: batch.ordinals[at],
            range: batch.starts[at]..batch.ends[at],
            vector: self.vector(row),
        }
    }

    /// The keys of all rows, in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = u32> + '_ {
        self.batches
            .iter()
            .flat_map(|batch| batch.keys.iter().copied())
    }

    /// The key of the first row.
    pub(super) fn first_key(&self) -> Option<ArticleKey> {
        (self.rows > 0).then(|| ArticleKey(self.key(0)))
    }

    /// The key of the last row.
    pub(super) fn last_key(&self) -> Option<ArticleKey> {
        self.rows
            .checked_sub(1)
            .map(|row| ArticleKey(self.key(row)))
    }

    /// The first of `rows` whose key is not below this one: an exponential
    /// search from the beginning, so near keys are found fast.
    pub(super) fn seek(&self, rows: Range<u32>, key: u32) -> u32 {
        let (mut low, end) = (rows.start, rows.end.min(self.rows));
        let mut step = 1;
        let mut high = low;
        while high < end && self.key(high) < key {
            low = high + 1;
            high = high.saturating_add(step).min(end);
            step *= 2;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if self.key(middle) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.min(end)
    }

    /// The rows of a key.
    pub(super) fn rows_of(&self, key: ArticleKey) -> Range<u32> {
        let start = self.seek(0..self.rows, key.0);
        let end = match key.0.checked_add(1) {
            Some(next) => self.seek(start..self.rows, next),
            None => self.rows,
        };
        start..end
    }

    /// Checks every row, and gives the number of different keys.
    pub(super) fn verify(&self, path: &Path) -> Result<u32> {
        let mut articles = 0;
        let mut before: Option<(ArticleKey, u32)> = None;
        for row in (0..self.rows).map(|row| self.row(row)) {
            let wrong = |what| {
                Error::corrupt(
                    path,
                    format_args!("passage {} of article {} {what}", row.ordinal, row.key.0),
                )
            };
            if before.is_some_and(|before| before >= (row.key, row.ordinal)) {
                return Err(wrong("is out of order"));
            }
            if row.range.start > row.range.end {
                return Err(wrong("ends before it begins"));
            }
            if !is_unit(row.vector) {
                return Err(wrong("has a vector that is not of length one"));
            }
            articles += u32::from(before.is_none_or(|(key, _)| key != row.key));
            before = Some((row.key, row.ordinal));
        }
        Ok(articles)
    }
}

/// Whether a vector's length is one, to a thousandth; false of whatever is not
/// a number.
pub fn is_unit(vector: &[f32]) -> bool {
    let squares: f32 = vector.iter().map(|number| number * number).sum();
    (squares.sqrt() - 1.0).abs() <= UNIT_TOLERANCE
}

/// The shift that all batches agree with, if there is one.
fn shift(batches: &[layout::Columns]) -> Option<u32> {
    let Some((last, full)) = batches.split_last() else {
        return Some(31);
    };
    let Some(first) = full.first() else {
        return Some(31);
    };
    let regular = first.rows.is_power_of_two()
        && full.iter().all(|batch| batch.rows == first.rows)
        && (1..=first.rows).contains(&last.rows);
    regular.then(|| first.rows.trailing_zeros())
}
