//! An encoder with a head that labels texts.

use super::head::{TextHead, fit};
use crate::encoder::{Encoder, PackedAdapter};
use crate::error::Result;
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
    /// When the tokenizer fails.
    pub fn probabilities<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<Vec<Vec<f32>>> {
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

    /// The labels of texts, in their order.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn classify<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<Vec<Classified>> {
        let found = self.probabilities(texts)?.into_iter();
        let classified = found.map(|probabilities| {
            let best = best_of(&probabilities);
            Classified {
                label: self.head.labels()[best].clone(),
                score: probabilities[best],
                probabilities,
            }
        });
        Ok(classified.collect())
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
