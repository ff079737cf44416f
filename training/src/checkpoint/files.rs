//! The files of one checkpoint.

use super::Checkpoint;
use crate::files::{checksum, write_json};
use crate::model::safetensors::{self, Entry};
use candle_core::{Device, Tensor};
use medsift::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

const PARAMETERS: &str = "parameters.safetensors";
const OPTIMISER: &str = "optimiser.safetensors";
const STATE: &str = "state.json";
const MANIFEST: &str = "manifest.json";

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    files: BTreeMap<String, FileEntry>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FileEntry {
    bytes: u64,
    sha256: String,
}

/// Writes the files of a checkpoint into a folder, the manifest last.
pub(super) fn write(dir: &Path, checkpoint: &Checkpoint) -> Result<()> {
    write_tensors(&dir.join(PARAMETERS), &checkpoint.parameters)?;
    write_tensors(&dir.join(OPTIMISER), &checkpoint.optimiser)?;
    write_json(&dir.join(STATE), &checkpoint.state)?;
    let mut files = BTreeMap::new();
    for name in [PARAMETERS, OPTIMISER, STATE] {
        let (sha256, bytes) = checksum(&dir.join(name))?;
        files.insert(name.to_owned(), FileEntry { bytes, sha256 });
    }
    write_json(&dir.join(MANIFEST), &Manifest { files })
}

/// Reads a checkpoint after comparing lengths and checksums.
pub(super) fn read(dir: &Path) -> Result<Checkpoint> {
    verify(dir)?;
    Ok(Checkpoint {
        parameters: read_tensors(&dir.join(PARAMETERS))?,
        optimiser: read_tensors(&dir.join(OPTIMISER))?,
        state: read_json(&dir.join(STATE))?,
    })
}

/// The parameters alone.
pub(super) fn read_parameters(dir: &Path) -> Result<HashMap<String, Tensor>> {
    verify(dir)?;
    read_tensors(&dir.join(PARAMETERS))
}

fn verify(dir: &Path) -> Result<()> {
    let manifest: Manifest = read_json(&dir.join(MANIFEST))?;
    for name in [PARAMETERS, OPTIMISER, STATE] {
        let path = dir.join(name);
        let Some(entry) = manifest.files.get(name) else {
            let what = format!("it does not list {name}");
            return Err(Error::corrupt(&dir.join(MANIFEST), what));
        };
        let (sha256, bytes) = checksum(&path)?;
        if *entry != (FileEntry { bytes, sha256 }) {
            return Err(Error::corrupt(
                &path,
                format!(
                    "it is not the file of {} bytes that was written",
                    entry.bytes
                ),
            ));
        }
    }
    Ok(())
}

fn write_tensors(path: &Path, tensors: &HashMap<String, Tensor>) -> Result<()> {
    let entries = tensors
        .iter()
        .map(|(name, tensor)| Entry::tensor(name.clone(), tensor.clone()));
    safetensors::write(path, entries.collect())
}

fn read_tensors(path: &Path) -> Result<HashMap<String, Tensor>> {
    let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, error))?;
    candle_core::safetensors::load_buffer(&bytes, &Device::Cpu)
        .map_err(|error| Error::corrupt(path, error))
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, error))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::corrupt(path, error))
}
