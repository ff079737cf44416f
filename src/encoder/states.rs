//! States of the last layer: what pooling and the heads of `enrich` stand on.

use super::{Encoder, PackedAdapter};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::PoisonError;

/// Tokens of a group, when texts are shorter than that: states and the
/// feed-forward layer's inside of so many tokens stay in the L2 cache.
const GROUP: usize = 256;

impl Encoder {
    /// Runs texts, given as token numbers with their special tokens, through
    /// the network, changed by an adapter if one is given, and turns the states of each text's tokens, one row of
    /// [`Encoder::dimension`] numbers behind the other, into something that is
    /// kept. The outcome is in the order of the texts; a text's states depend
    /// neither on its neighbours nor on the number of threads.
    pub(crate) fn map_states<R: Send>(
        &self,
        tokens: &[Vec<u32>],
        adapter: Option<&PackedAdapter>,
        each: impl Fn(usize, &[f32]) -> R + Sync,
    ) -> Vec<R> {
        self.pool.install(|| {
            // The longest first, so that the last groups are small and all
            // threads end together.
            let mut order: Vec<usize> = (0..tokens.len()).collect();
            order.sort_by_key(|&text| std::cmp::Reverse(tokens[text].len()));
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

    fn group_states<R>(
        &self,
        members: &[usize],
        tokens: &[Vec<u32>],
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
        let ids: Vec<&[u32]> = members.iter().map(|&text| &tokens[text][..]).collect();
        let mut states = self.inference.forward(&ids, adapter, tasks, &mut scratch);
        let mut kept = Vec::with_capacity(members.len());
        for &text in members {
            let (own, rest) = states.split_at(tokens[text].len() * self.dimension());
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
