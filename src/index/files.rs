//! Small files beside the two sides: written whole, synced, named with their
//! checksum in the commit.

use crate::digest::sha256;
use crate::durable::write_synced;
use crate::error::{Error, Result};
use crate::vector::FileMeta;
use roaring::RoaringBitmap;
use std::fs;
use std::path::Path;

/// Writes and syncs a file that did not exist, and describes it.
pub(crate) fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<FileMeta> {
    write_synced(folder, name, bytes)?;
    Ok(FileMeta {
        name: name.to_owned(),
        bytes: bytes.len() as u64,
        sha256: sha256(bytes),
    })
}

/// Reads a file that a commit names; another length or checksum is damage.
pub(crate) fn read_file(folder: &Path, meta: &FileMeta) -> Result<Vec<u8>> {
    let path = folder.join(&meta.name);
    let bytes = fs::read(&path).map_err(|e| Error::io("read", &path, e))?;
    if bytes.len() as u64 != meta.bytes {
        return Err(Error::corrupt(
            &path,
            format!("it has {} bytes instead of {}", bytes.len(), meta.bytes),
        ));
    }
    if sha256(&bytes) != meta.sha256 {
        return Err(Error::corrupt(&path, "its checksum differs"));
    }
    Ok(bytes)
}

/// Writes the keys that are no longer current.
pub(crate) fn write_deletes(folder: &Path, name: &str, keys: &RoaringBitmap) -> Result<FileMeta> {
    let mut bytes = Vec::with_capacity(keys.serialized_size());
    keys.serialize_into(&mut bytes)
        .map_err(|e| Error::io("write", &folder.join(name), e))?;
    write_file(folder, name, &bytes)
}

/// Reads the keys that are no longer current.
pub(crate) fn read_deletes(folder: &Path, meta: Option<&FileMeta>) -> Result<RoaringBitmap> {
    let Some(meta) = meta else {
        return Ok(RoaringBitmap::new());
    };
    let bytes = read_file(folder, meta)?;
    RoaringBitmap::deserialize_from(&bytes[..])
        .map_err(|e| Error::corrupt(&folder.join(&meta.name), e))
}
