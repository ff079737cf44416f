//! Sentence-BERT encoders: from text to a vector.
//!
//! A model directory in the layout of Hugging Face and sentence-transformers
//! is opened as an [`Encoder`]. Texts are tokenised, run through the network
//! together but without filling, and pooled. The network is described once
//! (`architecture`, `layout`) and exists twice: as tensor operations
//! (`network`), and as packed weights with vector kernels (`inference`),
//! which is what encoding uses.
//!
//! The same text gets the same vector, bit for bit, alone or in any batch and
//! with any number of threads.
//!
//! ```no_run
//! use medsift::encoder::{Encoder, EncoderOptions};
//!
//! let encoder = Encoder::open("models/minilm".as_ref(), EncoderOptions::default())?;
//! let query = encoder.encode_query("statins and muscle pain")?;
//! let passages = encoder.encode_passages(&["Myopathy under statin therapy."])?;
//! let score: f32 = query.iter().zip(passages.row(0)).map(|(a, b)| a * b).sum();
//! # Ok::<(), medsift::Error>(())
//! ```

mod adapted;
mod adapter;
mod architecture;
mod batch;
mod dense;
mod directory;
mod distance;
mod embeddings;
mod files;
mod fingerprint;
mod inference;
mod kernel;
mod layout;
// What the tests compare `inference` with; training has networks of its own.
#[cfg(test)]
mod network;
mod open;
pub mod parts;
mod pooling;
mod quantised;
mod states;
#[cfg(test)]
mod tests;
mod tokenizer;
mod tokens;
mod weights;

pub(crate) use adapted::PackedAdapter;
pub use adapter::{Adapter, LowRank};
pub use embeddings::Embeddings;
pub use fingerprint::ModelFingerprint;
pub use open::EncoderOptions;
pub use pooling::Pooling;
pub(crate) use pooling::normalise;
pub use tokens::{Keep, Role};

use crate::Result;
use dense::PackedDense;
use inference::{Inference, Scratch};
use rayon::ThreadPool;
use std::fmt;
use std::sync::Mutex;
use tokenizer::Tokenizer;

/// A sentence encoder. It is shared freely between threads, and brings its
/// own bounded thread pool.
pub struct Encoder {
    fingerprint: ModelFingerprint,
    tokenizer: Tokenizer,
    inference: Inference,
    /// Behind the pooling, in their order.
    dense: Vec<PackedDense>,
    /// Numbers to which a vector may be cut.
    matryoshka: Vec<usize>,
    pool: ThreadPool,
    /// Memory of runs that have ended, for those to come.
    scratch: Mutex<Vec<Scratch>>,
}

impl Encoder {
    /// What identifies this encoder's vectors.
    pub fn fingerprint(&self) -> &ModelFingerprint {
        &self.fingerprint
    }

    /// Numbers in a vector.
    pub fn dimension(&self) -> usize {
        self.fingerprint.dimension
    }

    /// Numbers in the state of a token: what pooling and heads are given. It
    /// is the dimension unless a linear layer behind the pooling changes it.
    pub fn hidden(&self) -> usize {
        self.inference.hidden()
    }

    /// Tokens at which a text is cut, special ones included.
    pub fn max_tokens(&self) -> usize {
        self.fingerprint.max_tokens
    }

    /// Tokens that the network can read at once, whatever the model's limit for
    /// sentence vectors is.
    pub(crate) fn positions(&self) -> usize {
        self.inference.positions()
    }

    /// Threads that encoding uses.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The instruction set that was chosen for this processor.
    pub fn instruction_set(&self) -> &'static str {
        self.inference.instruction_set()
    }

    /// The vector of a search query, behind the model's query prompt.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn encode_query(&self, text: &str) -> Result<Vec<f32>> {
        let prompt = &self.fingerprint.query_prompt;
        Ok(self.encode(prompt, &[text])?.into_values())
    }

    /// The vectors of passages, behind the model's passage prompt, in the
    /// order of the texts.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn encode_passages<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<Embeddings> {
        self.encode(&self.fingerprint.passage_prompt, texts)
    }

    /// Tokens that a passage takes up, prompt and special tokens included,
    /// when it is not cut.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn token_count(&self, text: &str) -> Result<usize> {
        let prompt = &self.fingerprint.passage_prompt;
        let tokens = if prompt.is_empty() {
            self.tokenizer.count(text)?
        } else {
            self.tokenizer.count(&format!("{prompt}{text}"))?
        };
        Ok(tokens + self.tokenizer.special_tokens())
    }

    /// Whether a query is longer than the encoder reads.
    pub(crate) fn cuts_query(&self, text: &str) -> Result<bool> {
        let text = format!("{}{text}", self.fingerprint.query_prompt);
        let tokens = self.tokenizer.count(&text)? + self.tokenizer.special_tokens();
        Ok(tokens > self.max_tokens())
    }

    /// Tokens that are left for a passage beside prompt and special tokens.
    pub(crate) fn room(&self) -> Result<usize> {
        Ok(self.max_tokens().saturating_sub(self.token_count("")?))
    }

    /// Arranges an adapter for runs through this encoder.
    ///
    /// # Errors
    /// When it is of another encoder.
    pub(crate) fn adapt(&self, adapter: &Adapter) -> Result<PackedAdapter> {
        self.inference.adapt(adapter)
    }

    /// From text to token numbers.
    pub(crate) fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Bytes at which a text's tokens begin.
    pub(crate) fn token_starts(&self, text: &str) -> Result<Vec<usize>> {
        self.tokenizer.starts(text)
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("fingerprint", &self.fingerprint)
            .field("threads", &self.threads())
            .field("instruction_set", &self.instruction_set())
            .finish_non_exhaustive()
    }
}
