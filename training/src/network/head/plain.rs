//! The head of masked tokens, made of tensor operations.

use super::relation::linear;
use super::{Context, Gradients, Sums, name};
use candle_core::{D, Result, Tensor, Var};
use medsift::encoder::parts::kernel::Activation;

/// Adds the loss of the masked places' states to the sums. With a share, gives
/// the gradient at those states, and those of the parameters to `found`.
pub(super) fn masked(
    context: &Context<'_>,
    rows: &Tensor,
    labels: &[u32],
    share: Option<f64>,
    sums: &mut Sums,
    found: &mut Gradients,
) -> Result<Option<Tensor>> {
    let words = context.network.get(&context.words)?;
    let count = labels.len();
    let piece = (context.room / words.value.dims()[0].max(1)).clamp(1, count);
    let mut back = Vec::new();
    for from in (0..count).step_by(piece) {
        let labels = &labels[from..count.min(from + piece)];
        let leaf = Var::from_tensor(&rows.narrow(0, from, labels.len())?.contiguous()?)?;
        let states = transform(context, leaf.as_tensor())?;
        let bias = &context.heads.get(name::BIAS)?.value;
        let logits = states
            .matmul(&words.value.t()?)?
            .broadcast_add(bias.as_tensor())?;
        let right = logits.detach().argmax(D::Minus1)?.to_vec1::<u32>()?;
        sums.masked_right += right.iter().zip(labels).filter(|(a, b)| a == b).count();
        let chances = candle_nn::ops::log_softmax(&logits, D::Minus1)?;
        let index = Tensor::new(labels, rows.device())?.unsqueeze(1)?;
        let loss = chances.gather(&index, 1)?.sum_all()?.neg()?;
        sums.masked += f64::from(loss.to_scalar::<f32>()?);
        let Some(share) = share else {
            continue;
        };
        let gradients = (loss * share)?.backward()?;
        for parameter in context.heads.iter().chain([words]) {
            if let Some(gradient) = gradients.get(parameter.value.as_tensor())
                && parameter.trained
            {
                found.push((parameter.name.clone(), gradient.clone()));
            }
        }
        let gradient = gradients.get(leaf.as_tensor());
        back.push(gradient.cloned().map_or_else(|| leaf.zeros_like(), Ok)?);
    }
    if share.is_none() {
        return Ok(None);
    }
    Tensor::cat(&back, 0).map(Some)
}

/// Dense layer, activation, layer normalisation.
fn transform(context: &Context<'_>, x: &Tensor) -> Result<Tensor> {
    let wide = linear(context.heads, name::DENSE, x)?;
    let active = match context.activation {
        Activation::Gelu => wide.gelu_erf(),
        Activation::GeluTanh => wide.gelu(),
        Activation::Relu => wide.relu(),
        Activation::Silu => wide.silu(),
    }?;
    let centred = active.broadcast_sub(&active.mean_keepdim(D::Minus1)?)?;
    let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
    let deviation = (variance + f64::from(context.epsilon))?.sqrt()?;
    let scale = &context.heads.get(&format!("{}.weight", name::NORM))?.value;
    let shift = &context.heads.get(&format!("{}.bias", name::NORM))?.value;
    centred
        .broadcast_div(&deviation)?
        .broadcast_mul(scale.as_tensor())?
        .broadcast_add(shift.as_tensor())
}
