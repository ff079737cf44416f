//! Labels of texts: one linear layer over the state of `[CLS]` or the mean of
//! all, as in BERT's sentence classification and BioBERT's relation extraction.
//!
//! A text that is longer than the encoder reads is cut. The loss is the
//! cross-entropy, averaged over the texts of a batch by their weights
//! ([`loss`](super::classifier::loss)).

mod evaluation;
mod head;
mod objective;
#[cfg(test)]
mod tests;

pub(super) use evaluation::LabelledEvaluation;

use super::classifier::loss::ClassLabel;
use super::epochs::Epochs;
use super::headed::{self, Text};
use super::learner::Learner;
use super::lesson::{Lesson, Outcome};
use super::sentence::table;
use super::start::Start;
use crate::config::StageConfig;
use crate::data::labelled::{LabelledSet, LabelledSpec};
use crate::data::{Batch, Purpose, Sampler, SamplerSettings, SourceFile};
use crate::error::device;
use crate::network::{Backbone, Parameters};
use candle_core::Device;
use head::{CLASSIFIER, POOLER};
use medsift::encoder::Adapter;
use medsift::encoder::parts::model_sha256;
use medsift::enrich::TextHead;
use medsift::eval::LabelledText;
use medsift::{Error, Result};
use objective::TextObjective;
use std::path::Path;

/// Batches of labelled texts.
pub(super) struct TextLesson {
    objective: TextObjective,
    /// What each label means for the loss.
    classes: Vec<ClassLabel>,
    sets: Vec<LabelledSet>,
    heads: Parameters,
    /// Whether the pooler begins at random.
    fresh_pooler: bool,
    max_tokens: usize,
    epochs: Epochs,
}

impl TextLesson {
    /// Loads the data and makes the head.
    ///
    /// # Errors
    /// When a key, a file or a label does not fit.
    pub(super) fn new(
        stage: &StageConfig,
        start: &Start,
        max_tokens: usize,
        seed: u64,
        on: &Device,
    ) -> Result<Self> {
        let objective = TextObjective::of(stage)?;
        let sets = stage
            .data
            .iter()
            .map(|data| {
                let spec: LabelledSpec = table(stage, "data", data)?;
                objective.load(&spec, Purpose::Training)
            })
            .collect::<Result<Vec<_>>>()?;
        check_labels(stage, &objective, &sets)?;
        let settings = SamplerSettings {
            batch_size: stage.batch,
            seed,
            mix: stage.mix,
            ..SamplerSettings::default()
        };
        let sizes = sets.iter().map(|set| set.texts.len()).collect();
        let sampler = Sampler::of_sizes(sizes, settings)?;
        let hidden = start.architecture.hidden;
        let (heads, fresh_pooler) =
            head::start(&objective, hidden, &start.others, seed, on).map_err(device)?;
        Ok(Self {
            heads,
            fresh_pooler,
            classes: objective.classes(),
            objective,
            sets,
            max_tokens,
            epochs: Epochs::new(sampler),
        })
    }

    /// Whether the stage asks for a pooler that the start model has not.
    pub(super) fn fresh_pooler(&self) -> bool {
        self.fresh_pooler
    }

    /// Texts of all sets.
    pub(super) fn examples(&self) -> u64 {
        self.sets.iter().map(|set| set.texts.len() as u64).sum()
    }

    /// Steps of one pass.
    pub(super) fn batches(&self) -> u64 {
        self.epochs.per_epoch()
    }

    /// Numbers of the head.
    pub(super) fn head_numbers(&self) -> usize {
        headed::numbers(&self.heads)
    }

    /// Bytes of all texts.
    pub(super) fn text_bytes(&self) -> u64 {
        let texts = self.sets.iter().flat_map(|set| &set.texts);
        let pair = |row: &LabelledText| row.pair.as_ref().map_or(0, String::len);
        texts.map(|row| (row.text.len() + pair(row)) as u64).sum()
    }

    /// The files that were read.
    pub(super) fn sources(&self) -> impl Iterator<Item = &SourceFile> {
        self.sets.iter().flat_map(|set| &set.sources)
    }

    /// Takes the texts of a batch through the network and back; gives the loss
    /// and the tokens.
    fn teach<B: Backbone>(
        &mut self,
        learner: &mut Learner<B>,
        batch: &Batch,
        seed: u64,
    ) -> Result<(f64, usize)> {
        let set = &self.sets[batch.set];
        let rows: Vec<&LabelledText> = batch.examples.iter().map(|&at| &set.texts[at]).collect();
        let labels: Vec<&ClassLabel> = batch
            .examples
            .iter()
            .map(|&at| &self.classes[set.classes[at]])
            .collect();
        let weight: f64 = labels.iter().map(|label| label.weight).sum();
        let share = if weight > 0.0 { 1.0 / weight } else { 0.0 };
        let (tokenizer, most) = (&learner.tokenizer, learner.max_tokens);
        let ids = self.objective.encode(tokenizer, &rows, most)?;
        let texts: Vec<Text<'_>> = ids.iter().map(Text::from).collect();
        let (heads, objective) = (&mut self.heads, &self.objective);
        let (sum, count) =
            headed::teach(learner, &texts, seed, |states, tokens, members, dropout| {
                let own: Vec<&ClassLabel> = members.iter().map(|&at| labels[at]).collect();
                head::step(heads, states, tokens, objective, (&own, share), dropout)
            })?;
        Ok((sum * share, count))
    }
}

/// A label that no set has would never be learnt, and never be wrong.
fn check_labels(
    stage: &StageConfig,
    objective: &TextObjective,
    sets: &[LabelledSet],
) -> Result<()> {
    let occurs = |place: usize| sets.iter().any(|set| set.classes.contains(&place));
    let missing = (0..objective.labels.len()).find(|&place| !occurs(place));
    missing.map_or(Ok(()), |place| {
        Err(Error::invalid(
            "labels",
            format!(
                "stage `{}`: no text of the data has the label {}; add some or remove the label",
                stage.name, objective.labels[place]
            ),
        ))
    })
}

impl<B: Backbone> Lesson<B> for TextLesson {
    fn steps_per_epoch(&self) -> u64 {
        self.batches()
    }

    fn seek(&mut self, epoch: u64, step: u64) -> Result<()> {
        self.epochs.seek(epoch, step);
        Ok(())
    }

    fn learn(&mut self, learner: &mut Learner<B>, seed: u64) -> Result<(Outcome, u64, u64)> {
        let batch = self.epochs.next();
        let (loss, tokens) = self.teach(learner, &batch, seed)?;
        let texts = &self.sets[batch.set].texts;
        let lines: Vec<usize> = batch.examples.iter().map(|&at| texts[at].line).collect();
        let outcome = Outcome {
            loss,
            tokens,
            batch: format!("set {}, texts of the lines {lines:?}", batch.set + 1),
            ..Outcome::default()
        };
        let (epoch, step) = self.epochs.place();
        Ok((outcome, epoch, step))
    }

    fn save_beside(&self, model: &Path, adapter: Option<&Adapter>) -> Result<()> {
        let (weight, bias) = headed::stored(&self.heads, CLASSIFIER)?;
        let pooler = match self.objective.pooler {
            true => Some(headed::stored(&self.heads, POOLER)?),
            false => None,
        };
        let hidden = weight.dims().last().copied().unwrap_or(0);
        let config = self
            .objective
            .head(hidden, self.max_tokens, model_sha256(model)?);
        let pooler = pooler.as_ref().map(|(weight, bias)| (weight, bias));
        let name = &self.objective.name;
        TextHead::write(model, name, &config, (&weight, &bias), pooler, adapter)
    }

    fn heads(&self) -> &Parameters {
        &self.heads
    }

    fn heads_mut(&mut self) -> &mut Parameters {
        &mut self.heads
    }
}
