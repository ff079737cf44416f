//! tantivy's errors in the words of this library.

use crate::deadline::Expired;
use crate::error::{Error, ErrorKind};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

/// Says what tantivy could not do (`action`: `"open"`, `"write"`, …) in `dir`.
pub(super) fn from_tantivy(action: &str, dir: &Path, error: TantivyError) -> Error {
    let io = |source: &Arc<io::Error>, path: &Path| {
        Error::io(
            action,
            path,
            io::Error::new(source.kind(), source.to_string()),
        )
    };
    match &error {
        TantivyError::IoError(source) if Expired::is_in(source) => return Expired.error(),
        TantivyError::LockFailure(LockError::LockBusy, _) => locked(dir),
        TantivyError::LockFailure(LockError::IoError(source), _) => io(source, dir),
        TantivyError::IoError(source) => io(source, dir),
        TantivyError::OpenDirectoryError(OpenDirectoryError::DoesNotExist(path)) => not_found(path),
        TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error, .. }) => {
            io(io_error, dir)
        }
        TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, filepath })
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath }) => {
            io(io_error, &dir.join(filepath))
        }
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(file)) => {
            Error::corrupt(&dir.join(file), "the file is missing; rebuild the index")
        }
        TantivyError::DataCorruption(what) => {
            Error::corrupt(dir, format_args!("{} Rebuild the index", short(what)))
        }
        TantivyError::IncompatibleIndex(what)
        | TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(what)) => Error::new(
            ErrorKind::Incompatible,
            format!("{}: {what:?}. Rebuild the index", dir.display()),
        ),
        _ => Error::new(
            ErrorKind::Internal,
            format!(
                "cannot {action} the keyword index {}: {}; if `medsift verify` fails too, a \
                 file is damaged: rebuild the index",
                dir.display(),
                cut(&error.to_string())
            ),
        ),
    }
    .with_source(error)
}

/// What tantivy hands on as it is, so that [`from_tantivy`] knows it again.
impl From<Expired> for TantivyError {
    fn from(expired: Expired) -> Self {
        Self::IoError(Arc::new(expired.into()))
    }
}

/// What is damaged, without the content that tantivy quotes.
fn short(what: &impl std::fmt::Debug) -> String {
    cut(&format!("{what:?}"))
}

/// The beginning of a message.
fn cut(message: &str) -> String {
    const CHARACTERS: usize = 200;
    match message.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{} …", &message[..end]),
        None => message.to_owned(),
    }
}

/// Another writer is at work.
pub(super) fn locked(dir: &Path) -> Error {
    Error::new(
        ErrorKind::Locked,
        format!(
            "{} is being written by another process: wait until it has finished",
            dir.display()
        ),
    )
}

/// There is no index.
pub(super) fn not_found(dir: &Path) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format!("there is no keyword index in {}", dir.display()),
    )
}
