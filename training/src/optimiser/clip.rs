//! The norm of all gradients together.

use crate::network::{Numbers, Parameter};
use candle_core::{DType, Result};
use rayon::prelude::*;

/// Euclidean norm over the gradients of all parameters that the optimiser moves
/// (Pascanu et al., 2013). Not finite when one of the gradients is not.
///
/// # Errors
/// When the device fails.
pub fn gradient_norm<'a>(parameters: impl IntoIterator<Item = &'a Parameter>) -> Result<f64> {
    let mut sum = 0.0;
    for parameter in parameters.into_iter().filter(|p| p.moved) {
        sum += if parameter.gradient.device().is_cpu() {
            let numbers = Numbers::of(&parameter.gradient)?;
            let squares = |part: &[f32]| part.iter().map(|g| f64::from(g * g)).sum::<f64>();
            // Added in order, so that the sum does not depend on which thread
            // was free.
            let parts: Vec<f64> = numbers.par_chunks(1 << 16).map(squares).collect();
            parts.iter().sum()
        } else {
            let squares = parameter.gradient.sqr()?.sum_all()?;
            squares.to_dtype(DType::F64)?.to_scalar::<f64>()?
        };
    }
    Ok(sum.sqrt())
}
