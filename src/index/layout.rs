use crate::durable::sync_folder;
use crate::error::{Error, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the parts of an index directory lie.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    root: PathBuf,
}

impl Layout {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.root.join("LOCK")
    }

    pub(crate) fn keyword(&self) -> PathBuf {
        self.root.join("keyword")
    }

    pub(crate) fn vectors(&self) -> PathBuf {
        self.root.join("vectors")
    }

    pub(crate) fn deletes(&self) -> PathBuf {
        self.root.join("deletes")
    }

    pub(crate) fn provenance(&self) -> PathBuf {
        self.root.join("provenance")
    }

    pub(crate) fn quarantine(&self) -> PathBuf {
        self.root.join("quarantine")
    }

    /// Whether something was indexed here, be it only begun.
    pub(crate) fn exists(&self) -> bool {
        self.keyword().join("meta.json").is_file()
    }

    pub(crate) fn create(&self) -> Result<()> {
        for folder in [
            self.root.clone(),
            self.keyword(),
            self.vectors(),
            self.deletes(),
            self.provenance(),
            self.quarantine(),
        ] {
            fs::create_dir_all(&folder).map_err(|e| Error::io("create", &folder, e))?;
        }
        sync_folder(&self.root)
    }
}

/// Bytes of the files below a folder; a folder that is not there has none.
pub(crate) fn folder_bytes(folder: &Path) -> Result<u64> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(e) => return Err(Error::io("read", folder, e)),
    };
    let mut total = 0;
    for entry in entries {
        let entry = entry.map_err(|e| Error::io("read", folder, e))?;
        // A file may go between listing and asking: a writer is at work.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        total += if metadata.is_dir() {
            folder_bytes(&entry.path())?
        } else {
            metadata.len()
        };
    }
    Ok(total)
}
