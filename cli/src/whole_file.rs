//! A file that is there whole or not at all.

use crate::error::Result;
use medsift::Error;
use medsift::durable::sync_folder;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Written beside its place, and moved there when it is whole. Dropped before
/// that, it leaves nothing; a file that was there stays.
pub(crate) struct WholeFile {
    path: PathBuf,
    folder: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl WholeFile {
    /// Begins one.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let failed = |error| Error::io("write", path, error);
        if path.is_dir() {
            let message = format!("{} is a folder: name a file", path.display());
            return Err(Error::invalid("output", message).into());
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".medsift-").suffix(".partial");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As of any file that is made: less what the user's mask takes.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(&folder).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            folder,
            out: BufWriter::new(file),
        })
    }

    /// Moves it to its place, for good.
    pub(crate) fn finish(self) -> Result<()> {
        let path = self.path;
        let failed = |error| Error::io("write", &path, error);
        let file = self
            .out
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        let written: File = file.persist(&path).map_err(|error| failed(error.error))?;
        written.sync_all().map_err(failed)?;
        sync_folder(&self.folder)?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_until_the_new_file_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("list.csv");
        std::fs::write(&path, "old").unwrap();
        let mut half = WholeFile::create(&path).unwrap();
        half.write_all(b"ne").unwrap();
        drop(half);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        let mut whole = WholeFile::create(&path).unwrap();
        whole.write_all(b"new").unwrap();
        whole.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(WholeFile::create(dir.path()).is_err());
    }
}
