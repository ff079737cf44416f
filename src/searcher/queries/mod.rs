//! Vectors of queries: those that came before are kept, and what waits at the
//! same time goes through the encoder together.

mod batch;
mod cache;
mod outcome;

pub use batch::QueryCounts;

use crate::encoder::{Encoder, Role, normalise};
use crate::error::Result;
use batch::{Batches, Interest};
use std::sync::Arc;

/// A unit vector.
pub(crate) type Vector = Arc<[f32]>;

/// Embeds queries by the model of an index, for all its commits.
///
/// The vector of a text is the same to the bit however it was had: encoded
/// alone, encoded along with others, or kept. The vectors are those of one
/// model, so that the text alone, before which the model puts its prompt, is
/// what they are kept by.
pub(crate) struct QueryEncoder {
    encoder: Arc<Encoder>,
    batches: Arc<Batches>,
}

/// A query that will be searched for soon: its vector is made together with
/// those of others. Dropping it takes that back.
pub struct Expected {
    _interest: Interest,
}

impl QueryEncoder {
    /// Keeps vectors in at most so many bytes.
    pub(crate) fn new(encoder: Arc<Encoder>, cache_bytes: usize) -> Self {
        Self {
            encoder,
            batches: Batches::new(cache_bytes),
        }
    }

    /// The model.
    pub(crate) fn encoder(&self) -> &Arc<Encoder> {
        &self.encoder
    }

    /// Says that a text will be embedded; nothing where its vector is kept.
    pub(crate) fn expect(&self, text: &str) -> Option<Expected> {
        let interest = self.batches.announce(text)?;
        Some(Expected {
            _interest: interest,
        })
    }

    /// The vector of a query, of length one. Blocks while it is encoded.
    ///
    /// # Errors
    /// When the tokenizer fails on this very text.
    pub(crate) fn vector(&self, text: &str) -> Result<Vector> {
        self.batches.get(text, &|texts: &[Arc<str>]| {
            let vectors = self.encoder.encode_as(Role::Query, texts)?;
            let unit = |row: usize| {
                let mut vector = vectors.row(row).to_vec();
                normalise(&mut vector);
                Vector::from(vector)
            };
            Ok((0..texts.len()).map(unit).collect())
        })
    }

    /// What happened so far.
    pub(crate) fn counts(&self) -> QueryCounts {
        self.batches.counts()
    }
}

#[cfg(test)]
mod tests;
