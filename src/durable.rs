//! What it takes for files to be found after a loss of power.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Brings a folder's entries to the device, so that files in it are found
/// after a crash.
///
/// # Errors
/// When the folder cannot be opened or synced, by its name.
pub fn sync_folder(folder: &Path) -> Result<()> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| Error::io("sync", folder, error))
}

/// Writes a whole file and brings it and its name to the device.
///
/// # Errors
/// When it cannot be written, by its name.
pub fn write_synced(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|error| Error::io("write", &path, error))?;
    sync_folder(folder)
}
