//! The best articles of a search.

use crate::ArticleKey;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Keeps the best articles by score; equal scores go by key, lower first.
pub(super) struct Top {
    limit: usize,
    /// Where the list goes on: articles up to this one are passed over.
    after: Option<Candidate>,
    /// Its greatest element is the worst article that is kept.
    heap: BinaryHeap<Candidate>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    key: ArticleKey,
    score: f32,
}

impl Eq for Candidate {}

/// Greater is worse.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then(self.key.cmp(&other.key))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Top {
    /// Keeps at most `limit` articles.
    pub(super) fn new(limit: usize) -> Self {
        Self::after(limit, None)
    }

    /// Keeps at most `limit` articles of those that come behind a place.
    pub(super) fn after(limit: usize, place: Option<(ArticleKey, f32)>) -> Self {
        Self {
            limit,
            after: place.map(|(key, score)| Candidate { key, score }),
            heap: BinaryHeap::new(),
        }
    }

    /// Score below which an article need not be offered.
    pub(super) fn threshold(&self) -> f32 {
        if self.limit == 0 {
            return f32::INFINITY;
        }
        match self.heap.peek() {
            Some(worst) if self.heap.len() == self.limit => worst.score,
            _ => 0.0,
        }
    }

    /// Takes an article if it is among the best so far.
    pub(super) fn offer(&mut self, key: ArticleKey, score: f32) {
        let candidate = Candidate { key, score };
        if self.after.is_some_and(|after| candidate <= after) {
            return;
        }
        if self.heap.len() < self.limit {
            self.heap.push(candidate);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate < *worst
        {
            *worst = candidate;
        }
    }

    /// The articles, best first.
    pub(super) fn into_sorted(self) -> Vec<(ArticleKey, f32)> {
        let sorted = self.heap.into_sorted_vec().into_iter();
        sorted
            .map(|candidate| (candidate.key, candidate.score))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_sorting_everything(
            scores in prop::collection::vec(0_u8..6, 0..40),
            limit in 0_usize..12,
        ) {
            let all: Vec<_> = scores
                .iter()
                .enumerate()
                .map(|(i, &score)| (ArticleKey((i * 7 % 41) as u32), f32::from(score) + 1.0))
                .collect();
            let mut top = Top::new(limit);
            for &(key, score) in &all {
                if score >= top.threshold() {
                    top.offer(key, score);
                }
            }
            let mut expected = all;
            expected.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            expected.truncate(limit);
            prop_assert_eq!(top.into_sorted(), expected);
        }

        #[test]
        fn pages_add_up_to_the_whole(
            scores in prop::collection::vec(0_u8..4, 0..40),
            page in 1_usize..7,
        ) {
            let all: Vec<_> = scores
                .iter()
                .zip(0_u32..)
                .map(|(&score, key)| (ArticleKey(key), f32::from(score)))
                .collect();
            let list = |limit, place| {
                let mut top = Top::after(limit, place);
                for &(key, score) in &all {
                    top.offer(key, score);
                }
                top.into_sorted()
            };
            let mut walked = Vec::new();
            loop {
                let next = list(page, walked.last().copied());
                if next.is_empty() {
                    break;
                }
                walked.extend(next);
            }
            prop_assert_eq!(walked, list(all.len(), None));
        }
    }
}
