//! The optimiser's update of one parameter.

use super::compiled;

/// Numbers of one AdamW step (Loshchilov and Hutter, 2019).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AdamStep {
    /// Learning rate.
    pub(crate) rate: f32,
    /// Decay of the first moment.
    pub(crate) beta1: f32,
    /// Decay of the second moment.
    pub(crate) beta2: f32,
    /// Added to the root of the second moment.
    pub(crate) epsilon: f32,
    /// Decoupled weight decay.
    pub(crate) decay: f32,
    /// `1 - beta1^t`.
    pub(crate) correction1: f32,
    /// `1 - beta2^t`.
    pub(crate) correction2: f32,
    /// What gradients are multiplied by first (clipping, accumulation).
    pub(crate) scale: f32,
}

#[inline(always)]
fn adam_body(
    step: AdamStep,
    parameter: &mut [f32],
    gradient: &[f32],
    first: &mut [f32],
    second: &mut [f32],
) {
    let keep = 1.0 - step.rate * step.decay;
    let size = step.rate / step.correction1;
    let root = 1.0 / step.correction2.sqrt();
    let moments = first.iter_mut().zip(second);
    for ((p, g), (m, v)) in parameter.iter_mut().zip(gradient).zip(moments) {
        let g = g * step.scale;
        *m = step.beta1 * *m + (1.0 - step.beta1) * g;
        *v = step.beta2 * *v + (1.0 - step.beta2) * g * g;
        *p = *p * keep - size * *m / (v.sqrt() * root + step.epsilon);
    }
}

compiled! {
    /// One AdamW step.
    pub(crate) fn adam = adam_body;
    (step: AdamStep, parameter: &mut [f32], gradient: &[f32], first: &mut [f32],
     second: &mut [f32])
}
