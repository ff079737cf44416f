//! Tags of words: named entities (as in BERT and BioBERT, a single linear
//! layer over the last states).
//!
//! A word is labelled on its first piece; later pieces and special tokens are
//! no part of the loss. A sentence that is longer than the encoder reads is
//! read in overlapping windows, and each word is learnt in one of them. The
//! loss is the mean over the words of a batch, by their weights ([`loss`](super::classifier::loss)).

mod evaluation;
mod head;
mod objective;
#[cfg(test)]
mod tests;

pub(super) use evaluation::TaggedEvaluation;

use super::classifier::loss::ClassLabel;
use super::epochs::Epochs;
use super::headed::{self, Text};
use super::learner::Learner;
use super::lesson::{Lesson, Outcome};
use super::sentence::table;
use crate::config::StageConfig;
use crate::data::tagged::{TaggedSet, TaggedSpec};
use crate::data::{Batch, Purpose, Sampler, SamplerSettings, SourceFile};
use crate::error::device;
use crate::network::{Backbone, Parameters};
use candle_core::Device;
use head::{TAGGER, Words};
use medsift::encoder::Adapter;
use medsift::encoder::parts::{Tokenizer, model_sha256};
use medsift::enrich::{Reader, Reading, TagSet, TokenHead, TokenHeadConfig};
use medsift::{Error, Result};
use objective::TokenObjective;
use std::collections::HashMap;
use std::path::Path;

/// Batches of tagged sentences.
pub(super) struct TokenLesson {
    /// Name of the head.
    name: String,
    tags: TagSet,
    sets: Vec<LabelledSet>,
    /// What the words of all sets are labelled with, each once.
    labels: Vec<ClassLabel>,
    heads: Parameters,
    max_tokens: usize,
    epochs: Epochs,
}

/// A set whose tags are places in [`TokenLesson::labels`].
struct LabelledSet {
    set: TaggedSet,
    labels: Vec<Vec<u32>>,
}

impl TokenLesson {
    /// Loads the data and makes the head.
    ///
    /// # Errors
    /// When a key, a file or a type does not fit.
    pub(super) fn new(
        stage: &StageConfig,
        hidden: usize,
        max_tokens: usize,
        seed: u64,
        on: &Device,
    ) -> Result<Self> {
        let (objective, tags) = TokenObjective::of(stage)?;
        let mut labels = Vec::new();
        let sets = stage
            .data
            .iter()
            .map(|data| {
                let spec: TaggedSpec = table(stage, "data", data)?;
                let set = spec.load(&tags, Purpose::Training)?;
                LabelledSet::new(set, &objective, &tags, &mut labels)
            })
            .collect::<Result<Vec<_>>>()?;
        check_types(stage, &tags, &sets)?;
        let settings = SamplerSettings {
            batch_size: stage.batch,
            seed,
            mix: stage.mix,
            ..SamplerSettings::default()
        };
        let sizes = sets.iter().map(|set| set.labels.len()).collect();
        let sampler = Sampler::of_sizes(sizes, settings)?;
        Ok(Self {
            name: objective.name,
            heads: head::start(tags.len(), hidden, seed, on).map_err(device)?,
            tags,
            sets,
            labels,
            max_tokens,
            epochs: Epochs::new(sampler),
        })
    }

    /// Sentences of all sets.
    pub(super) fn examples(&self) -> u64 {
        self.sets.iter().map(|set| set.labels.len() as u64).sum()
    }

    /// Steps of one pass.
    pub(super) fn batches(&self) -> u64 {
        self.epochs.per_epoch()
    }

    /// Numbers of the head.
    pub(super) fn head_numbers(&self) -> usize {
        headed::numbers(&self.heads)
    }

    /// Bytes of all words.
    pub(super) fn text_bytes(&self) -> u64 {
        let sentences = self.sets.iter().flat_map(|set| &set.set.sentences);
        let words = sentences.flat_map(|sentence| &sentence.words);
        words.map(|word| word.len() as u64).sum()
    }

    /// The files that were read.
    pub(super) fn sources(&self) -> impl Iterator<Item = &SourceFile> {
        self.sets.iter().flat_map(|set| &set.set.sources)
    }

    /// Takes the sentences of a batch through the network and back; gives the
    /// loss and the tokens.
    fn teach<B: Backbone>(
        &mut self,
        learner: &mut Learner<B>,
        batch: &Batch,
        seed: u64,
    ) -> Result<(f64, usize)> {
        let set = &self.sets[batch.set];
        let windows = windows(set, &batch.examples, &learner.tokenizer, self.max_tokens)?;
        let places = windows.iter().flat_map(LabelledWindow::places);
        let weight: f64 = places.map(|(_, label)| self.labels[label].weight).sum();
        let share = if weight > 0.0 { 1.0 / weight } else { 0.0 };
        let texts: Vec<Text<'_>> = windows
            .iter()
            .map(|window| Text::from(&window.reading.ids[..]))
            .collect();
        let (heads, labels) = (&mut self.heads, &self.labels);
        let (sum, count) =
            headed::teach(learner, &texts, seed, |states, tokens, members, dropout| {
                let mut words = Words::default();
                for (&at, &first) in members.iter().zip(tokens.bounds()) {
                    for (row, label) in windows[at].places() {
                        words.rows.push(first as u32 + row);
                        words.labels.push(&labels[label]);
                    }
                }
                head::step(heads, states, &words, share, dropout)
            })?;
        Ok((sum * share, count))
    }
}

/// The windows of some sentences of a set.
fn windows<'a>(
    set: &'a LabelledSet,
    examples: &[usize],
    tokenizer: &Tokenizer,
    max_tokens: usize,
) -> Result<Vec<LabelledWindow<'a>>> {
    let reader = Reader::new(tokenizer, max_tokens)?;
    let mut windows = Vec::new();
    for &example in examples {
        for reading in reader.read_words(&set.set.sentences[example].words)? {
            let labels = &set.labels[example][reading.own.clone()];
            windows.push(LabelledWindow { reading, labels });
        }
    }
    Ok(windows)
}

/// A window of a sentence, and the labels of its own words.
struct LabelledWindow<'a> {
    reading: Reading,
    labels: &'a [u32],
}

impl LabelledWindow<'_> {
    /// For each word with a piece the row of the first, and the word's label.
    fn places(&self) -> impl Iterator<Item = (u32, usize)> {
        let rows = self.reading.rows.iter().zip(self.labels);
        rows.filter_map(|(row, label)| Some(((*row)?, *label as usize)))
    }
}

impl LabelledSet {
    fn new(
        set: TaggedSet,
        objective: &TokenObjective,
        tags: &TagSet,
        labels: &mut Vec<ClassLabel>,
    ) -> Result<Self> {
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut own = Vec::with_capacity(set.sentences.len());
        for sentence in &set.sentences {
            let mut line = Vec::with_capacity(sentence.tags.len());
            for tag in &sentence.tags {
                let place = match known.get(tag.as_str()) {
                    Some(place) => *place,
                    None => {
                        let label = objective.label(tags, &set.types, tag)?;
                        let same = labels.iter().position(|one| *one == label);
                        let place = same.unwrap_or(labels.len());
                        if same.is_none() {
                            labels.push(label);
                        }
                        known.insert(tag, place as u32);
                        place as u32
                    }
                };
                line.push(place);
            }
            own.push(line);
        }
        Ok(Self { set, labels: own })
    }
}

/// A type that no set labels would never be learnt, and never be wrong.
fn check_types(stage: &StageConfig, tags: &TagSet, sets: &[LabelledSet]) -> Result<()> {
    let unknown =
        (0..tags.types().len()).find(|&kind| !sets.iter().any(|s| s.set.types.knows(kind)));
    unknown.map_or(Ok(()), |kind| {
        Err(Error::invalid(
            "types",
            format!(
                "stage `{}`: no data set labels the type {}; add one or remove the type",
                stage.name,
                tags.types()[kind]
            ),
        ))
    })
}

impl<B: Backbone> Lesson<B> for TokenLesson {
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
        let sentences = &self.sets[batch.set].set.sentences;
        let lines: Vec<usize> = batch
            .examples
            .iter()
            .map(|&at| sentences[at].line)
            .collect();
        let outcome = Outcome {
            loss,
            tokens,
            batch: format!("set {}, sentences of the lines {lines:?}", batch.set + 1),
            ..Outcome::default()
        };
        let (epoch, step) = self.epochs.place();
        Ok((outcome, epoch, step))
    }

    fn save_beside(&self, model: &Path, adapter: Option<&Adapter>) -> Result<()> {
        let (weight, bias) = headed::stored(&self.heads, TAGGER)?;
        let hidden = weight.dims().last().copied().unwrap_or(0);
        let encoder = model_sha256(model)?;
        let config = TokenHeadConfig::new(self.tags.types(), hidden, self.max_tokens, encoder);
        TokenHead::write(model, &self.name, &config, (&weight, &bias), adapter)
    }

    fn heads(&self) -> &Parameters {
        &self.heads
    }

    fn heads_mut(&mut self) -> &mut Parameters {
        &mut self.heads
    }
}
