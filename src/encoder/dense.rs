//! Linear layers behind the pooling: the `Dense` module of
//! sentence-transformers.

use super::files::{read_json, unsupported};
use super::kernel::{Finish, InstructionSet, PackedMatrix};
use super::weights::{internal, read_checkpoint};
use crate::digest::{of_file, sha256};
use crate::{Error, ErrorKind, Result};
use candle_core::{DType, Tensor};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files that hold the layer, in order of preference.
const FILES: [&str; 2] = ["model.safetensors", "pytorch_model.bin"];

/// A layer as a model directory has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// Numbers that come in.
    pub inputs: usize,
    /// Numbers that go out.
    pub outputs: usize,
    /// `outputs` rows of `inputs` numbers.
    pub weight: Vec<f32>,
    /// A number for each output.
    pub bias: Vec<f32>,
    /// Whether the hyperbolic tangent follows.
    pub tanh: bool,
}

/// A layer ready for inference.
#[derive(Debug)]
pub(super) struct PackedDense {
    matrix: PackedMatrix,
    outputs: usize,
    tanh: bool,
}

/// `N_Dense/config.json`.
#[derive(Debug, Deserialize)]
struct Config {
    in_features: usize,
    out_features: usize,
    bias: bool,
    activation_function: String,
}

impl Dense {
    /// Reads the layer of a folder (`2_Dense`).
    ///
    /// # Errors
    /// When a file is missing or damaged, the activation is not known, shapes
    /// do not fit the configuration, or a number is none.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("config.json");
        let config: Config = read_json(&path)?;
        let tanh = match config.activation_function.rsplit('.').next() {
            Some("Tanh") => true,
            Some("Identity") => false,
            _ => {
                return Err(unsupported(
                    &path,
                    format!(
                        "the activation `{}` is not supported, only Identity and Tanh",
                        config.activation_function
                    ),
                ));
            }
        };
        let (inputs, outputs) = (config.in_features, config.out_features);
        let file = dense_file(folder);
        let tensors = read_checkpoint(&file)?;
        let weight = numbers(&file, &tensors, "linear.weight", &[outputs, inputs])?;
        let bias = if config.bias {
            numbers(&file, &tensors, "linear.bias", &[outputs])?
        } else {
            vec![0.0; outputs]
        };
        Ok(Self {
            inputs,
            outputs,
            weight,
            bias,
            tanh,
        })
    }

    /// Arranges the layer for an instruction set.
    pub(super) fn pack(&self, set: InstructionSet) -> PackedDense {
        PackedDense {
            matrix: PackedMatrix::pack(set, self.inputs, &[(&self.weight, &self.bias)]),
            outputs: self.outputs,
            tanh: self.tanh,
        }
    }
}

impl PackedDense {
    /// The layer's output for one vector.
    pub(super) fn apply(&self, vector: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; self.outputs];
        self.matrix.multiply(vector, &mut out, 1, Finish::Plain, 1);
        if self.tanh {
            out.iter_mut().for_each(|value| *value = value.tanh());
        }
        out
    }
}

/// The file that holds a layer's numbers.
pub(super) fn dense_file(folder: &Path) -> PathBuf {
    FILES
        .iter()
        .map(|name| folder.join(name))
        .find(|path| path.exists())
        .unwrap_or_else(|| folder.join(FILES[0]))
}

/// SHA-256, in hexadecimal, of what the layers of these folders are made of;
/// nothing where there are none.
pub(super) fn dense_sha256(folders: &[PathBuf]) -> Result<Option<String>> {
    let mut sums = Vec::new();
    for folder in folders {
        for path in [folder.join("config.json"), dense_file(folder)] {
            sums.push(of_file(&path)?);
        }
    }
    Ok((!sums.is_empty()).then(|| sha256(sums.concat().as_bytes())))
}

fn numbers(
    file: &Path,
    tensors: &HashMap<String, Tensor>,
    name: &str,
    shape: &[usize],
) -> Result<Vec<f32>> {
    let found = tensors.get(name);
    let Some(tensor) = found.filter(|tensor| tensor.dims() == shape) else {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "{}: `{name}` should have the shape {shape:?} that config.json calls for, but \
                 {}",
                file.display(),
                found.map_or_else(
                    || "is not there".to_owned(),
                    |tensor| format!("has {:?}", tensor.dims())
                )
            ),
        ));
    };
    let values: Vec<f32> = tensor
        .to_dtype(DType::F32)
        .and_then(|tensor| tensor.flatten_all()?.to_vec1())
        .map_err(|error| internal(&error))?;
    match values.iter().position(|value| !value.is_finite()) {
        Some(place) => Err(Error::corrupt(
            file,
            format!("`{name}` holds {} at position {place}", values[place]),
        )),
        None => Ok(values),
    }
}
