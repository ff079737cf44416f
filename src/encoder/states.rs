//! States of the last layer: what pooling and the heads of `enrich` stand on.

use super::tokenizer::PairIds;
use super::{Encoder, PackedAdapter};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::PoisonError;

/// Tokens of a group, when texts are shorter than that: states and the
/// feed-forward layer's inside of so many tokens stay in the L2 cache.
const GROUP: usize = 256;

/// What the network reads at once: a text, or two.
pub(crate) trait Input: Sync {
    /// Token numbers with the special tokens.
    fn ids(&self) -> &[u32];

    /// The place of the first token that is of the second segment.
    fn second(&self) -> usize {
        self.ids().len()
    }
}

impl Input for Vec<u32> {
    fn ids(&self) -> &[u32] {
        self
    }
}

impl Input for PairIds {
    fn ids(&self) -> &[u32] {
        &self.ids
    }

    fn second(&self) -> usize {
        self.second
    }
}

impl Encoder {
    /// Runs texts, or pairs of texts, given as token numbers with their special
    /// tokens, through the network, changed by an adapter if one is given, and
    /// turns the states of each text's tokens, one row of
    /// [`Encoder::hidden`] numbers behind the other, into something that is
    /// kept. The outcome is in the order of the texts; a text's states depend
    /// neither on its neighbours nor on the number of threads.
    pub(crate) fn map_states<T: Input, R: Send>(
        &self,
        tokens: &[T],
        adapter: Option<&PackedAdapter>,
        each: impl Fn(usize, &[f32]) -> R + Sync,
    ) -> Vec<R> {
        self.pool.install(|| {
            // The longest first, so that the last groups are small and all
            // threads end together.
            let mut order: Vec<usize> = (0..tokens.len()).collect();
            order.sort_by_key(|&text| std::cmp::Reverse(tokens[text].ids().len()));
            let groups = group(&order, tokens, self.threads());
            let run = |range: &Range<usize>, tasks: usize| {
                self.group_states(&order[range.clone()], tokens, adapter, tasks, &each)
            };
            let done: Vec<Vec<R>> = if groups.len() >= self.threads() {
                groups.par_iter().map(|range| run(range, 1)).collect()
            } else {
                groups
                    .iter()
                    .map(|range| run(range, self.threads()))
                    .collect()
            };
            let mut placed: Vec<(usize, R)> =
                order.into_iter().zip(done.into_iter().flatten()).collect();
            placed.sort_by_key(|(text, _)| *text);
            placed.into_iter().map(|(_, kept)| kept).collect()
        })
    }

    fn group_states<T: Input, R>(
        &self,
        members: &[usize],
        tokens: &[T],
        adapter: Option<&PackedAdapter>,
        tasks: usize,
        each: &impl Fn(usize, &[f32]) -> R,
    ) -> Vec<R> {
        let mut scratch = self
            .scratch
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .unwrap_or_default();
        let texts: Vec<(&[u32], usize)> = members
            .iter()
            .map(|&text| (tokens[text].ids(), tokens[text].second()))
            .collect();
        let mut states = self
            .inference
            .forward_segments(&texts, adapter, tasks, &mut scratch);
        let mut kept = Vec::with_capacity(members.len());
        for &text in members {
            let (own, rest) = states.split_at(tokens[text].ids().len() * self.hidden());
            states = rest;
            kept.push(each(text, own));
        }
        self.scratch
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(scratch);
        kept
    }
}

/// Cuts the order into groups of about [`GROUP`] tokens, fewer where that
/// gives every thread its share.
fn group<T: Input>(order: &[usize], tokens: &[T], threads: usize) -> Vec<Range<usize>> {
    let total: usize = tokens.iter().map(|text| text.ids().len()).sum();
    let most = GROUP.min(total.div_ceil(threads)).max(1);
    let mut groups = Vec::new();
    let mut start = 0;
    let mut filled = 0;
    for (place, &text) in order.iter().enumerate() {
        let length = tokens[text].ids().len();
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
