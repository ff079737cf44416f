//! Many texts at once: tokenised side by side, sorted by length, and packed
//! into groups that fit the cache.

use super::pooling::normalise;
use super::{Embeddings, Encoder};
use crate::Result;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::PoisonError;

/// Tokens of a group, when texts are shorter than that: states and the
/// feed-forward layer's inside of so many tokens stay in the L2 cache.
const GROUP: usize = 256;

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
        // The longest first, so that the last groups are small and all
        // threads end together.
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|&text| std::cmp::Reverse(tokens[text].len()));
        let groups = group(&order, tokens, self.threads());
        let mut embeddings = Embeddings::zeros(tokens.len(), self.dimension());
        let run = |range: &Range<usize>, tasks: usize| {
            let members = &order[range.clone()];
            let ids: Vec<&[u32]> = members.iter().map(|&text| &tokens[text][..]).collect();
            self.vectors(&ids, tasks)
        };
        let done: Vec<Vec<f32>> = if groups.len() >= self.threads() {
            groups.par_iter().map(|range| run(range, 1)).collect()
        } else {
            groups
                .iter()
                .map(|range| run(range, self.threads()))
                .collect()
        };
        for (range, vectors) in groups.into_iter().zip(done) {
            let vectors = vectors.chunks_exact(self.dimension());
            for (&text, vector) in order[range].iter().zip(vectors) {
                embeddings.row_mut(text).copy_from_slice(vector);
            }
        }
        embeddings
    }

    /// Vectors of one group, one behind the other.
    fn vectors(&self, ids: &[&[u32]], tasks: usize) -> Vec<f32> {
        let dimension = self.dimension();
        let mut scratch = self
            .scratch
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .unwrap_or_default();
        let mut states = self.inference.forward(ids, tasks, &mut scratch);
        let mut vectors = vec![0.0; ids.len() * dimension];
        for (text, vector) in ids.iter().zip(vectors.chunks_exact_mut(dimension)) {
            let (own, rest) = states.split_at(text.len() * dimension);
            states = rest;
            if own.is_empty() {
                continue;
            }
            self.fingerprint.pooling.pool(own, vector);
            if self.fingerprint.normalise {
                normalise(vector);
            }
        }
        self.scratch
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(scratch);
        vectors
    }
}

/// Cuts the order into groups of about [`GROUP`] tokens, fewer where that
/// gives every thread its share.
fn group(order: &[usize], tokens: &[Vec<u32>], threads: usize) -> Vec<Range<usize>> {
    let total: usize = tokens.iter().map(Vec::len).sum();
    let most = GROUP.min(total.div_ceil(threads)).max(1);
    let mut groups = Vec::new();
    let mut start = 0;
    let mut filled = 0;
    for (place, &text) in order.iter().enumerate() {
        let length = tokens[text].len();
        if place > start && filled + length > most {
            groups.push(start..place);
            start = place;
            filled = 0;
        }
        filled += length;
    }
    if start < order.len() {
        groups.push(start..order.len());
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_cover_all_texts_once(
            lengths in proptest::collection::vec(1usize..300, 0..80),
            threads in 1usize..9,
        ) {
            let tokens: Vec<Vec<u32>> = lengths.iter().map(|&n| vec![0; n]).collect();
            let order: Vec<usize> = (0..tokens.len()).collect();
            let groups = group(&order, &tokens, threads);
            let covered: Vec<usize> = groups.iter().cloned().flatten().collect();
            prop_assert_eq!(&covered, &order);
            for range in groups {
                let sum: usize = lengths[range.clone()].iter().sum();
                prop_assert!(range.len() == 1 || sum <= GROUP);
            }
        }
    }
}
