//! Answers in passages: where they begin and end, or that there is none, as in
//! BERT's question answering.
//!
//! Question and passage are read as a pair, each in its segment; one linear
//! layer gives every token two scores. [`objective`] says what is optimised.

mod evaluation;
mod head;
mod objective;
#[cfg(test)]
mod tests;

pub(super) use evaluation::AnswerEvaluation;

use super::epochs::Epochs;
use super::headed::{self, Text};
use super::learner::Learner;
use super::lesson::{Lesson, Outcome};
use super::sentence::table;
use crate::config::StageConfig;
use crate::data::questions::{PassageQuestion, QuestionSet, QuestionSpec};
use crate::data::{Batch, Purpose, Sampler, SamplerSettings, SourceFile};
use crate::error::device;
use crate::network::{Backbone, Parameters};
use candle_core::Device;
use head::{SPAN, Target};
use medsift::Result;
use medsift::encoder::Adapter;
use medsift::encoder::parts::{Tokenizer, model_sha256};
use medsift::enrich::SpanHead;
use medsift::enrich::answer::{PairReader, ReadPassage, SpanWindow};
use objective::SpanObjective;
use rayon::prelude::*;
use std::path::Path;

/// Batches of questions with their passages.
pub(super) struct SpanLesson {
    objective: SpanObjective,
    sets: Vec<QuestionSet>,
    heads: Parameters,
    max_tokens: usize,
    epochs: Epochs,
}

/// A window, and what is to be found in it.
struct LabelledWindow {
    window: SpanWindow,
    /// Pieces of the passage, first and last of the answer, if it lies in the
    /// window.
    answer: Option<[usize; 2]>,
    weight: f64,
}

impl SpanLesson {
    /// Loads the data and makes the head. `tokenizer` says whether questions and
    /// passages fit.
    ///
    /// # Errors
    /// When a key or a file does not fit.
    pub(super) fn new(
        stage: &StageConfig,
        hidden: usize,
        (max_tokens, tokenizer): (usize, &Tokenizer),
        seed: u64,
        on: &Device,
    ) -> Result<Self> {
        let objective = SpanObjective::of(stage)?;
        PairReader::new(tokenizer, objective.lengths(max_tokens))?;
        let sets = stage
            .data
            .iter()
            .map(|data| table::<QuestionSpec>(stage, "data", data)?.load(Purpose::Training))
            .collect::<Result<Vec<_>>>()?;
        let settings = SamplerSettings {
            batch_size: stage.batch,
            seed,
            mix: stage.mix,
            ..SamplerSettings::default()
        };
        let sizes = sets.iter().map(|set| set.questions.len()).collect();
        let sampler = Sampler::of_sizes(sizes, settings)?;
        Ok(Self {
            heads: head::start(hidden, seed, on).map_err(device)?,
            objective,
            sets,
            max_tokens,
            epochs: Epochs::new(sampler),
        })
    }

    /// Questions of all sets.
    pub(super) fn examples(&self) -> u64 {
        self.sets.iter().map(|set| set.questions.len() as u64).sum()
    }

    /// Steps of one pass.
    pub(super) fn batches(&self) -> u64 {
        self.epochs.per_epoch()
    }

    /// Numbers of the head.
    pub(super) fn head_numbers(&self) -> usize {
        headed::numbers(&self.heads)
    }

    /// Bytes of all questions and passages; of a passage that several questions
    /// are about, each time.
    pub(super) fn text_bytes(&self) -> u64 {
        let questions = self.sets.iter().flat_map(|set| &set.questions);
        let bytes = questions.map(|one| one.question.len() + one.passage.len());
        bytes.map(|bytes| bytes as u64).sum()
    }

    /// The files that were read.
    pub(super) fn sources(&self) -> impl Iterator<Item = &SourceFile> {
        self.sets.iter().flat_map(|set| &set.sources)
    }

    /// Takes the questions of a batch through the network and back; gives the
    /// loss and the tokens.
    fn teach<B: Backbone>(
        &mut self,
        learner: &mut Learner<B>,
        batch: &Batch,
        seed: u64,
    ) -> Result<(f64, usize)> {
        let questions = &self.sets[batch.set].questions;
        let lengths = self.objective.lengths(self.max_tokens);
        let reader = PairReader::new(&learner.tokenizer, lengths)?;
        let windows = batch
            .examples
            .par_iter()
            .map(|&at| labelled(&reader, &questions[at]))
            .collect::<Result<Vec<_>>>()?;
        let windows: Vec<LabelledWindow> = windows.into_iter().flatten().collect();
        let weight: f64 = windows.iter().map(|window| window.weight).sum();
        let share = if weight > 0.0 { 1.0 / weight } else { 0.0 };
        let texts: Vec<Text<'_>> = windows
            .iter()
            .map(|one| (&one.window.pair).into())
            .collect();
        let heads = &mut self.heads;
        let (sum, count) = headed::teach(learner, &texts, seed, |states, tokens, members, _| {
            let starts = members.iter().zip(tokens.bounds());
            let targets: Vec<Target> = starts
                .map(|(&at, &start)| windows[at].target(start as u32))
                .collect();
            head::step(heads, states, &targets, share)
        })?;
        Ok((sum * share, count))
    }
}

/// Rows of a window that an answer may begin or end at, where the window's first
/// token has the row `start`.
fn rows(window: &SpanWindow, start: u32) -> Vec<u32> {
    let first = start + window.row as u32;
    let pieces = first..first + window.pieces.len() as u32;
    std::iter::once(start).chain(pieces).collect()
}

/// The windows of a question.
fn labelled(reader: &PairReader<'_>, question: &PassageQuestion) -> Result<Vec<LabelledWindow>> {
    let ReadPassage { windows, pieces } = reader.read(&question.question, &question.passage)?;
    // The pieces that share a byte with the answer.
    let answer = question.answer.as_ref().and_then(|answer| {
        let first = pieces.iter().position(|piece| piece.end > answer.start)?;
        let last = pieces.iter().rposition(|piece| piece.start < answer.end)?;
        (first <= last).then_some([first, last])
    });
    let within = |window: &SpanWindow| {
        answer.filter(|places| places.iter().all(|place| window.pieces.contains(place)))
    };
    let without = windows.iter().filter(|one| within(one).is_none()).count();
    Ok(windows
        .into_iter()
        .map(|window| {
            let answer = within(&window);
            LabelledWindow {
                weight: match answer {
                    Some(_) => 1.0,
                    None => 1.0 / without as f64,
                },
                answer,
                window,
            }
        })
        .collect())
}

impl LabelledWindow {
    /// What is to be found, where the window's first token has this row.
    fn target(&self, start: u32) -> Target {
        let place = |piece: usize| 1 + piece - self.window.pieces.start;
        Target {
            rows: rows(&self.window, start),
            answer: self.answer.map_or([0, 0], |answer| answer.map(place)),
            weight: self.weight,
        }
    }
}

impl<B: Backbone> Lesson<B> for SpanLesson {
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
        let questions = &self.sets[batch.set].questions;
        let ids: Vec<&str> = batch
            .examples
            .iter()
            .map(|&at| &questions[at].id[..])
            .collect();
        let outcome = Outcome {
            loss,
            tokens,
            batch: format!("set {}, questions {}", batch.set + 1, ids.join(", ")),
            ..Outcome::default()
        };
        let (epoch, step) = self.epochs.place();
        Ok((outcome, epoch, step))
    }

    fn save_beside(&self, model: &Path, adapter: Option<&Adapter>) -> Result<()> {
        let (weight, bias) = headed::stored(&self.heads, SPAN)?;
        let hidden = weight.dims().last().copied().unwrap_or(0);
        let encoder = model_sha256(model)?;
        let config = self.objective.head(hidden, self.max_tokens, encoder);
        SpanHead::write(
            model,
            &self.objective.name,
            &config,
            (&weight, &bias),
            adapter,
        )
    }

    fn heads(&self) -> &Parameters {
        &self.heads
    }

    fn heads_mut(&mut self) -> &mut Parameters {
        &mut self.heads
    }
}
