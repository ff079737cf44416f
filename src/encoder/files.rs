//! Reading the small JSON files of a model directory.

use crate::{Error, ErrorKind, Result};
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads a JSON file that has to be there.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    optional_json(path)?.ok_or_else(|| missing(path))
}

/// Reads a JSON file that may be missing.
pub(super) fn optional_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", path, error)),
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| Error::corrupt(path, error))
}

/// A file of the model directory that is not there.
pub(super) fn missing(path: &Path) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format!(
            "{} does not exist; a model directory in the Hugging Face layout needs it \
             (`medsift model get` fetches a whole one)",
            path.display()
        ),
    )
}

/// A file that is whole but asks for what this encoder does not have.
pub(super) fn unsupported(path: &Path, what: impl std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::Incompatible,
        format!("{}: {what}", path.display()),
    )
}
