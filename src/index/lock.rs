use crate::error::{Error, ErrorKind, Result};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

/// The right to write into an index, held as long as the value lives.
///
/// The operating system holds the lock, so a process that dies leaves none
/// behind; the file itself stays.
#[derive(Debug)]
pub(crate) struct WriteLock {
    _file: File,
}

impl WriteLock {
    pub(crate) fn acquire(path: &Path) -> Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|e| Error::io("open for writing", path, e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held(&mut file, path)),
            Err(TryLockError::Error(e)) => return Err(Error::io("lock", path, e)),
        }
        // Who holds it is told to whoever is refused; it is no part of the lock.
        let note = || -> std::io::Result<()> {
            file.set_len(0)?;
            write!(&file, "{}", std::process::id())
        };
        note().map_err(|e| Error::io("write", path, e))?;
        Ok(Self { _file: file })
    }
}

fn held(file: &mut File, path: &Path) -> Error {
    let mut holder = String::new();
    let known = file.rewind().is_ok() && file.read_to_string(&mut holder).is_ok();
    let holder = match holder.trim() {
        pid if known && !pid.is_empty() => format!("process {pid}"),
        _ => "another process".to_owned(),
    };
    let index = path.parent().unwrap_or(path);
    Error::new(
        ErrorKind::Locked,
        format!(
            "{holder} is writing to {}: wait until it has finished, or end it",
            index.display()
        ),
    )
}
