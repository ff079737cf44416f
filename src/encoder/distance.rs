//! Relative positions: what attention scores get for the distance of two tokens
//! (Raffel et al., 2020, section 2.1; in MPNet, Song et al., 2020).

use super::architecture::Architecture;
use super::kernel::Distances;
use super::layout::Layout;
use super::weights::Weights;
use crate::Result;

/// From here on all distances are one class.
const FAR: f64 = 128.0;

/// The class of the distance from a query to a key, of `classes`: those behind
/// the query are the upper half. In each half the first half are distances of
/// their own, and the others grow by the logarithm.
pub(super) fn class(query: usize, key: usize, classes: usize) -> usize {
    let half = classes / 2;
    let exact = half / 2;
    let side = if key > query { half } else { 0 };
    let distance = query.abs_diff(key);
    if distance < exact {
        return side + distance;
    }
    let share = (distance as f64 / exact as f64).ln() / (FAR / exact as f64).ln();
    side + (exact + (share * (half - exact) as f64) as usize).min(half - 1)
}

/// For each head what is added to a score, by the place of the key before or
/// behind the query.
#[derive(Debug)]
pub(super) struct DistanceTable {
    rows: Vec<f32>,
    tokens: usize,
}

impl DistanceTable {
    /// That of a network; none where it has none.
    pub(super) fn read(weights: &Weights, architecture: &Architecture) -> Result<Option<Self>> {
        let Some(name) = Layout::of(architecture).distances else {
            return Ok(None);
        };
        let table = weights.numbers(&format!("{name}.weight"))?;
        let (tokens, heads) = (architecture.max_tokens(), architecture.heads);
        let mut rows = Vec::with_capacity(heads * (2 * tokens - 1));
        for head in 0..heads {
            rows.extend((0..2 * tokens - 1).map(|place| {
                let class = class(tokens - 1, place, architecture.distances);
                table[class * heads + head]
            }));
        }
        Ok(Some(Self { rows, tokens }))
    }

    /// As the kernels take it.
    pub(super) fn view(&self) -> Distances<'_> {
        Distances {
            rows: &self.rows,
            tokens: self.tokens,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::class;

    #[test]
    fn near_distances_have_classes_of_their_own_and_far_ones_share_the_last() {
        let of = |key: usize| class(500, key, 32);
        assert_eq!([of(500), of(499), of(493)], [0, 1, 7]);
        assert_eq!([of(501), of(507)], [17, 23]);
        assert_eq!([of(492), of(508)], [8, 24]);
        assert_eq!([of(372), of(0), of(628), of(2000)], [15, 15, 31, 31]);
        assert!((0..500).rev().map(of).is_sorted());
    }
}
