//! A part of many examples.

use crate::data::random::generator;
use crate::example::Example;
use rand::seq::SliceRandom;

/// At most `limit` examples, drawn with the seed and left in their order.
pub fn draw(examples: Vec<Example>, limit: usize, seed: u64) -> Vec<Example> {
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
