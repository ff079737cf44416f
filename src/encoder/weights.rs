//! Reading a network's parameters from a checkpoint.

use super::architecture::Architecture;
use super::files::{missing, unsupported};
use super::layout::{Layout, Parameter};
use super::quantised::read_safetensors;
use crate::{Error, ErrorKind, Result};
use candle_core::{DType, Tensor};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Checkpoint files in order of preference.
const FILES: [&str; 3] = [
    "model.safetensors",
    // In eight bits, which other tools would misread: hence its own name.
    "model.int8.safetensors",
    "pytorch_model.bin",
];

/// The parameters of a network in single precision, under the names of its
/// [`Layout`].
#[derive(Debug)]
pub struct Weights {
    tensors: HashMap<String, Tensor>,
}

/// The checkpoint of a directory.
///
/// # Errors
/// When there is none, or only one in several files.
pub fn find_checkpoint(dir: &Path) -> Result<PathBuf> {
    if let Some(path) = FILES
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.exists())
    {
        return Ok(path);
    }
    for name in FILES {
        let index = dir.join(format!("{name}.index.json"));
        if index.exists() {
            return Err(unsupported(
                &index,
                "the checkpoint is split into several files; load it with `transformers` \
                 and save it with `save_pretrained(max_shard_size=\"100GB\")`",
            ));
        }
    }
    Err(missing(&dir.join(FILES[0])))
}

impl Weights {
    /// Reads what a network needs from a checkpoint, and checks every shape
    /// and every number.
    ///
    /// Older spellings are understood: a prefix before all names (`bert.`),
    /// `gamma` and `beta` in layer normalisation. Parameters that the network
    /// does not have (poolers, heads of other tasks) are passed over.
    pub fn read(path: &Path, architecture: &Architecture) -> Result<Self> {
        let mut named = read_checkpoint(path)?;
        let layout = Layout::of(architecture);
        let prefix = prefix(path, &named, &format!("{}.weight", layout.words))?;
        let mut tensors = HashMap::new();
        for parameter in layout.parameters(architecture) {
            let tensor = named
                .remove(&format!("{prefix}{}", parameter.name))
                .ok_or_else(|| {
                    Error::new(
                        ErrorKind::Incompatible,
                        format!(
                            "{} lacks the parameter `{prefix}{}` that config.json calls for; \
                             weights and configuration are of different models",
                            path.display(),
                            parameter.name
                        ),
                    )
                })?;
            let tensor = checked(path, &parameter, &tensor)?;
            tensors.insert(parameter.name, tensor);
        }
        Ok(Self { tensors })
    }

    /// A parameter as a tensor.
    ///
    /// # Errors
    /// When the layout does not have it.
    pub fn tensor(&self, name: &str) -> Result<Tensor> {
        self.tensors.get(name).cloned().ok_or_else(|| {
            Error::new(
                ErrorKind::Internal,
                format!("the parameter `{name}` was not loaded"),
            )
        })
    }

    /// A parameter as plain numbers in rows.
    ///
    /// # Errors
    /// When the layout does not have it.
    pub fn numbers(&self, name: &str) -> Result<Vec<f32>> {
        self.tensor(name)?
            .flatten_all()
            .and_then(|tensor| tensor.to_vec1())
            .map_err(|error| internal(&error))
    }
}

/// A fault of the tensor library that a checked model cannot cause.
pub(super) fn internal(error: &candle_core::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("the encoder failed: {error}"))
}

/// Every tensor of a checkpoint, whatever it belongs to, in its own precision
/// (what is stored in eight bits in single precision), under its name as today's checkpoints spell it.
///
/// # Errors
/// When the file cannot be read or is damaged.
pub fn read_checkpoint(path: &Path) -> Result<HashMap<String, Tensor>> {
    Ok(read_tensors(path)?
        .into_iter()
        .map(|(name, tensor)| (modern(&name), tensor))
        .collect())
}

fn read_tensors(path: &Path) -> Result<Vec<(String, Tensor)>> {
    if path.extension().is_some_and(|kind| kind == "safetensors") {
        let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, error))?;
        read_safetensors(path, bytes)
    } else {
        // The reader interprets the pickle as data: it knows tensors, and no
        // call that a checkpoint might name is ever made.
        candle_core::pickle::read_all(path).map_err(|error| {
            Error::corrupt(
                path,
                format!(
                    "{error}; if the file was written by PyTorch before 1.6, load it with \
                     PyTorch and save it again, or convert it to model.safetensors"
                ),
            )
        })
    }
}

/// The name as today's checkpoints spell it.
fn modern(name: &str) -> String {
    for (old, new) in [
        ("LayerNorm.gamma", "LayerNorm.weight"),
        ("LayerNorm.beta", "LayerNorm.bias"),
    ] {
        if let Some(start) = name.strip_suffix(old) {
            return format!("{start}{new}");
        }
    }
    name.to_owned()
}

/// What stands before all names: `bert.`, `roberta.`, `0.auto_model.`, or
/// nothing.
fn prefix(path: &Path, named: &HashMap<String, Tensor>, words: &str) -> Result<String> {
    named
        .keys()
        .filter_map(|name| name.strip_suffix(words))
        .filter(|prefix| prefix.is_empty() || prefix.ends_with('.'))
        .min_by_key(|prefix| prefix.len())
        .map(str::to_owned)
        .ok_or_else(|| {
            Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{} holds no `{words}`; it is not a checkpoint of the architecture \
                     that config.json names",
                    path.display()
                ),
            )
        })
}

fn checked(path: &Path, parameter: &Parameter, tensor: &Tensor) -> Result<Tensor> {
    if tensor.dims() != parameter.shape {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "{}: `{}` has the shape {:?}, but config.json calls for {:?}; \
                 weights and configuration are of different models",
                path.display(),
                parameter.name,
                tensor.dims(),
                parameter.shape
            ),
        ));
    }
    let tensor = tensor
        .to_dtype(DType::F32)
        .and_then(|tensor| tensor.contiguous())
        .map_err(|error| Error::corrupt(path, error))?;
    let numbers = tensor
        .flatten_all()
        .and_then(|tensor| tensor.to_vec1::<f32>())
        .map_err(|error| internal(&error))?;
    if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
        return Err(Error::corrupt(
            path,
            format!(
                "`{}` holds {} at position {place}; fetch the model again",
                parameter.name, numbers[place]
            ),
        ));
    }
    Ok(tensor)
}
