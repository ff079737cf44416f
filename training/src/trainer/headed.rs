//! What lessons of heads over an encoder's states have in common: tags of
//! words, labels of texts, answers.

use super::classifier::Layer;
use super::learner::Learner;
use crate::data::buckets;
use crate::error::device;
use crate::network::{Backbone, DropoutPass, Parameters, Tokens};
use candle_core::Tensor;
use medsift::encoder::parts::PairIds;
use medsift::{Error, ErrorKind, Result};

/// What the network reads at once, special tokens included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    ids: &'a [u32],
    /// The place of the first token that is of the second segment.
    second: usize,
}

impl<'a> From<&'a [u32]> for Text<'a> {
    fn from(ids: &'a [u32]) -> Self {
        let second = ids.len();
        Self { ids, second }
    }
}

impl<'a> From<&'a PairIds> for Text<'a> {
    fn from(pair: &'a PairIds) -> Self {
        Self {
            ids: &pair.ids,
            second: pair.second,
        }
    }
}

/// The texts at these places, one behind the other. A network that knows one
/// segment gets all tokens in it.
fn tokens(texts: &[Text<'_>], members: &[usize], segments: bool) -> Tokens {
    let mut tokens = Tokens::default();
    for text in members.iter().map(|&at| texts[at]) {
        let places = 0..text.ids.len();
        let types = (segments && text.second < text.ids.len()).then(|| {
            places
                .map(|at| u32::from(at >= text.second))
                .collect::<Vec<_>>()
        });
        tokens.push(text.ids, types.as_deref());
    }
    tokens
}

/// Micro-batches of like lengths, and whether the network knows segments.
fn micro_batches<B: Backbone>(learner: &Learner<B>, texts: &[Text<'_>]) -> (Vec<Vec<usize>>, bool) {
    let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
    let segments = learner.network.architecture().token_types > 1;
    (buckets(&lengths, learner.micro_batch_tokens), segments)
}

/// Takes the texts of a batch through the network and back, in micro-batches.
/// `step` gets the states, the tokens and the places of the texts of one; it
/// adds the head's gradients, and gives the sum of the losses and the gradient
/// at the states. Gives the sum over all, and the number of tokens.
pub(super) fn teach<B: Backbone>(
    learner: &mut Learner<B>,
    texts: &[Text<'_>],
    seed: u64,
    mut step: impl FnMut(
        &Tensor,
        &Tokens,
        &[usize],
        Option<DropoutPass>,
    ) -> candle_core::Result<(f64, Tensor)>,
) -> Result<(f64, usize)> {
    let trains = learner.network.parameters().iter().any(|p| p.trained);
    let (mut sum, mut count) = (0.0, 0);
    let (batches, segments) = micro_batches(learner, texts);
    for (number, members) in batches.iter().enumerate() {
        let tokens = tokens(texts, members, segments);
        count += tokens.len();
        let dropout = learner.dropout(seed, number);
        let network = &mut learner.network;
        let (states, pass) = network.forward(&tokens, dropout).map_err(device)?;
        let (part, gradient) = step(&states, &tokens, members, dropout).map_err(device)?;
        sum += part;
        if trains && part.is_finite() {
            network.backward(pass, &gradient).map_err(device)?;
        } else {
            network.forget(pass);
        }
    }
    Ok((sum, count))
}

/// Runs texts through the network without dropout. `each` gets the states, the
/// tokens and the places of the texts of a micro-batch.
pub(super) fn evaluate<B: Backbone>(
    learner: &mut Learner<B>,
    texts: &[Text<'_>],
    mut each: impl FnMut(&Tensor, &Tokens, &[usize]) -> candle_core::Result<()>,
) -> Result<()> {
    let (batches, segments) = micro_batches(learner, texts);
    for members in &batches {
        let tokens = tokens(texts, members, segments);
        let states = learner.network.evaluate(&tokens).map_err(device)?;
        each(&states, &tokens, members).map_err(device)?;
    }
    Ok(())
}

/// Numbers of a head.
pub(super) fn numbers(heads: &Parameters) -> usize {
    heads.iter().map(|head| head.value.elem_count()).sum()
}

/// Weights and biases of a layer of a head, as they are stored.
pub(super) fn stored(heads: &Parameters, layer: Layer) -> Result<(Tensor, Tensor)> {
    let mut tensors = heads.snapshot().map_err(device)?;
    let mut take = |name: &str| {
        tensors
            .remove(name)
            .ok_or_else(|| Error::new(ErrorKind::Internal, format!("the head lacks `{name}`")))
    };
    Ok((take(layer.weight)?, take(layer.bias)?))
}
