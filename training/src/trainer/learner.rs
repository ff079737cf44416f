//! The model that learns: network, tokenizer and pooling.

use crate::config::StageConfig;
use crate::data::buckets;
use crate::error::device;
use crate::network::{Backbone, DropoutPass, Numbers, Tokens, pool};
use medsift::encoder::Pooling;
use medsift::encoder::parts::Tokenizer;
use medsift::{Error, Result};
use rayon::prelude::*;

/// The tokens at which a stage cuts texts: its own number or the model's.
///
/// # Errors
/// When the network has fewer positions.
pub(super) fn check_length(stage: &StageConfig, model: usize, positions: usize) -> Result<usize> {
    let max_tokens = stage.max_tokens.unwrap_or(model);
    if max_tokens > positions {
        return Err(Error::invalid(
            "max_tokens",
            format!(
                "stage `{}`: `max_tokens` {max_tokens} is more than the network's {positions} \
                 positions",
                stage.name
            ),
        ));
    }
    Ok(max_tokens)
}

/// A model in training.
#[derive(Debug)]
pub struct Learner<B> {
    /// The network.
    pub network: B,
    /// From text to token numbers.
    pub tokenizer: Tokenizer,
    /// How states become a vector.
    pub pooling: Pooling,
    /// Whether vectors are scaled to length 1.
    pub normalise: bool,
    /// Tokens at which a text is cut, special ones included.
    pub max_tokens: usize,
    /// Tokens of a micro-batch.
    pub micro_batch_tokens: usize,
    /// What is dropped in a step.
    pub dropout: f64,
}

impl<B: Backbone> Learner<B> {
    /// Token numbers of texts.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn tokenise<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<Vec<Vec<u32>>> {
        let (tokenizer, most) = (&self.tokenizer, self.max_tokens);
        texts
            .par_iter()
            .map(|text| tokenizer.encode(text.as_ref(), most))
            .collect()
    }

    /// Micro-batches of like lengths: the places of their texts.
    pub fn micro_batches(&self, ids: &[Vec<u32>]) -> Vec<Vec<usize>> {
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        buckets(&lengths, self.micro_batch_tokens)
    }

    /// Dropout of one micro-batch of a step.
    pub fn dropout(&self, seed: u64, micro_batch: usize) -> Option<DropoutPass> {
        (self.dropout > 0.0).then(|| DropoutPass {
            seed: crate::kernel::scalar::mix(seed, micro_batch as u64),
            hidden: self.dropout as f32,
            attention: self.dropout as f32,
        })
    }

    /// Vectors of texts without dropout, one behind the other.
    ///
    /// # Errors
    /// When the tokenizer or the device fails.
    pub fn encode<S: AsRef<str> + Sync>(&mut self, texts: &[S]) -> Result<Vec<f32>> {
        let ids = self.tokenise(texts)?;
        let width = self.network.architecture().hidden;
        let mut vectors = vec![0.0; ids.len() * width];
        for places in self.micro_batches(&ids) {
            let tokens = Tokens::new(places.iter().map(|&at| &ids[at][..]));
            let states = self.network.evaluate(&tokens).map_err(device)?;
            let pooled = pool(&states, &tokens, self.pooling).map_err(device)?;
            let pooled = pooled
                .to_device(&candle_core::Device::Cpu)
                .map_err(device)?;
            let rows = Numbers::of(&pooled).map_err(device)?;
            for (&at, row) in places.iter().zip(rows.chunks_exact(width)) {
                let to = &mut vectors[at * width..(at + 1) * width];
                to.copy_from_slice(row);
                if self.normalise {
                    let length = to.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-12);
                    to.iter_mut().for_each(|x| *x /= length);
                }
            }
        }
        Ok(vectors)
    }
}
