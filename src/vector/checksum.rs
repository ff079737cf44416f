//! Files that are hashed while they are written, and hashed again to check.

pub(super) use crate::digest::sha256;
pub(super) use crate::durable::sync_folder;

use super::segment::FileMeta;
use crate::digest::Digest;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under construction that knows its length and SHA-256.
pub(super) struct HashedFile {
    path: PathBuf,
    file: BufWriter<File>,
    hash: Digest,
    bytes: u64,
}

impl HashedFile {
    /// Creates a file that must not exist yet.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let file = File::create_new(path).map_err(|error| Error::io("create", path, error))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            hash: Digest::default(),
            bytes: 0,
        })
    }

    /// Brings everything to the device and describes the file.
    pub(super) fn finish(self) -> Result<FileMeta> {
        let failed = |error| Error::io("write", &self.path, error);
        let file = self
            .file
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        let name = self.path.file_name().unwrap_or_default();
        Ok(FileMeta {
            name: name.to_string_lossy().into_owned(),
            bytes: self.bytes,
            sha256: self.hash.finish(),
        })
    }
}

impl Write for HashedFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let written = self.file.write(data)?;
        self.hash.update(&data[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
