//! The mean of several states.

use crate::files::internal;
use candle_core::{DType, Tensor};
use medsift::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// The mean of each parameter over several states, in single precision.
///
/// # Errors
/// When there is no state, or they differ in names or shapes.
pub fn average(states: &[HashMap<String, Tensor>]) -> Result<HashMap<String, Tensor>> {
    let Some(first) = states.first() else {
        return Err(Error::invalid(
            "checkpoints",
            "there is no state to average",
        ));
    };
    let mut means = HashMap::with_capacity(first.len());
    for (name, tensor) in first {
        let mut sum = single(tensor)?;
        for other in &states[1..] {
            let found = other
                .get(name)
                .filter(|found| found.dims() == tensor.dims());
            let Some(found) = found.filter(|_| other.len() == first.len()) else {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!("the checkpoints are of different models: `{name}` differs"),
                ));
            };
            sum = (sum + single(found)?).map_err(|error| internal(&error))?;
        }
        let mean = (sum / states.len() as f64).map_err(|error| internal(&error))?;
        means.insert(name.clone(), mean);
    }
    Ok(means)
}

fn single(tensor: &Tensor) -> Result<Tensor> {
    tensor
        .to_dtype(DType::F32)
        .map_err(|error| internal(&error))
}
