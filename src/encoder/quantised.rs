//! Weights in eight bits: `NAME` as signed bytes, and `NAME.scale` with a
//! factor for each row. A number is its byte times its row's factor.

use super::weights::internal;
use crate::{Error, ErrorKind, Result};
use candle_core::safetensors::{BufferedSafetensors, Load};
use candle_core::{DType, Device, Tensor};
use std::path::Path;

/// Behind a parameter's name: its scales.
const SCALE: &str = ".scale";

/// The type of signed bytes in the file's header.
const SIGNED_BYTE: &str = "I8";

/// Reads every tensor of a safetensors file; those in eight bits are brought
/// back to single precision, and their scales are not listed.
pub(super) fn read_safetensors(path: &Path, bytes: Vec<u8>) -> Result<Vec<(String, Tensor)>> {
    let damaged = |error| Error::corrupt(path, error);
    let file = BufferedSafetensors::new(bytes).map_err(damaged)?;
    let views = file.tensors();
    let signed: Vec<&str> = views
        .iter()
        .filter(|(_, view)| view.dtype().to_string() == SIGNED_BYTE)
        .map(|(name, _)| name.as_str())
        .collect();
    let mut tensors = Vec::with_capacity(views.len());
    for (name, view) in &views {
        if name
            .strip_suffix(SCALE)
            .is_some_and(|base| signed.contains(&base))
        {
            continue;
        }
        let tensor = if signed.contains(&name.as_str()) {
            let scales = file.load(&format!("{name}{SCALE}"), &Device::Cpu);
            let scales = scales.map_err(|_| {
                Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "{}: `{name}` is in eight bits, but there are no scales \
                         `{name}{SCALE}`; the file was quantised by another tool",
                        path.display()
                    ),
                )
            })?;
            restore(path, name, view.shape(), view.data(), &scales)?
        } else {
            view.load(&Device::Cpu).map_err(damaged)?
        };
        tensors.push((name.clone(), tensor));
    }
    Ok(tensors)
}

fn restore(
    path: &Path,
    name: &str,
    shape: &[usize],
    bytes: &[u8],
    scales: &Tensor,
) -> Result<Tensor> {
    let rows = shape.first().copied().unwrap_or(1);
    if scales.dims() != [rows] {
        return Err(Error::corrupt(
            path,
            format!(
                "`{name}` has {rows} rows, but its scales have the shape {:?}",
                scales.dims()
            ),
        ));
    }
    let scales: Vec<f32> = scales
        .to_dtype(DType::F32)
        .and_then(|scales| scales.to_vec1())
        .map_err(|error| internal(&error))?;
    let width = bytes.len() / rows.max(1);
    let numbers: Vec<f32> = bytes
        .chunks(width.max(1))
        .zip(&scales)
        .flat_map(|(row, scale)| {
            row.iter()
                .map(move |&byte| f32::from(i8::from_ne_bytes([byte])) * scale)
        })
        .collect();
    Tensor::from_vec(numbers, shape, &Device::Cpu).map_err(|error| Error::corrupt(path, error))
}
