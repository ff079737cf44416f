//! Maximal marginal relevance: what is relevant and unlike what was taken.
//!
//! Carbonell and Goldstein, *The use of MMR, diversity-based reranking for
//! reordering documents and producing summaries*, SIGIR 1998. The next is the
//! one with the largest λ · relevance − (1 − λ) · (largest similarity to one that
//! was taken).

/// Candidates that are left, and how near each is to what was taken.
pub(super) struct Marginal<'a> {
    lambda: f32,
    relevance: Vec<f32>,
    vectors: Vec<&'a [f32]>,
    /// Largest similarity to one that was taken; nothing while none was.
    nearest: Vec<Option<f32>>,
    left: Vec<bool>,
}

impl<'a> Marginal<'a> {
    /// Candidates with a relevance of 0 to 1 and a unit vector each.
    pub(super) fn new(lambda: f32, candidates: Vec<(f32, &'a [f32])>) -> Self {
        let count = candidates.len();
        let (relevance, vectors) = candidates.into_iter().unzip();
        Self {
            lambda,
            relevance,
            vectors,
            nearest: vec![None; count],
            left: vec![true; count],
        }
    }

    /// The best that is left, which is left no more; of equals the first.
    pub(super) fn next(&mut self) -> Option<usize> {
        let left = (0..self.left.len()).filter(|&at| self.left[at]);
        let mut best: Option<(f32, usize)> = None;
        for at in left {
            let score = self.score(at);
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, at));
            }
        }
        let (_, at) = best?;
        self.left[at] = false;
        Some(at)
    }

    /// Counts one as taken: what is like it becomes less wanted.
    pub(super) fn take(&mut self, taken: usize) {
        let vector = self.vectors[taken];
        for at in 0..self.vectors.len() {
            if self.left[at] {
                let near = dot(vector, self.vectors[at]);
                let known = self.nearest[at].unwrap_or(near);
                self.nearest[at] = Some(known.max(near));
            }
        }
    }

    fn score(&self, at: usize) -> f32 {
        let nearest = self.nearest[at].unwrap_or(0.0);
        self.lambda * self.relevance[at] - (1.0 - self.lambda) * nearest
    }
}

/// The cosine of two unit vectors.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const WIDTH: usize = 16;
    let mut sums = [0.0f32; WIDTH];
    let (a_blocks, a_rest) = a.as_chunks::<WIDTH>();
    let (b_blocks, b_rest) = b.as_chunks::<WIDTH>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EAST: [f32; 2] = [1.0, 0.0];
    const NORTH: [f32; 2] = [0.0, 1.0];
    const NORTH_EAST: [f32; 2] = [0.8, 0.6];

    fn order(lambda: f32, candidates: &[(f32, &[f32])]) -> Vec<usize> {
        let mut marginal = Marginal::new(lambda, candidates.to_vec());
        let mut order = Vec::new();
        while let Some(next) = marginal.next() {
            marginal.take(next);
            order.push(next);
        }
        order
    }

    #[test]
    fn what_repeats_comes_later_the_more_diversity_counts() {
        let candidates: [(f32, &[f32]); 3] = [(1.0, &EAST), (0.9, &NORTH_EAST), (0.5, &NORTH)];
        assert_eq!(order(1.0, &candidates), [0, 1, 2]);
        // 0.7 · 0.9 − 0.3 · 0.8 = 0.39 against 0.7 · 0.5 = 0.35.
        assert_eq!(order(0.7, &candidates), [0, 1, 2]);
        // 0.5 · 0.9 − 0.5 · 0.8 = 0.05 against 0.5 · 0.5 = 0.25.
        assert_eq!(order(0.5, &candidates), [0, 2, 1]);
    }

    #[test]
    fn what_is_passed_over_makes_nothing_less_wanted() {
        let candidates: Vec<(f32, &[f32])> = vec![(1.0, &EAST), (0.9, &EAST), (0.5, &NORTH)];
        let mut marginal = Marginal::new(0.5, candidates);
        assert_eq!(marginal.next(), Some(0));
        assert_eq!(marginal.next(), Some(1));
    }

    proptest! {
        #[test]
        fn every_candidate_comes_once_and_relevance_alone_is_the_order(
            relevance in prop::collection::vec(0f32..1.0, 0..20), lambda in 0f32..1.0,
        ) {
            let candidates: Vec<(f32, &[f32])> =
                relevance.iter().map(|&one| (one, &EAST[..])).collect();
            let mut found = order(lambda, &candidates);
            found.sort_unstable();
            prop_assert_eq!(found, (0..relevance.len()).collect::<Vec<_>>());
            let by_relevance = order(1.0, &candidates);
            prop_assert!(by_relevance.windows(2).all(|two| relevance[two[0]] >= relevance[two[1]]));
        }

        #[test]
        fn the_product_is_that_of_the_definition(
            pairs in prop::collection::vec((-1f32..1.0, -1f32..1.0), 0..50),
        ) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
            let plain: f32 = pairs.iter().map(|(a, b)| a * b).sum();
            prop_assert!((dot(&a, &b) - plain).abs() < 1e-4);
        }
    }
}
