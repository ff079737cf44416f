//! The files of a head, whatever its task.

use super::choose::{Task, check_name, choose};
use super::linear::{Linear, check_shape};
use crate::digest::{Digest, of_file};
use crate::encoder::Adapter;
use crate::encoder::parts::read_checkpoint;
use crate::error::{Error, ErrorKind, Result};
use candle_core::Tensor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Version of `config.json` that is written and read.
pub(super) const FORMAT: u32 = 1;

/// The folder of heads in a model directory.
pub(super) const FOLDER: &str = "heads";

/// What a head is, in its own folder.
pub(super) const CONFIG: &str = "config.json";

/// Its parameters.
pub(super) const FILE: &str = "head.safetensors";

/// What it changes in the encoder.
pub(super) const ADAPTER: &str = "adapter.safetensors";

/// What the `config.json` of every head says.
pub(super) trait HeadConfig: Clone + Serialize + DeserializeOwned {
    /// What the head is for.
    const TASK: Task;

    /// SHA-256 of its encoder.
    fn encoder(&self) -> &str;

    /// Numbers in a state of the encoder.
    fn hidden(&self) -> usize;

    /// Rank of the adapter beside it.
    fn adapter(&self) -> Option<usize>;

    /// Says which adapter lies beside it.
    fn set_adapter(&mut self, rank: Option<usize>);

    /// Numbers that the head gives.
    fn outputs(&self) -> Result<usize>;

    /// Whether a dense layer of the encoder's width stands before it.
    fn has_pooler(&self) -> bool {
        false
    }
}

/// A head as it was read.
#[derive(Debug, Clone)]
pub(super) struct Files<C> {
    pub(super) name: String,
    /// SHA-256 over its files.
    pub(super) sha256: String,
    pub(super) config: C,
    pub(super) classifier: Linear,
    pub(super) pooler: Option<Linear>,
    pub(super) adapter: Option<Adapter>,
}

/// Weights, one row for each number that comes out, and as many biases.
pub(super) type Layer<'a> = (&'a Tensor, &'a Tensor);

/// Names of the tensors, as transformers has them.
const CLASSIFIER: &str = "classifier";
const POOLER: &str = "pooler.dense";

impl<C: HeadConfig> Files<C> {
    /// Opens a head of a model directory for the encoder with this SHA-256.
    /// Where no name is given, there has to be one head of the task only.
    pub(super) fn open(model: &Path, name: Option<&str>, encoder: &str) -> Result<Self> {
        let name = choose(model, name, C::TASK)?;
        let folder = model.join(FOLDER).join(&name);
        let path = folder.join(CONFIG);
        let config: C = read_config(&path)?;
        if config.encoder() != encoder {
            let short = |sum: &str| sum.get(..12).unwrap_or(sum).to_owned();
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{}: the head was trained on the encoder {}, but {} holds {}; put it beside \
                     its own encoder, or train it again on this one",
                    path.display(),
                    short(config.encoder()),
                    model.display(),
                    short(encoder)
                ),
            ));
        }
        let outputs = config
            .outputs()
            .map_err(|error| Error::corrupt(&path, error))?;
        let path = folder.join(FILE);
        let tensors = read_checkpoint(&path)?;
        let hidden = config.hidden();
        let classifier = Linear::read(&path, &tensors, CLASSIFIER, hidden, outputs)?;
        let pooler = config
            .has_pooler()
            .then(|| Linear::read(&path, &tensors, POOLER, hidden, hidden))
            .transpose()?;
        let adapter = config
            .adapter()
            .map(|rank| read_adapter(&folder.join(ADAPTER), rank))
            .transpose()?;
        Ok(Self {
            sha256: digest(&folder)?,
            name,
            config,
            classifier,
            pooler,
            adapter,
        })
    }
}

/// SHA-256 over the files of a head.
fn digest(folder: &Path) -> Result<String> {
    let mut digest = Digest::default();
    for name in [CONFIG, FILE, ADAPTER] {
        let path = folder.join(name);
        if path.exists() {
            digest.update(of_file(&path)?);
        }
    }
    Ok(digest.finish())
}

/// Writes a head into a model directory.
pub(super) fn write<C: HeadConfig>(
    model: &Path,
    name: &str,
    config: &C,
    classifier: Layer<'_>,
    pooler: Option<Layer<'_>>,
    adapter: Option<&Adapter>,
) -> Result<()> {
    check_name(name)?;
    let mut config = config.clone();
    config.set_adapter(adapter.map(Adapter::rank));
    let hidden = config.hidden();
    check_shape(name, classifier, config.outputs()?, hidden)?;
    let mut tensors = HashMap::new();
    let mut put = |part: &str, (weight, bias): Layer<'_>| {
        tensors.insert(format!("{part}.weight"), weight.clone());
        tensors.insert(format!("{part}.bias"), bias.clone());
    };
    put(CLASSIFIER, classifier);
    match (pooler, config.has_pooler()) {
        (Some(pooler), true) => {
            check_shape(name, pooler, hidden, hidden)?;
            put(POOLER, pooler);
        }
        (None, false) => {}
        _ => {
            return Err(Error::new(
                ErrorKind::Internal,
                format!("the head {name} is not saved: its pooler is not as its file says"),
            ));
        }
    }
    let folder = model.join(FOLDER).join(name);
    fs::create_dir_all(&folder).map_err(|error| Error::io("create", &folder, error))?;
    let path = folder.join(FILE);
    candle_core::safetensors::save(&tensors, &path)
        .map_err(|error| Error::io("write", &path, std::io::Error::other(error)))?;
    if let Some(adapter) = adapter {
        adapter.write(&folder.join(ADAPTER))?;
    }
    rewrite_config(model, name, &config)?;
    readable_as_others(&folder)
}

/// Writes the configuration of a head whose folder is there.
pub(super) fn rewrite_config<C: HeadConfig>(model: &Path, name: &str, config: &C) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(config)
        .map_err(|error| Error::new(ErrorKind::Internal, format!("{CONFIG}: {error}")))?;
    text.push(b'\n');
    let folder = model.join(FOLDER).join(name);
    crate::durable::write_synced(&folder, CONFIG, &text).map(|_| ())
}

/// Gives the tensors the permissions that a file of this process has: the
/// library that writes them lets nobody but the owner read.
fn readable_as_others(folder: &Path) -> Result<()> {
    let config = folder.join(CONFIG);
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| Error::io("change the permissions of", &path, error)
    };
    let permissions = fs::metadata(&config)
        .map_err(failed(&config))?
        .permissions();
    for name in [FILE, ADAPTER] {
        let path = folder.join(name);
        if path.exists() {
            fs::set_permissions(&path, permissions.clone()).map_err(failed(&path))?;
        }
    }
    Ok(())
}

fn read_config<C: HeadConfig>(path: &Path) -> Result<C> {
    let bytes = fs::read(path).map_err(|error| Error::io("read", path, error))?;
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| Error::corrupt(path, error))?;
    // The version before the rest, which another version may have otherwise.
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    let task = value.get("task").and_then(serde_json::Value::as_str);
    if format != Some(u64::from(FORMAT)) || task != Some(C::TASK.name) {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "{}: a head of format {} for {:?}; wanted is format {FORMAT} for {:?}",
                path.display(),
                format.map_or_else(|| "unknown".to_owned(), |format| format.to_string()),
                task.unwrap_or("nothing"),
                C::TASK.name
            ),
        ));
    }
    serde_json::from_value(value).map_err(|error| Error::corrupt(path, error))
}

fn read_adapter(path: &Path, rank: usize) -> Result<Adapter> {
    let adapter = Adapter::read(path)?;
    if adapter.rank() == rank {
        return Ok(adapter);
    }
    Err(Error::new(
        ErrorKind::Incompatible,
        format!(
            "{}: an adapter of rank {}, but config.json calls for {rank}; they are of different \
             heads",
            path.display(),
            adapter.rank()
        ),
    ))
}
