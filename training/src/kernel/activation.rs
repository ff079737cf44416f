//! Activations of the feed-forward layer and their gradients.

use super::compiled;
use super::scalar::{normal, sigmoid};
use medsift::encoder::parts::kernel::Activation;

const PDF: f32 = 0.398_942_3;
const TANH_SCALE: f32 = 1.595_769_2;
const TANH_CUBE: f32 = 0.044_715;

#[inline(always)]
fn forward_body(activation: Activation, input: &[f32], output: &mut [f32]) {
    #[inline(always)]
    fn each(input: &[f32], output: &mut [f32], f: impl Fn(f32) -> f32) {
        for (x, y) in input.iter().zip(output) {
            *y = f(*x);
        }
    }
    match activation {
        Activation::Gelu => each(input, output, |x| x * normal(x).0),
        // x/2 (1 + tanh v) = x sigmoid(2v), v = √(2/π) (x + 0.044715 x³)
        Activation::GeluTanh => each(input, output, |x| {
            x * sigmoid(TANH_SCALE * (x + TANH_CUBE * x * x * x))
        }),
        Activation::Relu => each(input, output, |x| x.max(0.0)),
        Activation::Silu => each(input, output, |x| x * sigmoid(x)),
    }
}

#[inline(always)]
fn backward_body(activation: Activation, input: &[f32], gradient: &mut [f32]) {
    #[inline(always)]
    fn each(input: &[f32], gradient: &mut [f32], f: impl Fn(f32) -> f32) {
        for (x, g) in input.iter().zip(gradient) {
            *g *= f(*x);
        }
    }
    match activation {
        Activation::Gelu => each(input, gradient, |x| {
            let (cdf, decay) = normal(x);
            cdf + x * decay * PDF
        }),
        Activation::GeluTanh => each(input, gradient, |x| {
            let s = sigmoid(TANH_SCALE * (x + TANH_CUBE * x * x * x));
            s + x * s * (1.0 - s) * TANH_SCALE * (1.0 + 3.0 * TANH_CUBE * x * x)
        }),
        Activation::Relu => each(input, gradient, |x| if x > 0.0 { 1.0 } else { 0.0 }),
        Activation::Silu => each(input, gradient, |x| {
            let s = sigmoid(x);
            s + x * s * (1.0 - s)
        }),
    }
}

compiled! {
    /// Applies an activation.
    pub(crate) fn forward = forward_body;
    (activation: Activation, input: &[f32], output: &mut [f32])
}

compiled! {
    /// Multiplies a gradient by the activation's derivative at `input`.
    pub(crate) fn backward = backward_body;
    (activation: Activation, input: &[f32], gradient: &mut [f32])
}
