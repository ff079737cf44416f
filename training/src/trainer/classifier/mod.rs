//! A linear layer over vectors, with the loss of classes: what heads of words
//! and of texts have in common.

pub(super) mod loss;

use crate::kernel::dropout::Dropout;
use crate::model::truncated_normal;
use crate::network::{DropoutPass, Parameters};
use candle_core::{DType, Device, Result, Tensor};
use loss::{ClassLabel, loss};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Names of a layer's parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layer {
    /// `outputs × inputs`.
    pub(super) weight: &'static str,
    /// A number for each output.
    pub(super) bias: &'static str,
}

/// `initializer_range` of BERT.
const DEVIATION: f32 = 0.02;

/// Where a head drops numbers: no place of any network.
const SITE: u64 = 1 << 32;

impl Layer {
    /// Small random weights, the same for the same seed, and no bias.
    pub(super) fn start(
        self,
        outputs: usize,
        inputs: usize,
        seed: u64,
    ) -> Result<[(String, Tensor); 2]> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let weight = truncated_normal(&mut random, outputs * inputs, DEVIATION);
        let weight = Tensor::from_vec(weight, (outputs, inputs), &Device::Cpu)?;
        let bias = Tensor::zeros(outputs, DType::F32, &Device::Cpu)?;
        Ok([
            (self.weight.to_owned(), weight),
            (self.bias.to_owned(), bias),
        ])
    }

    /// What comes out for vectors, `vectors × inputs`.
    pub(super) fn forward(self, head: &Parameters, vectors: &Tensor) -> Result<Tensor> {
        let weight = head.get(self.weight)?.value.t()?;
        vectors
            .matmul(&weight)?
            .broadcast_add(head.get(self.bias)?.value.as_tensor())
    }

    /// Adds the layer's gradients, given those of what came out, and gives
    /// those of the vectors.
    pub(super) fn backward(
        self,
        head: &mut Parameters,
        vectors: &Tensor,
        slopes: &Tensor,
    ) -> Result<Tensor> {
        let back = slopes.matmul(head.get(self.weight)?.value.as_tensor())?;
        for (name, gradient) in [
            (self.weight, slopes.t()?.contiguous()?.matmul(vectors)?),
            (self.bias, slopes.sum(0)?),
        ] {
            if head.get(name)?.trained {
                head.add_gradient(name, &gradient)?;
            }
        }
        Ok(back)
    }

    /// Adds the layer's gradients, and gives the sum of the losses of vectors,
    /// each times its weight, and the gradient of `share` times that sum at the
    /// vectors, `vectors × inputs`. There is at least one vector.
    pub(super) fn step(
        self,
        head: &mut Parameters,
        vectors: &Tensor,
        labels: &[&ClassLabel],
        share: f64,
        dropout: Option<DropoutPass>,
    ) -> Result<(f64, Tensor)> {
        let drop = dropout.map_or(Dropout::OFF, |pass| {
            Dropout::new(pass.seed, SITE, pass.hidden)
        });
        let rows = dropped(vectors, drop)?;
        let logits = numbers(&self.forward(head, &rows)?)?;
        let mut slopes = Vec::new();
        let sum = loss(&logits, labels, share, &mut slopes);
        let shape = (labels.len(), slopes.len() / labels.len().max(1));
        let slopes = Tensor::from_vec(slopes, shape, vectors.device())?;
        let back = self.backward(head, &rows, &slopes)?;
        Ok((sum, dropped(&back, drop)?))
    }
}

/// Rows with some numbers dropped and the others scaled.
fn dropped(rows: &Tensor, drop: Dropout) -> Result<Tensor> {
    if !drop.is_on() {
        return Ok(rows.clone());
    }
    let (_, hidden) = rows.dims2()?;
    let mut values = numbers(rows)?;
    for (row, values) in values.chunks_exact_mut(hidden).enumerate() {
        drop.apply(row, values);
    }
    Tensor::from_vec(values, rows.shape(), rows.device())
}

/// All numbers of a tensor, row by row.
pub(super) fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor.flatten_all()?.to_vec1::<f32>()
}
