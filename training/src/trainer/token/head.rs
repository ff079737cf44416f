//! A linear layer over the states of the words' first pieces.

use super::loss::{WordLabel, loss};
use crate::kernel::dropout::Dropout;
use crate::model::truncated_normal;
use crate::network::{DropoutPass, Parameters};
use candle_core::{Device, Result, Tensor};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Names of the parameters.
pub(super) const WEIGHT: &str = "tagger.weight";
pub(super) const BIAS: &str = "tagger.bias";

/// `initializer_range` of BERT.
const DEVIATION: f32 = 0.02;

/// Where the head drops numbers: no place of any network.
const SITE: u64 = 1 << 32;

/// A head with small random weights, the same for the same seed.
pub(super) fn start(tags: usize, hidden: usize, seed: u64, on: &Device) -> Result<Parameters> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let weight = truncated_normal(&mut random, tags * hidden, DEVIATION);
    let weight = Tensor::from_vec(weight, (tags, hidden), &Device::Cpu)?;
    let bias = Tensor::zeros(tags, candle_core::DType::F32, &Device::Cpu)?;
    let named = [(WEIGHT.to_owned(), weight), (BIAS.to_owned(), bias)];
    Parameters::new(named, on)
}

/// Words of a pass: the rows of their first pieces, and what is known of them.
#[derive(Debug, Default)]
pub(super) struct Words<'a> {
    pub(super) rows: Vec<u32>,
    pub(super) labels: Vec<&'a WordLabel>,
}

/// Logits of the tags of some rows, one row behind the other.
pub(super) fn logits(head: &Parameters, states: &Tensor, rows: &[u32]) -> Result<Vec<f32>> {
    let index = Tensor::new(rows, states.device())?;
    numbers(&forward(head, &states.detach().index_select(&index, 0)?)?)
}

/// Adds the gradients of the head, and gives the sum of the words' losses,
/// each times its weight, and the gradient of `share` times that sum at the
/// states, `tokens × hidden`.
pub(super) fn step(
    head: &mut Parameters,
    states: &Tensor,
    words: &Words<'_>,
    share: f64,
    dropout: Option<DropoutPass>,
) -> Result<(f64, Tensor)> {
    if words.rows.is_empty() {
        return Ok((0.0, states.zeros_like()?));
    }
    let index = Tensor::new(&words.rows[..], states.device())?;
    let drop = dropout.map_or(Dropout::OFF, |pass| {
        Dropout::new(pass.seed, SITE, pass.hidden)
    });
    let states = states.detach();
    let rows = dropped(&states.index_select(&index, 0)?, drop)?;
    let logits = numbers(&forward(head, &rows)?)?;
    let mut slopes = Vec::new();
    let sum = loss(&logits, &words.labels, share, &mut slopes);
    let shape = (words.rows.len(), slopes.len() / words.rows.len());
    let slopes = Tensor::from_vec(slopes, shape, states.device())?;
    let back = slopes.matmul(head.get(WEIGHT)?.value.as_tensor())?;
    for (name, gradient) in [
        (WEIGHT, slopes.t()?.contiguous()?.matmul(&rows)?),
        (BIAS, slopes.sum(0)?),
    ] {
        if head.get(name)?.trained {
            head.add_gradient(name, &gradient)?;
        }
    }
    let back = dropped(&back, drop)?;
    Ok((sum, states.zeros_like()?.index_add(&index, &back, 0)?))
}

fn forward(head: &Parameters, rows: &Tensor) -> Result<Tensor> {
    let weight = head.get(WEIGHT)?.value.t()?;
    rows.matmul(&weight)?
        .broadcast_add(head.get(BIAS)?.value.as_tensor())
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

fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor.flatten_all()?.to_vec1::<f32>()
}
