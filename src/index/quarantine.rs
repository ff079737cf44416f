use crate::error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

/// A record that could not be read, with what a person needs to find it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantinedRecord {
    /// Name of the source file.
    pub file: String,
    /// Where the record begins, in bytes of the decompressed file.
    pub byte_offset: u64,
    /// Place among the file's records, from 0.
    pub ordinal: u64,
    /// The record's id, if that much could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What is wrong.
    pub reason: String,
    /// The record as it stands in the file (invalid UTF-8 replaced).
    pub raw: String,
}

/// One JSON object a line.
pub(crate) fn to_lines(records: &[QuarantinedRecord]) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    for record in records {
        serde_json::to_writer(&mut lines, record).map_err(|e| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot write a quarantined record: {e}"),
            )
        })?;
        lines.push(b'\n');
    }
    Ok(lines)
}
