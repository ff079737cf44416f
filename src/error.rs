//! The one error type of the core library, and its kinds.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::Path;

/// Result of the core library.
pub type Result<T> = std::result::Result<T, Error>;

/// What sort of trouble an [`Error`] reports; callers decide by it, and only
/// the edges turn it into exit codes and HTTP statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request is at fault: a query, a parameter, a configuration key.
    InvalidInput,
    /// Something that was named does not exist: an index, an article, a model.
    NotFound,
    /// Another process holds the index for writing.
    Locked,
    /// A file is damaged: wrong checksum, wrong length, unreadable content.
    Corrupt,
    /// A file is whole but does not fit: format version, model fingerprint.
    Incompatible,
    /// The operating system refused: permissions, a read-only folder.
    Permission,
    /// No space left on the device.
    StorageFull,
    /// Any other trouble with a file.
    Io,
    /// What the request goes on from is no longer so: a cursor of an earlier
    /// state of the index.
    Outdated,
    /// The time that it was given was over before it was done: a search with a
    /// [`Deadline`](crate::Deadline).
    TimedOut,
    /// A fault of medsift itself.
    Internal,
}

/// Error of the core library.
///
/// Its message names the field, position or file, and the remedy where there
/// is one, so that it can be shown to a user as it is.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    field: Option<&'static str>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error of a kind with a message for the user.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            field: None,
            source: None,
        }
    }

    /// A fault in the request.
    pub fn invalid(field: &'static str, message: impl Into<String>) -> Self {
        Self {
            field: Some(field),
            ..Self::new(ErrorKind::InvalidInput, message)
        }
    }

    /// A damaged file.
    pub fn corrupt(path: &Path, what: impl fmt::Display) -> Self {
        Self::new(
            ErrorKind::Corrupt,
            format!("{} is damaged: {what}", path.display()),
        )
    }

    /// Trouble with a file while doing something (`"read"`, `"create"`, …).
    pub fn io(action: &str, path: &Path, source: io::Error) -> Self {
        let kind = match source.kind() {
            io::ErrorKind::NotFound => ErrorKind::NotFound,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ErrorKind::Permission
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::StorageFull,
            _ => ErrorKind::Io,
        };
        let remedy = match kind {
            ErrorKind::Permission => "; check its owner and permissions",
            ErrorKind::StorageFull => "; free some space and run the same command again",
            _ => "",
        };
        Self::new(
            kind,
            format!("cannot {action} {}: {source}{remedy}", path.display()),
        )
        .with_source(source)
    }

    /// Keeps the error that caused this one.
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What sort of trouble it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Which field of the request is at fault.
    pub fn field(&self) -> Option<&'static str> {
        self.field
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
