//! Cutting an order of examples into batches.

use crate::example::Example;
use std::collections::{HashMap, HashSet, VecDeque};

/// Examples that had to wait are looked at this many times the size of a
/// batch before new ones are taken, so that a set in which most examples
/// share a text stays linear.
const PATIENCE: usize = 64;

/// The texts of each example, as numbers.
#[derive(Debug)]
pub(super) struct Texts(Vec<Vec<u32>>);

impl Texts {
    /// Numbers texts; those that differ in case and surrounding space only
    /// have the same.
    pub(super) fn of(examples: &[Example]) -> Self {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        Self(
            examples
                .iter()
                .map(|example| {
                    example
                        .texts
                        .iter()
                        .map(|text| {
                            let next = numbers.len() as u32;
                            *numbers.entry(text.trim().to_lowercase()).or_insert(next)
                        })
                        .collect()
                })
                .collect(),
        )
    }

    fn of_example(&self, example: usize) -> &[u32] {
        &self.0[example]
    }
}

/// Batches in the given order.
pub(super) fn plain_batches(order: &[usize], size: usize) -> Vec<Vec<usize>> {
    order.chunks(size).map(<[usize]>::to_vec).collect()
}

/// Batches in which no two examples share a text. An example that does not
/// fit waits for the next batch; every example is in exactly one, and some
/// batches are not full.
pub(super) fn distinct_batches(order: &[usize], size: usize, texts: &Texts) -> Vec<Vec<usize>> {
    let mut fresh = order.iter().copied().peekable();
    let mut waiting: VecDeque<usize> = VecDeque::new();
    let mut batches = Vec::new();
    while !waiting.is_empty() || fresh.peek().is_some() {
        let mut batch = Vec::with_capacity(size);
        let mut taken = HashSet::new();
        let looks = waiting.len().min(size.saturating_mul(PATIENCE));
        for _ in 0..looks {
            if batch.len() == size {
                break;
            }
            if let Some(example) = waiting.pop_front()
                && !join(&mut batch, &mut taken, example, texts)
            {
                waiting.push_back(example);
            }
        }
        let mut looks = size.saturating_mul(PATIENCE);
        while batch.len() < size && looks > 0 {
            let Some(example) = fresh.next() else { break };
            looks -= 1;
            if !join(&mut batch, &mut taken, example, texts) {
                waiting.push_back(example);
            }
        }
        batches.push(batch);
    }
    batches
}

/// Adds an example unless one of its texts is there already.
fn join(batch: &mut Vec<usize>, taken: &mut HashSet<u32>, example: usize, texts: &Texts) -> bool {
    let own = texts.of_example(example);
    if own.iter().any(|text| taken.contains(text)) {
        return false;
    }
    taken.extend(own);
    batch.push(example);
    true
}
