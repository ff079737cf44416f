//! A linear layer that is trained beside the encoder.

use candle_core::{Device, Result, Tensor, Var};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// `x · weightᵀ + bias`.
#[derive(Debug)]
pub(super) struct Linear {
    name: &'static str,
    weight: Var,
    bias: Var,
}

impl Linear {
    /// Starts as PyTorch's `nn.Linear` does: weight and bias uniform between
    /// `±1/√inputs`.
    pub(super) fn new(
        name: &'static str,
        inputs: usize,
        outputs: usize,
        seed: u64,
    ) -> Result<Self> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let bound = 1.0 / (inputs as f32).sqrt();
        let mut draw = |count: usize| -> Vec<f32> {
            (0..count)
                .map(|_| random.random_range(-bound..=bound))
                .collect()
        };
        let (weight, bias) = (draw(inputs * outputs), draw(outputs));
        Ok(Self {
            name,
            weight: Var::from_vec(weight, (outputs, inputs), &Device::Cpu)?,
            bias: Var::from_vec(bias, outputs, &Device::Cpu)?,
        })
    }

    /// `rows × inputs` to `rows × outputs`.
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let weight = self.weight.to_device(x.device())?.to_dtype(x.dtype())?;
        let bias = self.bias.to_device(x.device())?.to_dtype(x.dtype())?;
        x.matmul(&weight.t()?)?.broadcast_add(&bias)
    }

    /// Its inputs.
    pub(super) fn inputs(&self) -> usize {
        self.weight.dims()[1]
    }

    /// `NAME.weight` (`outputs × inputs`) and `NAME.bias` (`outputs`).
    pub(super) fn parameters(&self) -> Vec<(String, Var)> {
        vec![
            (format!("{}.weight", self.name), self.weight.clone()),
            (format!("{}.bias", self.name), self.bias.clone()),
        ]
    }
}
