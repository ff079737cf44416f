//! Random start weights.

use crate::files::internal;
use candle_core::{Device, Tensor};
use medsift::Result;
use medsift::encoder::parts::{Architecture, Layout};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// `initializer_range` of BERT.
const DEVIATION: f32 = 0.02;

/// Start weights of an architecture under the names of its [`Layout`], as BERT
/// begins (Devlin et al., 2019): matrices and tables from a normal
/// distribution of deviation 0.02 cut at two deviations, biases 0, layer
/// normalisation 1 and 0.
///
/// The same seed gives the same weights on every machine.
///
/// # Errors
/// When there is no memory for them.
pub fn initialise(architecture: &Architecture, seed: u64) -> Result<HashMap<String, Tensor>> {
    let parameters = Layout::of(architecture).parameters(architecture);
    let mut weights = HashMap::with_capacity(parameters.len());
    for (stream, parameter) in parameters.into_iter().enumerate() {
        let count = parameter.shape.iter().product();
        let numbers = if parameter.shape.len() > 1 {
            // A stream for each parameter: none depends on another's size.
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(stream as u64);
            truncated_normal(&mut random, count, DEVIATION)
        } else if parameter.name.ends_with(".weight") {
            vec![1.0; count]
        } else {
            vec![0.0; count]
        };
        let tensor = Tensor::from_vec(numbers, parameter.shape, &Device::Cpu)
            .map_err(|error| internal(&error))?;
        weights.insert(parameter.name, tensor);
    }
    Ok(weights)
}

/// Numbers from a normal distribution around 0, none further away than two
/// deviations.
pub fn truncated_normal(random: &mut impl Rng, count: usize, deviation: f32) -> Vec<f32> {
    let mut numbers = Vec::with_capacity(count + 1);
    while numbers.len() < count {
        // Box and Muller (1958): two independent numbers at a time. 1 - u is
        // in (0, 1], which has a logarithm.
        let radius = (-2.0 * (1.0 - random.random::<f32>()).ln()).sqrt();
        let angle = std::f32::consts::TAU * random.random::<f32>();
        for number in [radius * angle.cos(), radius * angle.sin()] {
            if number.abs() <= 2.0 {
                numbers.push(number * deviation);
            }
        }
    }
    numbers.truncate(count);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_a_cut_normal_distribution() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let numbers = truncated_normal(&mut random, 200_000, 0.02);
        assert_eq!(numbers.len(), 200_000);
        let count = numbers.len() as f64;
        let mean = numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
        let variance = numbers.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>() / count;
        assert!(numbers.iter().all(|x| x.abs() <= 0.04));
        assert!(mean.abs() < 2e-4, "{mean}");
        // Of a unit normal cut at two deviations: 1 - 4 φ(2) / (2 Φ(2) - 1).
        let expected = 0.02 * 0.773_741_f64.sqrt();
        assert!(
            (variance.sqrt() / expected - 1.0).abs() < 0.01,
            "{variance}"
        );
        let within = numbers.iter().filter(|x| x.abs() < 0.02).count() as f64 / count;
        assert!((within - 0.682_689 / 0.954_500).abs() < 0.01, "{within}");
    }
}
