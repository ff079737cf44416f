//! Errors as the user sees them: a cause, a remedy and an exit code.

use medsift::ErrorKind;
use std::error::Error as StdError;
use std::fmt;
use std::io;

/// Result of a command.
pub(crate) type Result<T> = std::result::Result<T, CliError>;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The library's news, with its own kind and remedy.
    Core(medsift::Error),
    /// The arguments or the configuration make no sense.
    Usage(String),
    /// Anything else that stops the command.
    Failure(String),
    /// The one who reads our output has gone (`medsift … | head`).
    BrokenPipe,
    /// Output could not be written.
    Output(io::Error),
}

/// What the process returns to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done.
    Ok = 0,
    /// Something failed, or `verify` found faults.
    Failure = 1,
    /// The command line, the query or the configuration is at fault.
    Usage = 2,
    /// Ctrl-C; what was committed before stays (128 + SIGINT).
    Interrupted = 130,
}

impl CliError {
    /// A failure that shows another library's error.
    pub(crate) fn failure(error: impl fmt::Display) -> Self {
        Self::Failure(error.to_string())
    }

    /// How the process ends.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Core(error)
                if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Outdated) =>
            {
                Exit::Usage
            }
            Self::Usage(_) => Exit::Usage,
            Self::BrokenPipe => Exit::Ok,
            Self::Core(_) | Self::Failure(_) | Self::Output(_) => Exit::Failure,
        }
    }

    /// The text for standard error; nothing where there is nobody to tell.
    pub(crate) fn report(&self) -> Option<String> {
        match self {
            Self::BrokenPipe => None,
            Self::Core(error) => Some(with_causes(error)),
            Self::Usage(message) | Self::Failure(message) => Some(message.clone()),
            Self::Output(error) => Some(format!("cannot write the output: {error}")),
        }
    }
}

/// The message, and below it every cause that it does not already tell.
fn with_causes(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text.push_str("\n  caused by: ");
            text.push_str(&message);
        }
        cause = error.source();
    }
    text
}

impl From<medsift::Error> for CliError {
    fn from(error: medsift::Error) -> Self {
        Self::Core(error)
    }
}

/// Only writing to standard output gives bare `io::Error`s; everything else
/// names its file first.
impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::Output(error)
        }
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        // Writing JSON to a closed pipe reaches us wrapped.
        match error.io_error_kind() {
            Some(kind) => io::Error::from(kind).into(),
            None => Self::Failure(format!("cannot write JSON: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_tell_usage_from_failure() {
        let usage: CliError = medsift::Error::invalid("query", "the query is empty").into();
        assert_eq!(usage.exit(), Exit::Usage);
        let failure: CliError = medsift::Error::new(ErrorKind::Corrupt, "damaged").into();
        assert_eq!(failure.exit(), Exit::Failure);
        assert_eq!(CliError::BrokenPipe.exit(), Exit::Ok);
    }

    #[test]
    fn a_broken_pipe_says_nothing_however_it_arrives() {
        let error: CliError = io::Error::from(io::ErrorKind::BrokenPipe).into();
        assert!(error.report().is_none());
        let wrapped = serde_json::Error::io(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(CliError::from(wrapped).report().is_none());
    }

    #[test]
    fn a_cause_is_told_once() {
        let plain = medsift::Error::new(ErrorKind::Io, "cannot read x: gone")
            .with_source(io::Error::other("gone"));
        assert_eq!(with_causes(&plain), "cannot read x: gone");
        let deeper = medsift::Error::new(ErrorKind::Io, "cannot read x")
            .with_source(io::Error::other("gone"));
        assert_eq!(with_causes(&deeper), "cannot read x\n  caused by: gone");
    }
}
