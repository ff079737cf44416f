//! Opening source files: which files, their checksum, compression and format.

mod expand;
mod gunzip;
mod sniff;
#[cfg(test)]
mod tests;

pub use expand::{expand, natural_order};
pub use sniff::Format;

use crate::reader::{Input, Progress, RecordReader};
use crate::rows::RowReader;
use crate::split::Splitter;
pub(crate) use gunzip::Gunzip;
use medsift::columnar::VectorModel;
use medsift::digest::Digest;
use medsift::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

const READ_BYTES: usize = 1 << 18;

/// What is known of a file before its records are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceInfo {
    /// Name of the file without its folder.
    pub name: String,
    /// Format, found from the content.
    pub format: Format,
    /// Whether it is gzip.
    pub compressed: bool,
    /// SHA-256 of the file as it lies on disk, in hexadecimal.
    pub sha256: String,
    /// Size on disk.
    pub bytes: u64,
    /// What the vectors in it are, where it has any that are read.
    pub vectors: Option<VectorModel>,
}

/// Opens a file for reading its records, with the vectors that it may have.
///
/// # Errors
/// `NotFound`, `Permission`, `Io` where the file cannot be read;
/// `InvalidInput` where it holds something else than a known format, in words.
/// A file that is damaged further on opens, and the damage comes as a fault.
pub fn open(path: &Path) -> Result<(SourceInfo, RecordReader)> {
    open_as(path, true)
}

/// [`open`], passing over vectors: articles are articles, whatever model somebody
/// has embedded them with.
///
/// # Errors
/// As of [`open`].
pub fn open_without_vectors(path: &Path) -> Result<(SourceInfo, RecordReader)> {
    open_as(path, false)
}

fn open_as(path: &Path, with_vectors: bool) -> Result<(SourceInfo, RecordReader)> {
    let unreadable = |error| Error::io("read", path, error);
    let mut file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(refuse(path, "is a folder"));
    }
    let mut digest = Digest::default();
    let bytes = digest.update_from(&mut file).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;

    let progress = Progress::new(bytes);
    let counted = Counted::new(file, progress.clone());
    let mut input = BufReader::with_capacity(READ_BYTES, counted);
    let compressed = gunzip::is_gzip(std::io::BufRead::fill_buf(&mut input).map_err(unreadable)?);
    let mut stream = Gunzip::new(input);
    let (beginning, failure) = read_beginning(&mut stream);
    let format = match (sniff::sniff(&beginning), &failure) {
        (Ok(format), _) => format,
        (Err(_), Some(failure)) => return Err(Error::corrupt(path, failure)),
        (Err(what), None) => return Err(refuse(path, &what)),
    };
    let mut info = SourceInfo {
        name: path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned(),
        format,
        compressed,
        sha256: digest.finish(),
        bytes,
        vectors: None,
    };
    if let Some(columns) = format.columns() {
        if compressed {
            return Err(refuse(
                path,
                &format!("is {format} in gzip; unpack it first"),
            ));
        }
        let progress = Progress::new(bytes);
        let rows = RowReader::open(path, columns, bytes, progress.clone(), with_vectors)?;
        info.vectors = rows.vectors().cloned();
        let reader = RecordReader::new(path.into(), Input::Rows(Box::new(rows)), progress);
        return Ok((info, reader));
    }
    // A failure in the beginning has to be met again, after its bytes.
    let rest = Failing { failure, stream };
    let splitter = Splitter::new(
        format,
        Box::new(std::io::Cursor::new(beginning).chain(rest)),
    );
    let input = Input::Cut(Box::new(splitter));
    Ok((info, RecordReader::new(path.into(), input, progress)))
}

/// Whether a file's beginning is of a format that can be read.
fn is_known_format(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let (beginning, _) = read_beginning(&mut Gunzip::new(BufReader::new(file)));
    sniff::sniff(&beginning).is_ok()
}

fn refuse(path: &Path, what: &str) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!("{} {what}", path.display()),
    )
}

fn read_beginning(stream: &mut impl Read) -> (Vec<u8>, Option<std::io::Error>) {
    let mut beginning = Vec::new();
    let failure = stream
        .take(sniff::SNIFF_BYTES as u64)
        .read_to_end(&mut beginning)
        .err();
    (beginning, failure)
}

/// Counts what is read from the disk.
pub(crate) struct Counted {
    file: File,
    progress: Progress,
}

impl Counted {
    pub(crate) fn new(file: File, progress: Progress) -> Self {
        Self { file, progress }
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.file.read(buffer) {
            Ok(count) => {
                self.progress.add(count as u64);
                Ok(count)
            }
            Err(error) => {
                if error.kind() != std::io::ErrorKind::Interrupted {
                    self.progress.fail(&error);
                }
                Err(error)
            }
        }
    }
}

/// Fails once with an error that was met before, then reads on.
struct Failing<R> {
    failure: Option<std::io::Error>,
    stream: R,
}

impl<R: Read> Read for Failing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.stream.read(buffer),
        }
    }
}
