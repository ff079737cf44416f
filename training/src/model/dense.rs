//! A linear layer behind the pooling, as sentence-transformers reads it.

use super::safetensors::{self, Entry};
use crate::files::{internal, write_json};
use candle_core::{Device, Tensor};
use medsift::Result;
use medsift::encoder::parts::Dense;
use serde_json::json;
use std::path::Path;

/// Writes `config.json` and `model.safetensors` into a folder that is there.
pub(super) fn write_dense(folder: &Path, layer: &Dense) -> Result<()> {
    let bias = layer.bias.iter().any(|&value| value != 0.0);
    let activation = if layer.tanh {
        "torch.nn.modules.activation.Tanh"
    } else {
        "torch.nn.modules.linear.Identity"
    };
    let config = json!({
        "in_features": layer.inputs,
        "out_features": layer.outputs,
        "bias": bias,
        "activation_function": activation,
    });
    write_json(&folder.join("config.json"), &config)?;
    let tensor = |values: &[f32], shape: &[usize]| {
        Tensor::from_vec(values.to_vec(), shape, &Device::Cpu).map_err(|error| internal(&error))
    };
    let shape = [layer.outputs, layer.inputs];
    let mut entries = vec![Entry::tensor(
        "linear.weight",
        tensor(&layer.weight, &shape)?,
    )];
    if bias {
        let bias = tensor(&layer.bias, &[layer.outputs])?;
        entries.push(Entry::tensor("linear.bias", bias));
    }
    safetensors::write(&folder.join("model.safetensors"), entries)
}
