//! Files and folders that are there whole or not at all.

use medsift::{Error, ErrorKind, Result};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A fault of the tensor library that checked arguments cannot cause.
pub(crate) fn internal(error: &candle_core::Error) -> Error {
    Error::new(
        ErrorKind::Internal,
        format!("the tensor library failed: {error}"),
    )
}

/// Writes a file under a passing name, syncs it, and gives it its name.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let scratch = beside(path, ".tmp");
    let mut file = File::create(&scratch).map_err(|error| Error::io("create", &scratch, error))?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(|error| Error::io("write", &scratch, error))?;
    fs::rename(&scratch, path).map_err(|error| Error::io("replace", path, error))?;
    sync_folder(path)
}

/// Writes a value as indented JSON.
pub(crate) fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<()> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| {
        Error::new(
            ErrorKind::Internal,
            format!("cannot describe {}: {error}", path.display()),
        )
    })?;
    bytes.push(b'\n');
    write_file(path, &bytes)
}

/// Gives a finished folder its name; what stands there moves aside first and
/// is removed afterwards.
pub(crate) fn replace_folder(scratch: &Path, dir: &Path) -> Result<()> {
    let aside = beside(dir, ".old");
    remove_folder(&aside)?;
    let replaces = dir.exists();
    if replaces {
        fs::rename(dir, &aside).map_err(|error| Error::io("move", dir, error))?;
    }
    if let Err(error) = fs::rename(scratch, dir) {
        if replaces {
            // What was there before is better than nothing.
            let _ = fs::rename(&aside, dir);
        }
        return Err(Error::io("create", dir, error));
    }
    sync_folder(dir)?;
    remove_folder(&aside)
}

/// Removes a folder if it is there.
pub(crate) fn remove_folder(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io("remove", dir, error)),
    }
}

/// Copies the files of a folder, and those of the folders in it, into one that
/// is there. Names that begin with a point are left out.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    let failed = |error| Error::io("list", from, error);
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, name) = (entry.path(), entry.file_name());
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let target = to.join(name);
        if path.is_dir() {
            fresh_folder(&target)?;
            copy_folder(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(|error| Error::io("copy", &path, error))?;
        }
    }
    Ok(())
}

/// A new empty folder, its parents included.
pub(crate) fn fresh_folder(dir: &Path) -> Result<()> {
    remove_folder(dir)?;
    fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))
}

/// The hidden neighbour of a path with an ending of its own.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(ending);
    path.with_file_name(name)
}

/// SHA-256 of a file in hexadecimal, and its length in bytes.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn checksum(path: &Path) -> Result<(String, u64)> {
    let failed = |error| Error::io("read", path, error);
    let mut file = File::open(path).map_err(failed)?;
    let mut sum = Sha256::new();
    let mut chunk = vec![0; 1 << 20];
    let mut length = 0;
    loop {
        let count = file.read(&mut chunk).map_err(failed)?;
        if count == 0 {
            return Ok((hexadecimal(&sum.finalize()), length));
        }
        sum.update(&chunk[..count]);
        length += count as u64;
    }
}

/// SHA-256 of bytes in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A rename lasts once the folder that holds the name is synced.
fn sync_folder(path: &Path) -> Result<()> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    File::open(parent)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| Error::io("sync", parent, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_replaced_whole() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a.json");
        write_file(&file, b"one").unwrap();
        write_file(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(
            checksum(&file).unwrap(),
            (digest(b"two"), 3),
            "the file is what was written"
        );
        let (dir, scratch) = (root.path().join("dir"), root.path().join("scratch"));
        for content in ["old", "new"] {
            fresh_folder(&scratch).unwrap();
            fs::write(scratch.join("file"), content).unwrap();
            replace_folder(&scratch, &dir).unwrap();
            assert_eq!(fs::read_to_string(dir.join("file")).unwrap(), content);
        }
        let left: Vec<_> = fs::read_dir(root.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left.len(), 2, "no scratch is left: {left:?}");
    }
}
