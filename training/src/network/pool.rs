//! From states of tokens to vectors of texts, and back.

use super::{Numbers, Tokens};
use candle_core::{Device, Result, Tensor};
use medsift::encoder::Pooling;

/// A vector for each text, `texts × hidden`, from `tokens × hidden` states.
///
/// # Errors
/// When the device fails.
pub fn pool(states: &Tensor, tokens: &Tokens, pooling: Pooling) -> Result<Tensor> {
    let (_, hidden) = states.dims2()?;
    let device = states.device().clone();
    let states = states.to_device(&Device::Cpu)?;
    let states = Numbers::of(&states)?;
    let mut vectors = vec![0.0; tokens.texts() * hidden];
    for (bounds, vector) in tokens
        .bounds()
        .windows(2)
        .zip(vectors.chunks_exact_mut(hidden))
    {
        let rows = states[bounds[0] * hidden..bounds[1] * hidden].chunks_exact(hidden);
        let count = rows.len() as f32;
        match pooling {
            Pooling::Cls => vector.copy_from_slice(rows.clone().next().unwrap_or(&[])),
            Pooling::Mean => rows.for_each(|row| {
                vector
                    .iter_mut()
                    .zip(row)
                    .for_each(|(v, x)| *v += x / count);
            }),
            Pooling::Max => {
                vector.fill(f32::MIN);
                rows.for_each(|row| {
                    vector.iter_mut().zip(row).for_each(|(v, x)| *v = v.max(*x));
                });
            }
        }
    }
    Tensor::from_vec(vectors, (tokens.texts(), hidden), &device)
}

/// The states' gradient, `tokens × hidden`, from that of the texts' vectors.
///
/// # Errors
/// When the device fails.
pub fn pool_gradient(
    gradient: &Tensor,
    states: &Tensor,
    tokens: &Tokens,
    pooling: Pooling,
) -> Result<Tensor> {
    let (_, hidden) = gradient.dims2()?;
    let device = gradient.device().clone();
    let gradient = gradient.to_device(&Device::Cpu)?.contiguous()?;
    let gradient = Numbers::of(&gradient)?;
    let states = states.to_device(&Device::Cpu)?;
    let states = Numbers::of(&states)?;
    let mut back = vec![0.0; tokens.len() * hidden];
    for (bounds, vector) in tokens
        .bounds()
        .windows(2)
        .zip(gradient.chunks_exact(hidden))
    {
        let range = bounds[0] * hidden..bounds[1] * hidden;
        let rows = back[range.clone()].chunks_exact_mut(hidden);
        let count = rows.len() as f32;
        match pooling {
            Pooling::Cls => {
                if let Some(row) = rows.into_iter().next() {
                    row.copy_from_slice(vector);
                }
            }
            Pooling::Mean => rows.into_iter().for_each(|row| {
                row.iter_mut().zip(vector).for_each(|(x, v)| *x = v / count);
            }),
            Pooling::Max => {
                let states = &states[range];
                let back = &mut back[bounds[0] * hidden..bounds[1] * hidden];
                for (column, v) in vector.iter().enumerate() {
                    // The first of equals, as PyTorch has it.
                    let mut best = column;
                    for at in (column..states.len()).step_by(hidden) {
                        if states[at] > states[best] {
                            best = at;
                        }
                    }
                    back[best] = *v;
                }
            }
        }
    }
    Tensor::from_vec(back, (tokens.len(), hidden), &device)
}
