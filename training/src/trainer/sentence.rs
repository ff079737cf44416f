//! Lessons on sentence embeddings.

use super::learner::Learner;
use super::lesson::{Lesson, Outcome};
use crate::config::StageConfig;
use crate::data::{Batch, DataSet, DataSpec, Sampler, SamplerSettings, load};
use crate::error::device;
use crate::example::{Example, Label};
use crate::network::{Backbone, Parameters, Tokens, pool, pool_gradient};
use crate::objective::{Labels, Objective, ObjectiveConfig, build};
use candle_core::{D, Device, Tensor, Var};
use medsift::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Tokens of a batch whose passes are kept for the way back; larger batches
/// are computed again.
const KEPT_TOKENS: usize = 1 << 14;

/// Batches of examples under one objective.
pub(super) struct SentenceLesson {
    objective: Box<dyn Objective>,
    sets: Vec<DataSet>,
    sampler: Sampler,
    heads: Parameters,
    epoch: u64,
    step: u64,
    batches: Vec<Batch>,
}

/// Reads a table of a configuration as what it is to be.
pub(super) fn table<T: serde::de::DeserializeOwned>(
    stage: &StageConfig,
    key: &'static str,
    table: &toml::Table,
) -> Result<T> {
    table.clone().try_into().map_err(|error: toml::de::Error| {
        Error::invalid(
            key,
            format!("stage `{}`, `{key}`: {}", stage.name, error.message()),
        )
    })
}

impl SentenceLesson {
    /// Loads the data and builds the objective.
    pub(super) fn new(
        stage: &StageConfig,
        dimension: usize,
        seed: u64,
        on: &Device,
    ) -> Result<Self> {
        let config: ObjectiveConfig = table(stage, "objective", &stage.objective)?;
        let objective = build(&config, dimension, seed)?;
        let sets = stage
            .data
            .iter()
            .map(|data| load(&table::<DataSpec>(stage, "data", data)?))
            .collect::<Result<Vec<_>>>()?;
        for (set, data) in sets.iter().zip(&stage.data) {
            check_columns(&config, objective.columns(), &set.examples, data)?;
        }
        let examples: Vec<&[Example]> = sets.iter().map(|set| &set.examples[..]).collect();
        let settings = SamplerSettings {
            batch_size: stage.batch,
            seed,
            no_duplicates: takes_negatives_from_the_batch(&config),
            drop_last: false,
            mix: stage.mix,
        };
        let sampler = Sampler::new(&examples, settings)?;
        let mut heads = Parameters::new([], on).map_err(device)?;
        for (name, value) in objective.parameters() {
            heads.add(name, value).map_err(device)?;
        }
        let batches = sampler.epoch(0);
        Ok(Self {
            objective,
            sets,
            sampler,
            heads,
            epoch: 0,
            step: 0,
            batches,
        })
    }

    /// The files that were read.
    pub(super) fn sets(&self) -> &[DataSet] {
        &self.sets
    }

    fn next(&mut self) -> Batch {
        if self.step as usize >= self.batches.len() {
            self.epoch += 1;
            self.step = 0;
            self.batches = self.sampler.epoch(self.epoch);
        }
        let batch = self.batches[self.step as usize].clone();
        self.step += 1;
        batch
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
        let columns = (0..self.objective.columns())
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

impl<B: Backbone> Lesson<B> for SentenceLesson {
    fn steps_per_epoch(&self) -> u64 {
        self.sampler.epoch(0).len() as u64
    }

    fn seek(&mut self, epoch: u64, step: u64) -> Result<()> {
        (self.epoch, self.step) = (epoch, step);
        self.batches = self.sampler.epoch(epoch);
        Ok(())
    }

    fn learn(&mut self, learner: &mut Learner<B>, seed: u64) -> Result<(Outcome, u64, u64)> {
        let batch = self.next();
        let set = &self.sets[batch.set];
        let examples: Vec<&Example> = batch.examples.iter().map(|&at| &set.examples[at]).collect();
        let texts: Vec<Arc<str>> = (0..self.objective.columns())
            .flat_map(|column| {
                examples
                    .iter()
                    .map(move |example| example.texts[column].clone())
            })
            .collect();
        let labels = labels(&examples, learner.network.device()).map_err(device)?;
        let ids = learner.tokenise(&texts)?;
        let tokens: usize = ids.iter().map(Vec::len).sum();
        let outcome = |loss| Outcome {
            loss,
            tokens,
            batch: format!("set {}, examples {:?}", batch.set + 1, batch.examples),
            ..Outcome::default()
        };
        let micro = learner.micro_batches(&ids);
        let keep = tokens <= KEPT_TOKENS;
        let mut passes = Vec::new();
        let mut rows = Vec::new();
        for (number, places) in micro.iter().enumerate() {
            let tokens = Tokens::new(places.iter().map(|&at| &ids[at][..]));
            let dropout = learner.dropout(seed, number);
            let (states, pass) = learner.network.forward(&tokens, dropout).map_err(device)?;
            rows.push(pool(&states, &tokens, learner.pooling).map_err(device)?);
            if keep {
                passes.push((tokens, states, pass));
            } else {
                learner.network.forget(pass);
            }
        }
        // From the order of the micro-batches to that of the batch, and back.
        let order: Vec<u32> = micro.iter().flatten().map(|&at| at as u32).collect();
        let mut places = vec![0u32; order.len()];
        for (row, &at) in order.iter().enumerate() {
            places[at as usize] = row as u32;
        }
        let on = learner.network.device().clone();
        let index = |numbers: &[u32]| Tensor::new(numbers, &on);
        let vectors = Tensor::cat(&rows, 0)
            .and_then(|rows| rows.index_select(&index(&places)?, 0))
            .map_err(device)?;
        let (loss, gradient) = self
            .loss(vectors, examples.len(), &labels, learner.normalise)
            .map_err(device)?;
        if !loss.is_finite() {
            return Ok((outcome(loss), self.epoch, self.step));
        }
        let gradient = index(&order)
            .and_then(|order| gradient.contiguous()?.index_select(&order, 0))
            .map_err(device)?;
        let mut first = 0;
        let mut passes = passes.into_iter();
        for (number, places) in micro.iter().enumerate() {
            let (tokens, states, pass) = match passes.next() {
                Some(kept) => kept,
                None => {
                    let tokens = Tokens::new(places.iter().map(|&at| &ids[at][..]));
                    let dropout = learner.dropout(seed, number);
                    let (states, pass) =
                        learner.network.forward(&tokens, dropout).map_err(device)?;
                    (tokens, states, pass)
                }
            };
            gradient
                .narrow(0, first, places.len())
                .and_then(|part| pool_gradient(&part, &states, &tokens, learner.pooling))
                .and_then(|gradient| learner.network.backward(pass, &gradient))
                .map_err(device)?;
            first += places.len();
        }
        Ok((outcome(loss), self.epoch, self.step))
    }

    fn heads(&self) -> &Parameters {
        &self.heads
    }

    fn heads_mut(&mut self) -> &mut Parameters {
        &mut self.heads
    }
}

/// Whether other examples of a batch serve as negatives.
fn takes_negatives_from_the_batch(config: &ObjectiveConfig) -> bool {
    match config {
        ObjectiveConfig::Ranking(_) => true,
        ObjectiveConfig::Matryoshka(outer) => takes_negatives_from_the_batch(&outer.inner),
        _ => false,
    }
}

fn check_columns(
    config: &ObjectiveConfig,
    columns: usize,
    examples: &[Example],
    data: &toml::Table,
) -> Result<()> {
    match examples
        .iter()
        .find(|example| example.texts.len() != columns)
    {
        None => Ok(()),
        Some(example) => Err(Error::new(
            ErrorKind::InvalidInput,
            format!(
                "the objective `{}` takes {columns} text(s) an example, but {} has an example \
                 of {}: \"{}\"",
                config.kind(),
                data.get("files")
                    .map_or_else(String::new, ToString::to_string),
                example.texts.len(),
                example.texts.first().map_or("", |text| text)
            ),
        )),
    }
}

/// The labels of a batch; all of its set are of one kind.
fn labels(examples: &[&Example], on: &Device) -> candle_core::Result<Labels> {
    let mut classes = Vec::new();
    let mut scores = Vec::new();
    let mut lists: Vec<f32> = Vec::new();
    let mut width = 0;
    for example in examples {
        match &example.label {
            Label::None => {}
            Label::Class(class) => classes.push(*class),
            Label::Score(score) => scores.push(*score),
            Label::Scores(list) => {
                width = list.len();
                lists.extend(list);
            }
        }
    }
    let count = examples.len();
    if classes.len() == count {
        Ok(Labels::Classes(classes))
    } else if scores.len() == count {
        Ok(Labels::Scores(scores))
    } else if width > 0 && lists.len() == count * width {
        Ok(Labels::Lists(Tensor::from_vec(lists, (count, width), on)?))
    } else if classes.is_empty() && scores.is_empty() && lists.is_empty() {
        Ok(Labels::None)
    } else {
        candle_core::bail!("the examples of a batch have labels of different kinds")
    }
}
