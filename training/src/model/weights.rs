//! A network's weights as one file.

use super::quantise::quantise_rows;
use super::safetensors::{self, Entry, Payload, numbers};
use crate::files::internal;
use candle_core::{DType, Device, Tensor};
use medsift::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Precision in which weights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightFormat {
    /// Four bytes a number, as trained.
    #[default]
    F32,
    /// Two bytes a number.
    F16,
    /// One byte a number in tables and matrices (see
    /// [`quantise_rows`](super::quantise_rows)), four in biases and
    /// normalisation: `NAME` as signed bytes and `NAME.scale` with a factor
    /// for each row. Only medsift reads it, so the file has a name of its
    /// own: other tools would take the bytes for the weights.
    Int8,
}

impl WeightFormat {
    /// The checkpoint's file name.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::F32 | Self::F16 => "model.safetensors",
            Self::Int8 => "model.int8.safetensors",
        }
    }
}

/// Writes named tensors to a checkpoint.
///
/// # Errors
/// When a number is not finite, or too large for the format.
pub(super) fn write_weights<'a>(
    path: &Path,
    weights: impl IntoIterator<Item = (String, &'a Tensor)>,
    format: WeightFormat,
) -> Result<()> {
    let mut entries = Vec::new();
    for (name, tensor) in weights {
        let values = numbers(tensor)?;
        check(&name, &values)?;
        match format {
            WeightFormat::Int8 if tensor.dims().len() > 1 => {
                entries.extend(quantised(&name, tensor.dims(), &values)?);
            }
            WeightFormat::F32 | WeightFormat::Int8 => {
                entries.push(Entry::tensor(name, converted(tensor, DType::F32)?));
            }
            WeightFormat::F16 => {
                let half = converted(tensor, DType::F16)?;
                check(&name, &numbers(&half)?)?;
                entries.push(Entry::tensor(name, half));
            }
        }
    }
    safetensors::write(path, entries)
}

fn quantised(name: &str, shape: &[usize], values: &[f32]) -> Result<[Entry; 2]> {
    let rows = shape.first().copied().unwrap_or(1);
    let quantised = quantise_rows(values, values.len() / rows.max(1));
    let scales =
        Tensor::from_vec(quantised.scales, rows, &Device::Cpu).map_err(|error| internal(&error))?;
    Ok([
        Entry {
            name: name.to_owned(),
            shape: shape.to_vec(),
            payload: Payload::Bytes(quantised.values),
        },
        Entry::tensor(format!("{name}.scale"), scales),
    ])
}

fn converted(tensor: &Tensor, kind: DType) -> Result<Tensor> {
    tensor.to_dtype(kind).map_err(|error| internal(&error))
}

fn check(name: &str, values: &[f32]) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(place) => Err(Error::new(
            ErrorKind::InvalidInput,
            format!(
                "the weights are not saved: `{name}` holds {} at position {place}; go back to \
                 the last good checkpoint, and store in f32 if they were to be f16",
                values[place]
            ),
        )),
    }
}
