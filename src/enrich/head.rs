//! Heads that give each word a tag, as they lie beside an encoder.

use super::decode::log_softmax;
use super::tags::TagSet;
use crate::encoder::Adapter;
use crate::encoder::parts::read_checkpoint;
use crate::error::{Error, ErrorKind, Result};
use candle_core::{DType, Tensor};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Version of `config.json` that is written and read.
const FORMAT: u32 = 1;

/// `config.json` of a head that tags words. `docs/heads.md` describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenHeadConfig {
    /// Version of the file's form.
    pub format: u32,
    /// Always `entities`.
    pub task: String,
    /// Types of entities; the tags are `O`, then `B-` and `I-` of each.
    pub types: Vec<String>,
    /// Numbers in a state of the encoder.
    pub hidden: usize,
    /// Tokens at which a sentence was cut in training, special ones included.
    pub max_tokens: usize,
    /// SHA-256 of the encoder that the head was trained on
    /// ([`crate::encoder::ModelFingerprint::sha256`]).
    pub encoder: String,
    /// Rank of the adapter that lies beside the head; none where the encoder
    /// itself was trained, or left as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<usize>,
}

impl TokenHeadConfig {
    /// A head of this version.
    pub fn new(types: &[String], hidden: usize, max_tokens: usize, encoder: String) -> Self {
        Self {
            format: FORMAT,
            task: "entities".to_owned(),
            types: types.to_vec(),
            hidden,
            max_tokens,
            encoder,
            adapter: None,
        }
    }
}

/// A linear layer over the states of the last layer: a score for each tag.
#[derive(Debug, Clone)]
pub struct TokenHead {
    name: String,
    config: TokenHeadConfig,
    tags: TagSet,
    /// `hidden × tags`, so that the inner loop runs over the tags.
    weight: Vec<f32>,
    bias: Vec<f32>,
    adapter: Option<Adapter>,
}

impl TokenHead {
    /// The folder of heads in a model directory.
    pub const FOLDER: &str = "heads";

    /// The parameters of a head, in its own folder.
    pub const FILE: &str = "head.safetensors";

    /// What a head changes in the encoder, in its own folder.
    pub const ADAPTER: &str = "adapter.safetensors";

    /// The names of the heads of a model directory, in alphabetical order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn names(model: &Path) -> Result<Vec<String>> {
        let folder = model.join(Self::FOLDER);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let failed = |error| Error::io("list", &folder, error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.path().join("config.json").is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Opens a head of a model directory for the encoder with this SHA-256.
    /// Where no name is given, there has to be one head only.
    ///
    /// # Errors
    /// When there is no such head, a file is damaged, shapes do not fit the
    /// configuration, or the head was trained on another encoder.
    pub fn open(model: &Path, name: Option<&str>, encoder: &str) -> Result<Self> {
        let name = choose(model, name)?;
        let folder = model.join(Self::FOLDER).join(&name);
        let path = folder.join("config.json");
        let config = read_config(&path)?;
        if config.encoder != encoder {
            let short = |sum: &str| sum.get(..12).unwrap_or(sum).to_owned();
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{}: the head was trained on the encoder {}, but {} holds {}; put it beside \
                     its own encoder, or train it again on this one",
                    path.display(),
                    short(&config.encoder),
                    model.display(),
                    short(encoder)
                ),
            ));
        }
        let tags = TagSet::new(config.types.iter().cloned())
            .map_err(|error| Error::corrupt(&path, error))?;
        let path = folder.join(Self::FILE);
        let tensors = read_checkpoint(&path)?;
        let (rows, hidden) = (tags.len(), config.hidden);
        let weight = numbers(&path, &tensors, "classifier.weight", &[rows, hidden])?;
        let bias = numbers(&path, &tensors, "classifier.bias", &[rows])?;
        let mut turned = vec![0.0; weight.len()];
        for (at, value) in weight.into_iter().enumerate() {
            turned[at % hidden * rows + at / hidden] = value;
        }
        let adapter = config
            .adapter
            .map(|rank| read_adapter(&folder.join(Self::ADAPTER), rank))
            .transpose()?;
        Ok(Self {
            name,
            config,
            tags,
            weight: turned,
            bias,
            adapter,
        })
    }

    /// Writes a head into a model directory: `weight` is `tags × hidden`,
    /// `bias` has a number for each tag. With an adapter the encoder's own
    /// files stay as they are, and several heads share them.
    ///
    /// # Errors
    /// When the name does not do for a folder, shapes do not fit, or it cannot
    /// be written.
    pub fn write(
        model: &Path,
        name: &str,
        config: &TokenHeadConfig,
        (weight, bias): (&Tensor, &Tensor),
        adapter: Option<&Adapter>,
    ) -> Result<()> {
        check_name(name)?;
        let config = &TokenHeadConfig {
            adapter: adapter.map(Adapter::rank),
            ..config.clone()
        };
        let rows = TagSet::new(config.types.iter().cloned())?.len();
        if weight.dims() != [rows, config.hidden] || bias.dims() != [rows] {
            return Err(Error::new(
                ErrorKind::Internal,
                format!(
                    "the head {name} is not saved: weights of shape {:?} and {:?} are not those \
                     of {rows} tags over {} numbers",
                    weight.dims(),
                    bias.dims(),
                    config.hidden
                ),
            ));
        }
        let folder = model.join(Self::FOLDER).join(name);
        fs::create_dir_all(&folder).map_err(|error| Error::io("create", &folder, error))?;
        let path = folder.join(Self::FILE);
        let tensors = HashMap::from([
            ("classifier.weight", weight.clone()),
            ("classifier.bias", bias.clone()),
        ]);
        candle_core::safetensors::save(&tensors, &path)
            .map_err(|error| Error::io("write", &path, std::io::Error::other(error)))?;
        if let Some(adapter) = adapter {
            adapter.write(&folder.join(Self::ADAPTER))?;
        }
        let mut text = serde_json::to_vec_pretty(config)
            .map_err(|error| Error::new(ErrorKind::Internal, format!("config.json: {error}")))?;
        text.push(b'\n');
        crate::durable::write_synced(&folder, "config.json", &text)
    }

    /// What its folder is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its `config.json` says.
    pub fn config(&self) -> &TokenHeadConfig {
        &self.config
    }

    /// What it changes in the encoder.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.adapter.as_ref()
    }

    /// Its tags.
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// Adds the logarithms of the tags' probabilities for a state of the
    /// encoder behind `scores`.
    pub(super) fn score(&self, state: &[f32], scores: &mut Vec<f32>) {
        let start = scores.len();
        scores.extend_from_slice(&self.bias);
        let row = &mut scores[start..];
        for (value, weights) in state.iter().zip(self.weight.chunks_exact(row.len())) {
            for (score, weight) in row.iter_mut().zip(weights) {
                *score += value * weight;
            }
        }
        log_softmax(row, self.tags.len());
    }
}

/// The head that is meant.
fn choose(model: &Path, name: Option<&str>) -> Result<String> {
    let names = TokenHead::names(model)?;
    let error = |kind, what: String| Err(Error::new(kind, what));
    match (name, names.as_slice()) {
        (Some(name), _) if names.iter().any(|known| known == name) => Ok(name.to_owned()),
        (_, []) => error(
            ErrorKind::NotFound,
            format!(
                "the model {} has no head for entities ({}/NAME): train one with a stage of kind \
                 `token`, as config/train/ner.toml has it",
                model.display(),
                TokenHead::FOLDER
            ),
        ),
        (Some(name), _) => error(
            ErrorKind::NotFound,
            format!(
                "the model {} has no head {name:?}; there are: {}",
                model.display(),
                names.join(", ")
            ),
        ),
        (None, [one]) => Ok(one.clone()),
        (None, _) => error(
            ErrorKind::InvalidInput,
            format!(
                "the model {} has several heads ({}); name one",
                model.display(),
                names.join(", ")
            ),
        ),
    }
}

/// A name is a folder's name: letters, digits, `-` and `_`.
fn check_name(name: &str) -> Result<()> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(fits) {
        return Ok(());
    }
    Err(Error::invalid(
        "name",
        format!("{name:?} is no name for a head: use letters, digits, - and _"),
    ))
}

fn read_config(path: &PathBuf) -> Result<TokenHeadConfig> {
    let bytes = fs::read(path).map_err(|error| Error::io("read", path, error))?;
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| Error::corrupt(path, error))?;
    // The version before the rest, which another version may have otherwise.
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    let task = value.get("task").and_then(serde_json::Value::as_str);
    if format != Some(u64::from(FORMAT)) || task != Some("entities") {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "{}: a head of format {} for {:?}; this version reads format {FORMAT} for \
                 \"entities\"",
                path.display(),
                format.map_or_else(|| "unknown".to_owned(), |format| format.to_string()),
                task.unwrap_or("nothing")
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

/// A tensor's numbers, checked.
fn numbers(
    path: &Path,
    tensors: &HashMap<String, Tensor>,
    name: &str,
    shape: &[usize],
) -> Result<Vec<f32>> {
    let tensor = tensors
        .get(name)
        .ok_or_else(|| Error::corrupt(path, format!("it lacks `{name}`")))?;
    if tensor.dims() != shape {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "{}: `{name}` has the shape {:?}, but config.json calls for {shape:?}; weights \
                 and configuration are of different heads",
                path.display(),
                tensor.dims()
            ),
        ));
    }
    let numbers = tensor
        .to_dtype(DType::F32)
        .and_then(|tensor| tensor.flatten_all())
        .and_then(|tensor| tensor.to_vec1::<f32>())
        .map_err(|error| Error::corrupt(path, error))?;
    if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
        let what = format!("`{name}` holds {} at {place}", numbers[place]);
        return Err(Error::corrupt(path, what));
    }
    Ok(numbers)
}
