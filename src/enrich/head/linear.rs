//! A linear layer.

use super::files::Layer;
use crate::error::{Error, ErrorKind, Result};
use candle_core::{DType, Tensor};
use std::collections::HashMap;
use std::path::Path;

/// `W·x + b`.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    /// `inputs × outputs`, so that the inner loop runs over the outputs.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// Takes `NAME.weight`, `outputs × inputs`, and `NAME.bias` out of a file.
    pub(super) fn read(
        path: &Path,
        tensors: &HashMap<String, Tensor>,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self> {
        let weight = format!("{name}.weight");
        let weight = numbers(path, tensors, &weight, &[outputs, inputs])?;
        let bias = numbers(path, tensors, &format!("{name}.bias"), &[outputs])?;
        let mut turned = vec![0.0; weight.len()];
        for (at, value) in weight.into_iter().enumerate() {
            turned[at % inputs * outputs + at / inputs] = value;
        }
        Ok(Self {
            weight: turned,
            bias,
        })
    }

    /// Adds what comes out for a vector behind `out`.
    pub(super) fn apply(&self, vector: &[f32], out: &mut Vec<f32>) {
        let start = out.len();
        out.extend_from_slice(&self.bias);
        let row = &mut out[start..];
        for (value, weights) in vector.iter().zip(self.weight.chunks_exact(row.len())) {
            for (number, weight) in row.iter_mut().zip(weights) {
                *number += value * weight;
            }
        }
    }
}

/// Whether a layer has the shape that its head calls for.
pub(super) fn check_shape(
    name: &str,
    (weight, bias): Layer<'_>,
    outputs: usize,
    inputs: usize,
) -> Result<()> {
    if weight.dims() == [outputs, inputs] && bias.dims() == [outputs] {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Internal,
        format!(
            "the head {name} is not saved: weights of shape {:?} and {:?} do not make {outputs} \
             numbers of {inputs}",
            weight.dims(),
            bias.dims()
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
