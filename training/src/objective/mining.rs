//! Finding triplets among the texts of a batch, by class and distance.

use serde::{Deserialize, Serialize};

/// Which negatives a triplet takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mining {
    /// For each anchor: the farthest positive and the nearest negative.
    #[default]
    Hard,
    /// For each anchor and each positive: the nearest negative that is
    /// farther than the positive, or the farthest one where none is.
    SemiHard,
}

/// Places in the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) anchor: u32,
    pub(super) positive: u32,
    pub(super) negative: u32,
}

impl Mining {
    /// The triplets of a batch. A text whose class nothing else in the batch
    /// has, or everything else has, is no anchor.
    pub(super) fn find(self, distances: &[Vec<f32>], classes: &[u32]) -> Vec<Found> {
        let mut found = Vec::new();
        for (anchor, row) in distances.iter().enumerate() {
            let same = |other: &usize| classes[*other] == classes[anchor];
            let positives = || (0..classes.len()).filter(|i| *i != anchor && same(i));
            let negatives = || (0..classes.len()).filter(|i| !same(i));
            match self {
                Self::Hard => {
                    let positive = farthest(row, positives());
                    let negative = nearest(row, negatives());
                    found.extend(triplet(anchor, positive, negative));
                }
                Self::SemiHard => found.extend(positives().filter_map(|positive| {
                    let beyond = negatives().filter(|&i| row[i] > row[positive]);
                    let negative = nearest(row, beyond).or_else(|| farthest(row, negatives()));
                    triplet(anchor, Some(positive), negative)
                })),
            }
        }
        found
    }
}

fn triplet(anchor: usize, positive: Option<usize>, negative: Option<usize>) -> Option<Found> {
    let place = |place: usize| u32::try_from(place).ok();
    Some(Found {
        anchor: place(anchor)?,
        positive: place(positive?)?,
        negative: place(negative?)?,
    })
}

/// The first of the farthest.
fn farthest(row: &[f32], places: impl Iterator<Item = usize>) -> Option<usize> {
    places.reduce(|best, next| if row[next] > row[best] { next } else { best })
}

/// The first of the nearest.
fn nearest(row: &[f32], places: impl Iterator<Item = usize>) -> Option<usize> {
    places.reduce(|best, next| if row[next] < row[best] { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four points on a line at 0, 1, 3, 7; two classes.
    fn line() -> (Vec<Vec<f32>>, Vec<u32>) {
        let points = [0.0f32, 1.0, 3.0, 7.0];
        let row = |a: &f32| points.iter().map(|b| (a - b).abs()).collect();
        (points.iter().map(row).collect(), vec![0, 1, 0, 1])
    }

    fn places(found: &[Found]) -> Vec<(u32, u32, u32)> {
        found
            .iter()
            .map(|t| (t.anchor, t.positive, t.negative))
            .collect()
    }

    #[test]
    fn hard_takes_the_farthest_positive_and_the_nearest_negative() {
        let (distances, classes) = line();
        let found = Mining::Hard.find(&distances, &classes);
        assert_eq!(places(&found), [(0, 2, 1), (1, 3, 0), (2, 0, 1), (3, 1, 2)]);
    }

    #[test]
    fn semi_hard_takes_the_nearest_beyond_the_positive_or_the_farthest() {
        let (distances, classes) = line();
        let found = Mining::SemiHard.find(&distances, &classes);
        // From 0 the positive is 3 away, and 7 is the nearest beyond; from 1
        // nothing is beyond the positive, and 3 is the farthest negative.
        assert_eq!(places(&found), [(0, 2, 3), (1, 3, 2), (2, 0, 3), (3, 1, 0)]);
    }

    #[test]
    fn lonely_texts_are_no_anchors() {
        let (distances, _) = line();
        for mining in [Mining::Hard, Mining::SemiHard] {
            assert!(mining.find(&distances, &[0, 1, 2, 3]).is_empty());
            assert!(mining.find(&distances, &[5, 5, 5, 5]).is_empty());
            let one_pair = mining.find(&distances, &[0, 0, 1, 2]);
            assert!(one_pair.iter().all(|t| t.anchor < 2 && t.negative > 1));
            assert_eq!(one_pair.len(), 2);
        }
    }
}
