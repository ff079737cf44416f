//! A text file, plain or gzip, line by line, with its checksum.

use flate2::bufread::MultiGzDecoder;
use medsift::{Error, ErrorKind, Result};
use sha2::{Digest, Sha256};
use std::fmt::{Display, Write};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Reads lines and counts them; says at the end what the file was.
pub(crate) struct Lines {
    path: PathBuf,
    input: Input,
    bytes: Vec<u8>,
    line: String,
    number: u64,
}

enum Input {
    Plain(BufReader<Hashing>),
    Gzip(Box<BufReader<MultiGzDecoder<BufReader<Hashing>>>>),
}

/// A file that is hashed as it is read.
struct Hashing {
    file: File,
    digest: Sha256,
    bytes: u64,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.digest.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

impl Lines {
    /// Opens a file; whether it is gzip, its first two bytes say.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let mut file = BufReader::new(Hashing {
            file,
            digest: Sha256::new(),
            bytes: 0,
        });
        let start = file
            .fill_buf()
            .map_err(|error| Error::io("read", path, error))?;
        let input = if start.starts_with(&[0x1f, 0x8b]) {
            Input::Gzip(Box::new(BufReader::new(MultiGzDecoder::new(file))))
        } else {
            Input::Plain(file)
        };
        Ok(Self {
            path: path.to_owned(),
            input,
            bytes: Vec::new(),
            line: String::new(),
            number: 0,
        })
    }

    /// Number of the line read last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The line read last, without its end.
    pub(crate) fn line(&self) -> &str {
        &self.line
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// When the file cannot be read, its gzip stream is cut short or damaged,
    /// or the line is not UTF-8.
    pub(crate) fn next_line(&mut self) -> Result<Option<&str>> {
        self.bytes.clear();
        let read = match &mut self.input {
            Input::Plain(input) => input.read_until(b'\n', &mut self.bytes),
            Input::Gzip(input) => input.read_until(b'\n', &mut self.bytes),
        };
        let count = read.map_err(|error| self.unreadable(error))?;
        if count == 0 {
            return Ok(None);
        }
        self.number += 1;
        let mut bytes = self.bytes.as_slice();
        if self.number == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| {
            at_line(
                ErrorKind::Corrupt,
                &self.path,
                self.number,
                format!(
                    "byte {} is not UTF-8; save the file as UTF-8",
                    error.valid_up_to() + 1
                ),
            )
        })?;
        self.line.clear();
        self.line.push_str(text);
        Ok(Some(&self.line))
    }

    /// SHA-256 of the file as it lies on disk, in hexadecimal, and its length.
    /// What has not been read yet is read.
    ///
    /// # Errors
    /// When the rest cannot be read.
    pub(crate) fn finish(mut self) -> Result<(String, u64)> {
        let rest = match &mut self.input {
            Input::Plain(input) => io::copy(input, &mut io::sink()),
            Input::Gzip(input) => io::copy(input, &mut io::sink()),
        };
        rest.map_err(|error| self.unreadable(error))?;
        let hashing = match self.input {
            Input::Plain(input) => input.into_inner(),
            Input::Gzip(input) => input.into_inner().into_inner().into_inner(),
        };
        Ok((hex(&hashing.digest.finalize()), hashing.bytes))
    }

    /// SHA-256 of a file as it lies on disk, in hexadecimal, and its length,
    /// whatever is in it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn checksum(path: &Path) -> Result<(String, u64)> {
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let mut hashing = Hashing {
            file,
            digest: Sha256::new(),
            bytes: 0,
        };
        io::copy(&mut hashing, &mut io::sink()).map_err(|error| Error::io("read", path, error))?;
        Ok((hex(&hashing.digest.finalize()), hashing.bytes))
    }

    fn unreadable(&self, error: io::Error) -> Error {
        let after = self.number;
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::corrupt(
                &self.path,
                format!("its gzip stream is cut short after line {after}; fetch the file again"),
            ),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Error::corrupt(
                &self.path,
                format!("its gzip stream is broken after line {after} ({error}); fetch it again"),
            ),
            _ => Error::io("read", &self.path, error),
        }
    }
}

/// An error about one line of a file.
pub(crate) fn at_line(kind: ErrorKind, path: &Path, line: u64, what: impl Display) -> Error {
    Error::new(kind, format!("{}, line {line}: {what}", path.display()))
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
