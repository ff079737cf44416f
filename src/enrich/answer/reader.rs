//! An encoder with a head that finds answers.

use super::decode::{Borders, WindowScores, best_spans};
use super::windows::{PairReader, ReadPassage, SpanLengths, SpanWindow};
use crate::encoder::parts::PairIds;
use crate::encoder::{Encoder, PackedAdapter};
use crate::enrich::head::{SpanHead, fit};
use crate::error::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// Finds answers to questions in passages.
#[derive(Debug, Clone)]
pub struct AnswerReader {
    encoder: Arc<Encoder>,
    head: SpanHead,
    adapter: Option<Arc<PackedAdapter>>,
}

/// A span of a passage that may be the answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Its first character in the passage, counted from 0. Characters are
    /// Unicode scalar values, as Python's strings count them.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    /// The text between the two.
    pub text: String,
    /// How much its score is above that of no answer in this passage.
    pub margin: f32,
    /// The logistic function of the margin above the head's threshold: 0.5 at
    /// the threshold. It is no calibrated probability.
    pub confidence: f32,
}

impl AnswerReader {
    /// Takes a head out of the directory that the encoder was opened from; see
    /// [`SpanHead::open`].
    ///
    /// # Errors
    /// As there, and when the head is for states of another size.
    pub fn open(encoder: Arc<Encoder>, model: &Path, name: Option<&str>) -> Result<Self> {
        let head = SpanHead::open(model, name, &encoder.fingerprint().sha256)?;
        let hidden = head.config().hidden;
        let adapter = fit(&encoder, head.name(), hidden, head.adapter())?;
        Ok(Self {
            encoder,
            head,
            adapter,
        })
    }

    /// The encoder under the head.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The head.
    pub fn head(&self) -> &SpanHead {
        &self.head
    }

    /// Writes a threshold into the head's configuration in this directory, and
    /// goes on with it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_threshold(&mut self, model: &Path, threshold: f32) -> Result<()> {
        self.head.set_threshold(model, threshold)
    }

    /// Whether an answer's margin reaches the head's threshold. What lies below
    /// it is no answer.
    pub fn is_answer(&self, answer: &Answer) -> bool {
        answer.margin >= self.head.config().threshold
    }

    /// For each question with its passage the `n` best spans that do not
    /// overlap, best first, above and below the threshold. They depend neither
    /// on the other passages nor on the number of threads.
    ///
    /// A passage that is longer than the encoder reads beside the question is
    /// read in windows. An answer's `text` is that between its `start` and
    /// `end`, to the character.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn answers<Q, P>(&self, pairs: &[(Q, P)], n: usize) -> Result<Vec<Vec<Answer>>>
    where
        Q: AsRef<str> + Sync,
        P: AsRef<str> + Sync,
    {
        let mut lengths = SpanLengths::from(self.head.config());
        // The head may have been trained on longer windows than search reads.
        lengths.max_tokens = lengths.max_tokens.min(self.encoder.positions());
        let reader = PairReader::new(self.encoder.tokenizer(), lengths)?;
        let read = pairs
            .par_iter()
            .map(|(question, passage)| reader.read(question.as_ref(), passage.as_ref()))
            .collect::<Result<Vec<ReadPassage>>>()?;
        let windows: Vec<&SpanWindow> = read.iter().flat_map(|one| &one.windows).collect();
        let ids: Vec<PairIds> = windows.iter().map(|window| window.pair.clone()).collect();
        let adapter = self.adapter.as_deref();
        let scores = self
            .encoder
            .map_states(&ids, adapter, |at, states| self.scores(windows[at], states));
        let mut scores = scores.into_iter();
        read.iter()
            .zip(pairs)
            .map(|(read, (_, passage))| {
                let own = scores.by_ref().take(read.windows.len());
                let own = own.collect::<Result<Vec<WindowScores>>>()?;
                Ok(self.spans(passage.as_ref(), read, &own, n))
            })
            .collect()
    }

    fn scores(&self, window: &SpanWindow, states: &[f32]) -> Result<WindowScores> {
        let hidden = self.encoder.hidden();
        let state = |row: usize| &states[row * hidden..(row + 1) * hidden];
        let [start, end] = self.head.score(state(0))?;
        let rows = window.row..window.row + window.pieces.len();
        Ok(WindowScores {
            none: start + end,
            pieces: rows
                .map(|row| self.head.score(state(row)))
                .collect::<Result<_>>()?,
            first: window.pieces.start,
        })
    }

    fn spans(
        &self,
        passage: &str,
        read: &ReadPassage,
        scores: &[WindowScores],
        n: usize,
    ) -> Vec<Answer> {
        let config = self.head.config();
        let borders = Borders::of(passage, &read.pieces);
        let found = best_spans(scores, &borders, config.max_answer, n).into_iter();
        found
            .filter_map(|span| {
                let first = read.pieces[span.pieces.start].start;
                let last = read.pieces[span.pieces.end - 1].end;
                // Borders are at characters, so that there is such a text.
                let text = passage.get(first..last)?;
                let start = passage[..first].chars().count();
                Some(Answer {
                    start,
                    end: start + text.chars().count(),
                    text: text.to_owned(),
                    margin: span.margin,
                    confidence: logistic(span.margin - config.threshold),
                })
            })
            .collect()
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
