//! What a model directory holds, for people and for programs.

use crate::error::Result;
use medsift::encoder::{Encoder, EncoderOptions, ModelFingerprint};
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A model directory in words and numbers.
#[derive(Debug, Serialize)]
pub(crate) struct Inspection {
    /// Where it lies.
    pub(crate) directory: PathBuf,
    /// `model_type` of `config.json`.
    pub(crate) architecture: Option<String>,
    /// Transformer layers.
    pub(crate) layers: Option<u64>,
    /// Attention heads.
    pub(crate) heads: Option<u64>,
    /// Width of a layer.
    pub(crate) hidden_size: Option<u64>,
    /// Word pieces with an embedding.
    pub(crate) vocabulary: Option<u64>,
    /// What decides about the vectors: an index records it.
    pub(crate) fingerprint: ModelFingerprint,
    /// Files with their lengths, by name.
    pub(crate) files: Vec<FileSize>,
}

/// A file of the model.
#[derive(Debug, Serialize)]
pub(crate) struct FileSize {
    /// Path in the directory.
    pub(crate) path: String,
    /// Length.
    pub(crate) bytes: u64,
}

/// Loads a model and describes it.
pub(crate) fn inspect(dir: &Path, options: EncoderOptions) -> Result<Inspection> {
    let encoder = Encoder::open(dir, options)?;
    let path = dir.join("config.json");
    let text =
        fs::read_to_string(&path).map_err(|error| medsift::Error::io("read", &path, error))?;
    let config: Value =
        serde_json::from_str(&text).map_err(|error| medsift::Error::corrupt(&path, error))?;
    // DistilBERT has names of its own.
    let number = |names: [&str; 2]| names.iter().find_map(|name| config[*name].as_u64());
    Ok(Inspection {
        directory: dir.to_owned(),
        architecture: config["model_type"].as_str().map(str::to_owned),
        layers: number(["num_hidden_layers", "n_layers"]),
        heads: number(["num_attention_heads", "n_heads"]),
        hidden_size: number(["hidden_size", "dim"]),
        vocabulary: config["vocab_size"].as_u64(),
        fingerprint: encoder.fingerprint().clone(),
        files: files(dir)?,
    })
}

/// The files of a model directory and of its module folders.
fn files(dir: &Path) -> Result<Vec<FileSize>> {
    let mut found = Vec::new();
    let mut folders = vec![(dir.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let failed = |error| medsift::Error::io("list", &folder, error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Through links, since the hub's cache holds nothing else.
            let meta = fs::metadata(entry.path()).map_err(failed)?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if meta.is_file() {
                found.push(FileSize {
                    path: name,
                    bytes: meta.len(),
                });
            } else if prefix.is_empty() && !name.starts_with('.') {
                folders.push((entry.path(), format!("{name}/")));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}
