//! A linear layer over the vector of a text, perhaps behind a pooler.

use super::objective::TextObjective;
use crate::network::{DropoutPass, Parameters, Tokens, pool, pool_gradient};
use crate::trainer::classifier::loss::ClassLabel;
use crate::trainer::classifier::{Layer, numbers};
use candle_core::{Device, Result, Tensor};
use std::collections::HashMap;

/// The layer that gives the labels' scores.
pub(super) const CLASSIFIER: Layer = Layer {
    weight: "classifier.weight",
    bias: "classifier.bias",
};

/// BERT's dense layer with tanh. Its name is not that under which a
/// pre-training keeps its own, which would be stored with the encoder.
pub(super) const POOLER: Layer = Layer {
    weight: "classifier.pooler.weight",
    bias: "classifier.pooler.bias",
};

/// What the start model's checkpoint calls its pooler.
const OF_CHECKPOINT: [&str; 2] = ["pooler.dense.weight", "pooler.dense.bias"];

/// A head, the same for the same seed: small random weights, and for the pooler
/// those of the start model, where `others`, what its checkpoint holds beside
/// the encoder, has them. Says whether the pooler begins at random too.
pub(super) fn start(
    objective: &TextObjective,
    hidden: usize,
    others: &HashMap<String, Tensor>,
    seed: u64,
    on: &Device,
) -> Result<(Parameters, bool)> {
    let mut fresh = false;
    let mut named = Vec::from(CLASSIFIER.start(objective.labels.len(), hidden, seed)?);
    if objective.pooler {
        let stored = OF_CHECKPOINT.map(|name| {
            let found = others.iter().find(|(key, _)| key.ends_with(name));
            found.map(|(_, tensor)| tensor)
        });
        named.extend(match stored {
            [Some(weight), Some(bias)]
                if weight.dims() == [hidden, hidden] && bias.dims() == [hidden] =>
            {
                [
                    (POOLER.weight.to_owned(), weight.clone()),
                    (POOLER.bias.to_owned(), bias.clone()),
                ]
            }
            _ => {
                fresh = true;
                POOLER.start(hidden, hidden, seed ^ 1)?
            }
        });
    }
    Ok((Parameters::new(named, on)?, fresh))
}

/// The vectors of texts before the pooler, and before the classifier.
fn vectors(
    head: &Parameters,
    states: &Tensor,
    tokens: &Tokens,
    objective: &TextObjective,
) -> Result<(Tensor, Tensor)> {
    let pooled = pool(&states.detach(), tokens, objective.pooling())?;
    let vectors = match objective.pooler {
        true => POOLER.forward(head, &pooled)?.tanh()?.detach(),
        false => pooled.clone(),
    };
    Ok((pooled, vectors))
}

/// Logits of the labels of texts, one text behind the other.
pub(super) fn logits(
    head: &Parameters,
    states: &Tensor,
    tokens: &Tokens,
    objective: &TextObjective,
) -> Result<Vec<f32>> {
    let (_, vectors) = vectors(head, states, tokens, objective)?;
    numbers(&CLASSIFIER.forward(head, &vectors)?)
}

/// Adds the gradients of the head, and gives the sum of the texts' losses,
/// each times its weight, and the gradient of `share` times that sum at the
/// states, `tokens × hidden`. There is at least one text.
pub(super) fn step(
    head: &mut Parameters,
    states: &Tensor,
    tokens: &Tokens,
    objective: &TextObjective,
    (labels, share): (&[&ClassLabel], f64),
    dropout: Option<DropoutPass>,
) -> Result<(f64, Tensor)> {
    let (pooled, vectors) = vectors(head, states, tokens, objective)?;
    let (sum, mut back) = CLASSIFIER.step(head, &vectors, labels, share, dropout)?;
    if objective.pooler {
        // tanh' = 1 − tanh²
        let slopes = (back * vectors.sqr()?.affine(-1.0, 1.0)?)?;
        back = POOLER.backward(head, &pooled, &slopes)?;
    }
    let back = pool_gradient(&back, states, tokens, objective.pooling())?;
    Ok((sum, back))
}
