use crate::{Error, Result};
use std::str::FromStr;

/// A container of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnFormat {
    /// Apache Parquet, compressed by zstd.
    Parquet,
    /// An Arrow IPC file, also known as Feather version 2: random access.
    ArrowFile,
    /// An Arrow IPC stream, read from its beginning to its end.
    ArrowStream,
}

impl ColumnFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Parquet, Self::ArrowFile, Self::ArrowStream];

    /// The name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::ArrowFile => "arrow",
            Self::ArrowStream => "arrow-stream",
        }
    }

    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::ArrowFile => "arrow",
            Self::ArrowStream => "arrows",
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Parquet => "application/vnd.apache.parquet",
            Self::ArrowFile => "application/vnd.apache.arrow.file",
            Self::ArrowStream => "application/vnd.apache.arrow.stream",
        }
    }

    /// How such files begin.
    pub fn magic(self) -> &'static [u8] {
        match self {
            Self::Parquet => b"PAR1",
            Self::ArrowFile => b"ARROW1",
            // A message's length follows.
            Self::ArrowStream => &[0xff; 4],
        }
    }
}

impl FromStr for ColumnFormat {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.as_str() == text).ok_or_else(|| {
            let message = format!("unknown format {text:?}: use parquet, arrow or arrow-stream");
            Error::invalid("format", message)
        })
    }
}
