//! An encoder with a head that labels texts.

use super::head::{TextHead, fit};
use crate::encoder::parts::PairIds;
use crate::encoder::{Encoder, PackedAdapter};
use crate::error::{Error, ErrorKind, Result};
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// Gives texts labels.
#[derive(Debug, Clone)]
pub struct TextClassifier {
    encoder: Arc<Encoder>,
    head: TextHead,
    adapter: Option<Arc<PackedAdapter>>,
}

/// What a text is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Classified {
    /// The most probable label; of equals the first.
    pub label: String,
    /// Its probability.
    pub score: f32,
    /// Probabilities of all labels, in the order of the head.
    pub probabilities: Vec<f32>,
}

impl TextClassifier {
    /// Takes a head out of the directory that the encoder was opened from; see
    /// [`TextHead::open`].
    ///
    /// # Errors
    /// As there, and when the head is for states of another size.
    pub fn open(encoder: Arc<Encoder>, model: &Path, name: Option<&str>) -> Result<Self> {
        let head = TextHead::open(model, name, &encoder.fingerprint().sha256)?;
        let hidden = head.config().hidden;
        let adapter = fit(&encoder, head.name(), hidden, head.adapter())?;
        Ok(Self {
            encoder,
            head,
            adapter,
        })
    }

    /// The head.
    pub fn head(&self) -> &TextHead {
        &self.head
    }

    /// Probabilities of the head's labels for texts, in the order of both. A
    /// text is cut at as many tokens as in training; its probabilities depend
    /// neither on its neighbours nor on the number of threads.
    ///
    /// # Errors
    /// When the head reads pairs of texts, or the tokenizer fails.
    pub fn probabilities<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<Vec<Vec<f32>>> {
        self.check(false)?;
        let most = self.head.config().max_tokens.min(self.encoder.max_tokens());
        let tokenizer = self.encoder.tokenizer();
        let tokens = texts
            .par_iter()
            .map(|text| tokenizer.encode(text.as_ref(), most))
            .collect::<Result<Vec<_>>>()?;
        let adapter = self.adapter.as_deref();
        let head = &self.head;
        Ok(self
            .encoder
            .map_states(&tokens, adapter, |_, states| head.probabilities(states)))
    }

    /// The same for pairs of texts, each read at once, the second in a segment of
    /// its own. Of a pair that is too long the longer text is cut.
    ///
    /// # Errors
    /// When the head reads single texts, or the tokenizer fails.
    pub fn probabilities_of_pairs<A, B>(&self, pairs: &[(A, B)]) -> Result<Vec<Vec<f32>>>
    where
        A: AsRef<str> + Sync,
        B: AsRef<str> + Sync,
    {
        self.check(true)?;
        // Pairs are longer than the passages that the model's limit is for.
        let most = self.head.config().max_tokens.min(self.encoder.positions());
        let tokenizer = self.encoder.tokenizer();
        let tokens = pairs
            .par_iter()
            .map(|(first, second)| tokenizer.encode_pair(first.as_ref(), second.as_ref(), most))
            .collect::<Result<Vec<PairIds>>>()?;
        let adapter = self.adapter.as_deref();
        let head = &self.head;
        Ok(self
            .encoder
            .map_states(&tokens, adapter, |_, states| head.probabilities(states)))
    }

    /// Refuses texts where the head reads pairs, and the other way round.
    fn check(&self, pairs: bool) -> Result<()> {
        let config = self.head.config();
        if config.text_pair == pairs {
            return Ok(());
        }
        let [reads, given] = match pairs {
            true => ["single texts", "pairs of texts"],
            false => ["pairs of texts", "single texts"],
        };
        Err(Error::new(
            ErrorKind::InvalidInput,
            format!("the head {} reads {reads}, not {given}", self.head.name()),
        ))
    }

    /// The labels of pairs of texts, in their order.
    ///
    /// # Errors
    /// As [`TextClassifier::probabilities_of_pairs`].
    pub fn classify_pairs<A, B>(&self, pairs: &[(A, B)]) -> Result<Vec<Classified>>
    where
        A: AsRef<str> + Sync,
        B: AsRef<str> + Sync,
    {
        let found = self.probabilities_of_pairs(pairs)?;
        Ok(self.classified(found))
    }

    /// The labels of texts, in their order.
    ///
    /// # Errors
    /// As [`TextClassifier::probabilities`].
    pub fn classify<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<Vec<Classified>> {
        let found = self.probabilities(texts)?;
        Ok(self.classified(found))
    }

    fn classified(&self, found: Vec<Vec<f32>>) -> Vec<Classified> {
        let classified = found.into_iter().map(|probabilities| {
            let best = best_of(&probabilities);
            Classified {
                label: self.head.labels()[best].clone(),
                score: probabilities[best],
                probabilities,
            }
        });
        classified.collect()
    }
}

/// The place of the first of the largest; what is not a number is none.
fn best_of(values: &[f32]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] || values[best].is_nan() {
            best = place;
        }
    }
    best
}
