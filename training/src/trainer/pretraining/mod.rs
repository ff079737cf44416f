//! Pre-training: masked tokens and the relation of two segments, the two
//! losses added (Devlin et al. 2019; with citations, Yasunaga et al. 2022).
//!
//! Text is streamed, so memory does not grow with the corpus. A batch is cut
//! into micro-batches, each of which goes forward, through the heads and back
//! at once, since its share in the loss is known before.

mod batches;
mod corpora;
mod model;
mod objective;
mod plan;
mod scores;
#[cfg(test)]
mod tests;

pub use model::{MaskedModel, MaskedModelOptions};
pub(super) use plan::PretrainingPlan;
pub use scores::MaskedScores;
pub(super) use scores::MaskedSet;

use super::learner::Learner;
use super::lesson::{Lesson, Outcome};
use super::sentence::table;
use super::start::Start;
use crate::config::{Length, StageConfig};
use crate::data::Purpose;
use crate::data::corpus::{ArticleSource, CorpusSpec};
use crate::error::device;
use crate::network::head::{Shares, StartHeads, Sums, start_heads, step};
use crate::network::{Backbone, Parameters};
use crate::record::DataRecord;
use batches::{Batches, assemble, micro_batches};
use corpora::Corpora;
use medsift::encoder::parts::Layout;
use medsift::{Error, Result};
use objective::{MaskedObjective, classes};
use std::sync::Arc;

/// Fewest tokens of a sequence: two segments of two, and their frame.
const SHORTEST: usize = 8;

/// Batches of masked sequences.
pub(super) struct PretrainingLesson {
    batches: Batches,
    /// Batches of a pass; 0 where nobody asked.
    steps: u64,
    heads: Parameters,
    fresh: Vec<String>,
    /// Whether there is a relation to learn.
    relation: bool,
    /// Memory of the logits.
    memory: Vec<f32>,
}

impl PretrainingLesson {
    /// Opens a stage's corpora and takes its heads out of the start model.
    ///
    /// # Errors
    /// When a key, a file or a head does not fit.
    pub(super) fn new<B: Backbone>(
        stage: &StageConfig,
        start: &Start,
        learner: &Learner<B>,
        seed: u64,
        articles: Option<ArticleSource>,
    ) -> Result<Self> {
        let objective = objective_of(stage, learner.max_tokens)?;
        let corpora = corpora_of(stage, articles)?;
        let settings = objective.settings(learner.max_tokens, seed);
        let tokenizer = Arc::new(start.read_tokenizer()?);
        let batches = Batches::new(corpora, tokenizer, settings, stage.batch)?;
        let steps = match stage.length() {
            Length::Steps(_) => 0,
            Length::Epochs(_) => batches.count()?,
        };
        let architecture = learner.network.architecture();
        let count = classes(objective.relations);
        let on = learner.network.device();
        let StartHeads {
            mut parameters,
            fresh,
        } = start_heads(architecture, &start.others, count, seed, on)?;
        let layout = Layout::of(architecture);
        parameters.freeze(|name| stage.parameter(name, &layout).frozen);
        Ok(Self {
            batches,
            steps,
            heads: parameters,
            fresh,
            relation: count > 0,
            memory: Vec::new(),
        })
    }

    /// Heads that the start model did not have.
    pub(super) fn fresh(&self) -> &[String] {
        &self.fresh
    }

    /// The files for the run's record.
    ///
    /// # Errors
    /// When one cannot be read.
    pub(super) fn records(&self, stage: &StageConfig) -> Result<Vec<DataRecord>> {
        self.batches.corpora().records(&stage.name)
    }
}

/// What a stage's objective says, for sequences of so many tokens.
fn objective_of(stage: &StageConfig, max_tokens: usize) -> Result<MaskedObjective> {
    if max_tokens < SHORTEST {
        return Err(Error::invalid(
            "max_tokens",
            format!(
                "stage `{}`: `max_tokens` {max_tokens} is too short for masked sequences, which \
                 need {SHORTEST}",
                stage.name
            ),
        ));
    }
    table(stage, "objective", &stage.objective)
}

/// The corpora that a stage names.
fn corpora_of(stage: &StageConfig, articles: Option<ArticleSource>) -> Result<Corpora> {
    let specs = stage
        .data
        .iter()
        .map(|data| table::<CorpusSpec>(stage, "data", data))
        .collect::<Result<Vec<_>>>()?;
    Corpora::new(&specs, stage.mix, Purpose::Training, articles)
}

impl<B: Backbone> Lesson<B> for PretrainingLesson {
    fn steps_per_epoch(&self) -> u64 {
        self.steps
    }

    fn seek(&mut self, epoch: u64, step: u64) -> Result<()> {
        self.batches.seek(epoch, step)
    }

    fn learn(&mut self, learner: &mut Learner<B>, seed: u64) -> Result<(Outcome, u64, u64)> {
        let examples = self.batches.next()?;
        let masked: usize = examples.iter().map(|e| e.masked_labels.len()).sum();
        let one_of = |count: usize| 1.0 / count.max(1) as f64;
        let shares = Shares {
            masked: one_of(masked),
            relation: one_of(examples.len()),
        };
        let segments = learner.network.architecture().token_types > 1;
        let micro = micro_batches(&examples, learner.micro_batch_tokens);
        let mut sums = Sums::default();
        let mut count = 0;
        for (number, places) in micro.iter().enumerate() {
            let (tokens, targets) = assemble(places.iter().map(|&at| &examples[at]), segments);
            count += tokens.len();
            let dropout = learner.dropout(seed, number);
            let network = &mut learner.network;
            let (states, pass) = network.forward(&tokens, dropout).map_err(device)?;
            let memory = &mut self.memory;
            let (part, gradient) =
                step(network, &mut self.heads, &states, &targets, shares, memory)
                    .map_err(device)?;
            sums.add(&part);
            network.backward(pass, &gradient).map_err(device)?;
        }
        let mlm = sums.masked * shares.masked;
        let relation = sums.relation * shares.relation;
        let (epoch, step) = self.batches.place();
        let mut outcome = Outcome {
            loss: mlm + relation,
            tokens: count,
            batch: format!(
                "batch {step} of pass {} over the corpus, {} sequences",
                epoch + 1,
                examples.len()
            ),
            ..Outcome::default()
        };
        outcome.parts.insert("mlm".to_owned(), mlm);
        if self.relation {
            outcome.parts.insert("relation".to_owned(), relation);
        }
        Ok((outcome, epoch, step))
    }

    fn heads(&self) -> &Parameters {
        &self.heads
    }

    fn heads_mut(&mut self) -> &mut Parameters {
        &mut self.heads
    }
}
