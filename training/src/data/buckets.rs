//! Micro-batches of texts of like lengths.

/// Puts texts into micro-batches: every index once, the longest texts first,
/// so that a run that does not fit into memory fails at its beginning.
///
/// `lengths` are the texts' lengths in tokens; `budget` is the most that a
/// micro-batch may cost, its count times its longest text, as if the shorter
/// ones were padded. A text that is longer than the budget has a micro-batch
/// of its own. Lengths are not changed, and texts of equal length keep their
/// order.
pub fn buckets(lengths: &[usize], budget: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(lengths[index]));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    // The first of a batch is its longest.
    let mut longest = 0usize;
    for index in order {
        match batches.last_mut() {
            Some(batch) if longest.saturating_mul(batch.len() + 1) <= budget => batch.push(index),
            _ => {
                longest = lengths[index];
                batches.push(vec![index]);
            }
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn like_lengths_come_together() {
        assert_eq!(
            buckets(&[3, 10, 4, 9, 30], 20),
            [vec![4], vec![1, 3], vec![2, 0]]
        );
        assert!(buckets(&[], 8).is_empty());
    }

    proptest! {
        #[test]
        fn every_text_once_and_no_batch_above_the_budget(
            lengths in prop::collection::vec(0usize..600, 0..200),
            budget in 0usize..4000,
        ) {
            let batches = buckets(&lengths, budget);
            let mut seen: Vec<usize> = batches.iter().flatten().copied().collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                let longest = batch.iter().map(|&index| lengths[index]).max().unwrap();
                prop_assert!(batch.len() == 1 || longest * batch.len() <= budget);
            }
            // Lengths fall from batch to batch.
            let flat: Vec<usize> = batches.iter().flatten().map(|&i| lengths[i]).collect();
            prop_assert!(flat.is_sorted_by(|a, b| a >= b));
        }
    }
}
