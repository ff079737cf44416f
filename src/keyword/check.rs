//! Checksums of the keyword side's files.

use super::error::from_tantivy;
use super::snapshot::open_directory;
use crate::error::Result;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Reads every file of an index and compares it with its checksum; gives the
/// names of those that are damaged. Nothing else of them is read, so damage of
/// any kind can be named.
///
/// # Errors
/// Where there is no index, or its list of files cannot be read.
pub fn damaged_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let damaged = open_directory(dir)?
        .validate_checksum()
        .map_err(|error| from_tantivy("verify", dir, error))?;
    let sorted: BTreeSet<PathBuf> = damaged.into_iter().collect();
    Ok(sorted.into_iter().collect())
}
