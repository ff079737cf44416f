//! Many texts at once, from text to vector.

use super::pooling::normalise;
use super::{Embeddings, Encoder};
use crate::Result;
use rayon::prelude::*;
use std::borrow::Cow;

impl Encoder {
    /// Vectors of texts behind a prompt.
    pub(super) fn encode<S: AsRef<str> + Sync>(
        &self,
        prompt: &str,
        texts: &[S],
    ) -> Result<Embeddings> {
        self.pool.install(|| {
            let tokens = texts
                .par_iter()
                .map(|text| {
                    let text = if prompt.is_empty() {
                        Cow::Borrowed(text.as_ref())
                    } else {
                        Cow::Owned(format!("{prompt}{}", text.as_ref()))
                    };
                    self.tokenizer.encode(&text, self.max_tokens())
                })
                .collect::<Result<Vec<_>>>()?;
            Ok(self.embed(&tokens))
        })
    }

    fn embed(&self, tokens: &[Vec<u32>]) -> Embeddings {
        let dimension = self.dimension();
        let vectors = self.map_states(tokens, None, |_, states| {
            if states.is_empty() {
                return vec![0.0; dimension];
            }
            let mut vector = vec![0.0; self.hidden()];
            self.fingerprint.pooling.pool(states, &mut vector);
            for layer in &self.dense {
                vector = layer.apply(&vector);
            }
            if self.fingerprint.normalise {
                normalise(&mut vector);
            }
            vector
        });
        let mut embeddings = Embeddings::zeros(tokens.len(), dimension);
        for (text, vector) in vectors.iter().enumerate() {
            embeddings.row_mut(text).copy_from_slice(vector);
        }
        embeddings
    }
}
