//! A linear layer over the states of the words' first pieces.

use crate::network::{DropoutPass, Parameters};
use crate::trainer::classifier::loss::ClassLabel;
use crate::trainer::classifier::{Layer, numbers};
use candle_core::{Device, Result, Tensor};

/// Names of the parameters.
pub(super) const TAGGER: Layer = Layer {
    weight: "tagger.weight",
    bias: "tagger.bias",
};

/// A head with small random weights, the same for the same seed.
pub(super) fn start(tags: usize, hidden: usize, seed: u64, on: &Device) -> Result<Parameters> {
    Parameters::new(TAGGER.start(tags, hidden, seed)?, on)
}

/// Words of a pass: the rows of their first pieces, and what is known of them.
#[derive(Debug, Default)]
pub(super) struct Words<'a> {
    pub(super) rows: Vec<u32>,
    pub(super) labels: Vec<&'a ClassLabel>,
}

/// Logits of the tags of some rows, one row behind the other.
pub(super) fn logits(head: &Parameters, states: &Tensor, rows: &[u32]) -> Result<Vec<f32>> {
    let index = Tensor::new(rows, states.device())?;
    let rows = states.detach().index_select(&index, 0)?;
    numbers(&TAGGER.forward(head, &rows)?)
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
    let rows = states.detach().index_select(&index, 0)?;
    let (sum, back) = TAGGER.step(head, &rows, &words.labels, share, dropout)?;
    Ok((sum, states.zeros_like()?.index_add(&index, &back, 0)?))
}
