//! A part of many examples or queries.

use crate::data::random::generator;
use rand::seq::SliceRandom;

/// At most `limit` of them, drawn with the seed and left in their order.
pub fn draw<T>(examples: Vec<T>, limit: usize, seed: u64) -> Vec<T> {
    let count = examples.len();
    if limit >= count {
        return examples;
    }
    let mut order: Vec<usize> = (0..count).collect();
    let (chosen, _) = order.partial_shuffle(&mut generator(seed, "draw", &[]), limit);
    let mut keep = vec![false; count];
    for &mut at in chosen {
        keep[at] = true;
    }
    let kept = examples.into_iter().zip(keep);
    kept.filter_map(|(example, kept)| kept.then_some(example))
        .collect()
}
