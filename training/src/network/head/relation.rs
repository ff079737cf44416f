//! The relation of two segments.

use super::{Gradients, Sums, name};
use crate::network::Parameters;
use candle_core::{D, Result, Tensor, Var, bail};

/// Adds the loss of the texts' first states to the sums. With a share, gives
/// the gradient at those states, and those of the layers to `found`.
pub(super) fn loss(
    heads: &Parameters,
    rows: &Tensor,
    relations: &[u32],
    share: Option<f64>,
    sums: &mut Sums,
    found: &mut Gradients,
) -> Result<Option<Tensor>> {
    let leaf = Var::from_tensor(rows)?;
    let pooled = linear(heads, name::POOLER, leaf.as_tensor())?.tanh()?;
    let logits = linear(heads, name::RELATION, &pooled)?;
    let (count, classes) = logits.dims2()?;
    if relations.len() != count || relations.iter().any(|&class| class as usize >= classes) {
        bail!("a relation among {classes} for each of {count} texts");
    }
    let labels = Tensor::new(relations, rows.device())?;
    let chances = candle_nn::ops::log_softmax(&logits, D::Minus1)?;
    let loss = chances.gather(&labels.unsqueeze(1)?, 1)?.sum_all()?.neg()?;
    sums.relation += f64::from(loss.to_scalar::<f32>()?);
    let likeliest = chances.argmax(D::Minus1)?.to_vec1::<u32>()?;
    sums.relation_right += likeliest
        .iter()
        .zip(relations)
        .filter(|(a, b)| a == b)
        .count();
    let Some(share) = share else {
        return Ok(None);
    };
    let gradients = (loss * share)?.backward()?;
    for module in [name::POOLER, name::RELATION] {
        for part in ["weight", "bias"] {
            let name = format!("{module}.{part}");
            let parameter = heads.get(&name)?;
            if let Some(gradient) = gradients.get(parameter.value.as_tensor()) {
                found.push((name, gradient.clone()));
            }
        }
    }
    gradients
        .get(leaf.as_tensor())
        .cloned()
        .map_or_else(|| leaf.zeros_like(), Ok)
        .map(Some)
}

/// `x · weightᵀ + bias`.
pub(super) fn linear(heads: &Parameters, module: &str, x: &Tensor) -> Result<Tensor> {
    let weight = &heads.get(&format!("{module}.weight"))?.value;
    let bias = &heads.get(&format!("{module}.bias"))?.value;
    x.matmul(&weight.t()?)?.broadcast_add(bias.as_tensor())
}
