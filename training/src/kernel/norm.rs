//! Layer normalisation (Ba et al., 2016) over the sum of a residual and a
//! dense layer's output after dropout, forward and backward.

use super::compiled;
use super::dropout::Dropout;

/// What stays the same from row to row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Norm<'a> {
    /// γ.
    pub(crate) scale: &'a [f32],
    /// β.
    pub(crate) shift: &'a [f32],
    /// Added to the variance.
    pub(crate) epsilon: f32,
    /// On what is added to the residual, before normalisation.
    pub(crate) before: Dropout,
    /// On the result.
    pub(crate) after: Dropout,
    /// Number of the first row, for dropout.
    pub(crate) first: usize,
}

#[inline(always)]
fn sum(values: &[f32], f: impl Fn(usize, f32) -> f32) -> f32 {
    // Sixteen sums side by side, for vectors.
    let mut lanes = [0.0f32; 16];
    let (chunks, rest) = values.as_chunks::<16>();
    for (at, chunk) in chunks.iter().enumerate() {
        for lane in 0..16 {
            lanes[lane] += f(at * 16 + lane, chunk[lane]);
        }
    }
    let start = values.len() - rest.len();
    let tail: f32 = rest.iter().enumerate().map(|(i, x)| f(start + i, *x)).sum();
    lanes.iter().sum::<f32>() + tail
}

#[inline(always)]
fn forward_body(
    norm: Norm<'_>,
    residual: Option<&[f32]>,
    states: &mut [f32],
    deviations: &mut [f32],
    output: &mut [f32],
) {
    let width = norm.scale.len();
    let rows = states
        .chunks_exact_mut(width)
        .zip(output.chunks_exact_mut(width));
    for (row, ((states, output), deviation)) in rows.zip(deviations).enumerate() {
        norm.before.apply(norm.first + row, states);
        if let Some(residual) = residual {
            for (x, r) in states
                .iter_mut()
                .zip(&residual[row * width..(row + 1) * width])
            {
                *x += r;
            }
        }
        let mean = sum(states, |_, x| x) / width as f32;
        let variance = sum(states, |_, x| (x - mean) * (x - mean)) / width as f32;
        let factor = 1.0 / (variance + norm.epsilon).sqrt();
        *deviation = factor;
        for i in 0..width {
            let x = (states[i] - mean) * factor;
            states[i] = x;
            output[i] = x * norm.scale[i] + norm.shift[i];
        }
        norm.after.apply(norm.first + row, output);
    }
}

#[inline(always)]
fn backward_body(
    norm: Norm<'_>,
    normalised: &[f32],
    deviations: &[f32],
    gradient: &mut [f32],
    branch: Option<&mut [f32]>,
    scale_gradient: &mut [f32],
    shift_gradient: &mut [f32],
) {
    let width = norm.scale.len();
    let mut branch = branch;
    let rows = gradient
        .chunks_exact_mut(width)
        .zip(normalised.chunks_exact(width));
    for (row, ((gradient, x), factor)) in rows.zip(deviations).enumerate() {
        norm.after.apply(norm.first + row, gradient);
        for i in 0..width {
            scale_gradient[i] += gradient[i] * x[i];
            shift_gradient[i] += gradient[i];
            gradient[i] *= norm.scale[i];
        }
        let mean = sum(gradient, |_, g| g) / width as f32;
        let slope = sum(gradient, |i, g| g * x[i]) / width as f32;
        for i in 0..width {
            gradient[i] = factor * (gradient[i] - mean - x[i] * slope);
        }
        if let Some(branch) = &mut branch {
            let branch = &mut branch[row * width..(row + 1) * width];
            branch.copy_from_slice(gradient);
            norm.before.apply(norm.first + row, branch);
        }
    }
}

compiled! {
    /// Normalises `residual + dropout(states)` row by row into `output`.
    /// `states` then holds the normalised rows before scale and shift,
    /// `deviations` the factor of each row, for the backward pass.
    pub(crate) fn forward = forward_body;
    (norm: Norm<'_>, residual: Option<&[f32]>, states: &mut [f32], deviations: &mut [f32],
     output: &mut [f32])
}

compiled! {
    /// Turns the gradient of the output into that of the sum, in place, and
    /// writes that of the branch before its dropout into `branch`; adds to the
    /// gradients of scale and shift.
    pub(crate) fn backward = backward_body;
    (norm: Norm<'_>, normalised: &[f32], deviations: &[f32], gradient: &mut [f32],
     branch: Option<&mut [f32]>, scale_gradient: &mut [f32], shift_gradient: &mut [f32])
}
