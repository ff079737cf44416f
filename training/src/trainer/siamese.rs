//! One network for all texts of a batch, and an objective over their vectors.

use super::learner::Learner;
use crate::error::device;
use crate::network::{Backbone, Parameters, Tokens, pool, pool_gradient};
use crate::objective::{Labels, Objective};
use candle_core::{D, Device, Tensor, Var};
use medsift::Result;
use std::sync::Arc;

/// Tokens of a batch whose passes are kept for the way back; larger batches
/// are computed again.
pub(super) const KEPT_TOKENS: usize = 1 << 14;

/// An objective and its parameters.
pub(super) struct Siamese {
    objective: Box<dyn Objective>,
    /// Parameters of the objective.
    pub(super) heads: Parameters,
    /// [`KEPT_TOKENS`], unless a test says otherwise.
    pub(super) kept_tokens: usize,
}

impl Siamese {
    /// An objective whose parameters live on a device.
    pub(super) fn new(objective: Box<dyn Objective>, on: &Device) -> Result<Self> {
        let mut heads = Parameters::new([], on).map_err(device)?;
        for (name, value) in objective.parameters() {
            heads.add(name, value).map_err(device)?;
        }
        Ok(Self {
            objective,
            heads,
            kept_tokens: KEPT_TOKENS,
        })
    }

    /// The objective itself.
    pub(super) fn objective(&self) -> &dyn Objective {
        &*self.objective
    }

    /// Texts of an example.
    pub(super) fn columns(&self) -> usize {
        self.objective.columns()
    }

    /// Loss of a batch, `columns · examples` texts, column by column, and its
    /// tokens. Where the loss is a number, its gradients are added to those of
    /// the learner and of the heads.
    pub(super) fn learn<B: Backbone>(
        &mut self,
        learner: &mut Learner<B>,
        texts: &[Arc<str>],
        examples: usize,
        labels: &Labels,
        seed: u64,
    ) -> Result<(f64, usize)> {
        let ids = learner.tokenise(texts)?;
        let tokens: usize = ids.iter().map(Vec::len).sum();
        let micro = learner.micro_batches(&ids);
        let keep = tokens <= self.kept_tokens;
        let mut passes = Vec::new();
        let mut rows = Vec::new();
        for (number, places) in micro.iter().enumerate() {
            let (tokens, states, pass) = forward(learner, &ids, places, number, seed)?;
            rows.push(pool(&states, &tokens, learner.pooling).map_err(device)?);
            if keep {
                passes.push((tokens, states, pass));
            } else {
                learner.network.forget(pass);
            }
        }
        let on = learner.network.device().clone();
        let order = Order::new(&micro, &on);
        let vectors = order.restored(&rows).map_err(device)?;
        let (loss, gradient) = self
            .loss(vectors, examples, labels, learner.normalise)
            .map_err(device)?;
        if !loss.is_finite() {
            return Ok((loss, tokens));
        }
        let gradient = order.applied(&gradient).map_err(device)?;
        let mut first = 0;
        let mut passes = passes.into_iter();
        for (number, places) in micro.iter().enumerate() {
            let (tokens, states, pass) = match passes.next() {
                Some(kept) => kept,
                None => forward(learner, &ids, places, number, seed)?,
            };
            gradient
                .narrow(0, first, places.len())
                .and_then(|part| pool_gradient(&part, &states, &tokens, learner.pooling))
                .and_then(|gradient| learner.network.backward(pass, &gradient))
                .map_err(device)?;
            first += places.len();
        }
        Ok((loss, tokens))
    }

    /// Loss of the vectors of a batch, `columns · examples` rows, column by
    /// column; and its gradient at them.
    fn loss(
        &mut self,
        vectors: Tensor,
        examples: usize,
        labels: &Labels,
        normalise: bool,
    ) -> candle_core::Result<(f64, Tensor)> {
        let leaf = Var::from_tensor(&vectors)?;
        let mut vectors = leaf.as_tensor().clone();
        if normalise {
            let length = vectors.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?;
            vectors = vectors.broadcast_div(&length.maximum(1e-12)?)?;
        }
        let columns = (0..self.columns())
            .map(|column| vectors.narrow(0, column * examples, examples))
            .collect::<candle_core::Result<Vec<_>>>()?;
        let loss = self.objective.loss(&columns, labels)?;
        let gradients = loss.backward()?;
        let found: Vec<(String, Tensor)> = self
            .heads
            .iter()
            .filter_map(|p| Some((p.name.clone(), gradients.get(p.value.as_tensor())?.clone())))
            .collect();
        for (name, gradient) in found {
            self.heads.add_gradient(&name, &gradient)?;
        }
        let gradient = match gradients.get(leaf.as_tensor()) {
            Some(gradient) => gradient.clone(),
            None => leaf.zeros_like()?,
        };
        Ok((f64::from(loss.to_scalar::<f32>()?), gradient))
    }
}

/// One micro-batch through the network; the same numbers drop the same.
fn forward<B: Backbone>(
    learner: &mut Learner<B>,
    ids: &[Vec<u32>],
    places: &[usize],
    number: usize,
    seed: u64,
) -> Result<(Tokens, Tensor, B::Pass)> {
    let tokens = Tokens::new(places.iter().map(|&at| &ids[at][..]));
    let dropout = learner.dropout(seed, number);
    let (states, pass) = learner.network.forward(&tokens, dropout).map_err(device)?;
    Ok((tokens, states, pass))
}

/// From the order of the micro-batches to that of the batch, and back.
struct Order<'a> {
    /// The text of each row of the micro-batches.
    texts: Vec<u32>,
    /// The row of each text.
    rows: Vec<u32>,
    on: &'a Device,
}

impl<'a> Order<'a> {
    fn new(micro: &[Vec<usize>], on: &'a Device) -> Self {
        let texts: Vec<u32> = micro.iter().flatten().map(|&at| at as u32).collect();
        let mut rows = vec![0u32; texts.len()];
        for (row, &at) in texts.iter().enumerate() {
            rows[at as usize] = row as u32;
        }
        Self { texts, rows, on }
    }

    /// Rows of the micro-batches in the order of the batch.
    fn restored(&self, rows: &[Tensor]) -> candle_core::Result<Tensor> {
        let index = Tensor::new(&self.rows[..], self.on)?;
        Tensor::cat(rows, 0)?.index_select(&index, 0)
    }

    /// Rows of the batch in the order of the micro-batches.
    fn applied(&self, rows: &Tensor) -> candle_core::Result<Tensor> {
        let index = Tensor::new(&self.texts[..], self.on)?;
        rows.contiguous()?.index_select(&index, 0)
    }
}
