//! Articles, and the vectors of their passages, as columns: Parquet, Arrow IPC
//! files and streams.
//!
//! A row is an article. The columns are those of `schema.rs`; what they cannot
//! say stands as JSON in the column `more`, so that an article that is written
//! and read back is the same article. `docs/data.md` describes them for
//! whoever reads or writes such files with other programs, under the version
//! that the file names (`schema::VERSION`).
//!
//! Memory is bounded by a batch of rows and a row group, not by the file.
//!
//! ```
//! use medsift::columnar::{ColumnFormat, ColumnWriter};
//!
//! let file: Vec<u8> = ColumnWriter::new(Vec::new(), ColumnFormat::Parquet, None)?.finish()?;
//! assert!(file.starts_with(b"PAR1"));
//! # Ok::<(), medsift::Error>(())
//! ```

mod arrays;
#[cfg(test)]
mod describe;
mod format;
mod lenient;
mod model;
mod more;
mod parts;
mod passages;
mod read;
mod row;
mod schema;
#[cfg(test)]
mod tests;
mod values;
mod write;

pub use format::ColumnFormat;
pub use model::VectorModel;
pub use passages::GivenPassages;
pub use read::{ColumnReader, ColumnRow, ReadOptions, RowFault};
pub use write::ColumnWriter;

use crate::{Error, ErrorKind};
use arrow::error::ArrowError;
use std::fmt::Display;

/// What makes of an article a row is our own doing.
fn internal(what: impl Display) -> Error {
    Error::new(ErrorKind::Internal, format!("cannot write columns: {what}"))
}

/// An error of the format's reader, in a line.
fn damage(error: impl Into<ArrowError>) -> String {
    let text = error.into().to_string();
    format!(
        "it is damaged ({})",
        text.lines().next().unwrap_or_default()
    )
}
