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
use super::learner::Learner;
use super::lesson::{Lesson, Outcome};
use super::sentence::table;
use super::start::Start;
use crate::config::StageConfig;
use crate::data::labelled::{LabelledSet, LabelledSpec};
use crate::data::{Batch, Purpose, Sampler, SamplerSettings, SourceFile};
use crate::error::device;
use crate::network::{Backbone, Parameters, Tokens};
use candle_core::Device;
use head::{CLASSIFIER, POOLER};
use medsift::encoder::Adapter;
use medsift::encoder::parts::model_sha256;
use medsift::enrich::TextHead;
use medsift::{Error, ErrorKind, Result};
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
                spec.load(&objective.labels, Purpose::Training)
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
        self.heads.iter().map(|head| head.value.elem_count()).sum()
    }

    /// Bytes of all texts.
    pub(super) fn text_bytes(&self) -> u64 {
        let texts = self.sets.iter().flat_map(|set| &set.texts);
        texts.map(|row| row.text.len() as u64).sum()
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
        let texts: Vec<&str> = batch
            .examples
            .iter()
            .map(|&at| &set.texts[at].text[..])
            .collect();
        let labels: Vec<&ClassLabel> = batch
            .examples
            .iter()
            .map(|&at| &self.classes[set.classes[at]])
            .collect();
        let weight: f64 = labels.iter().map(|label| label.weight).sum();
        let share = if weight > 0.0 { 1.0 / weight } else { 0.0 };
        let trains = learner.network.parameters().iter().any(|p| p.trained);
        let ids = learner.tokenise(&texts)?;
        let (mut sum, mut count) = (0.0, 0);
        for (number, members) in learner.micro_batches(&ids).iter().enumerate() {
            let tokens = Tokens::new(members.iter().map(|&at| &ids[at][..]));
            let own: Vec<&ClassLabel> = members.iter().map(|&at| labels[at]).collect();
            count += tokens.len();
            let dropout = learner.dropout(seed, number);
            let network = &mut learner.network;
            let (states, pass) = network.forward(&tokens, dropout).map_err(device)?;
            let labels = (&own[..], share);
            let (heads, objective) = (&mut self.heads, &self.objective);
            let (part, gradient) =
                head::step(heads, &states, &tokens, objective, labels, dropout).map_err(device)?;
            sum += part;
            if trains && part.is_finite() {
                network.backward(pass, &gradient).map_err(device)?;
            } else {
                network.forget(pass);
            }
        }
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
        let mut tensors = self.heads.snapshot().map_err(device)?;
        let mut take = |name: &str| {
            tensors
                .remove(name)
                .ok_or_else(|| Error::new(ErrorKind::Internal, format!("the head lacks `{name}`")))
        };
        let (weight, bias) = (take(CLASSIFIER.weight)?, take(CLASSIFIER.bias)?);
        let pooler = match self.objective.pooler {
            true => Some((take(POOLER.weight)?, take(POOLER.bias)?)),
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
