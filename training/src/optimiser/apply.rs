//! What a step does once the gradients are there.

use super::{AdamW, gradient_norm};
use crate::network::{Backbone, Parameters};
use candle_core::Result;

/// Norm of the gradients of a network and of the weights beside it.
///
/// # Errors
/// When the device fails.
pub fn norm_of<B: Backbone>(network: &B, heads: &Parameters) -> Result<f64> {
    gradient_norm(network.parameters().iter().chain(heads.iter()))
}

/// Ends a step: shortens the gradients, whose norm is `norm`, to `clip` (0 for
/// no limit; Pascanu et al., 2013), lets the optimiser move the parameters of
/// the network and of the weights beside it, and clears the gradients. `group`
/// gives, for a parameter's name, its learning rate and its weight decay.
///
/// # Errors
/// When the device fails.
pub fn apply<B: Backbone>(
    optimiser: &mut AdamW,
    (network, heads): (&mut B, &mut Parameters),
    (norm, clip): (f64, f64),
    group: impl Fn(&str) -> (f64, f64),
) -> Result<()> {
    let scale = if clip > 0.0 {
        // PyTorch's `clip_grad_norm_` adds the same small number.
        (clip / (norm + 1e-6)).min(1.0)
    } else {
        1.0
    };
    let all = network.parameters().iter().chain(heads.iter());
    optimiser.step(all, group, scale)?;
    network.parameters_mut().clear_gradients()?;
    network.values_changed();
    heads.clear_gradients()
}
