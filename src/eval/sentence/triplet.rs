use super::{Rows, cosine, euclidean, table};
use crate::error::{Error, ErrorKind, Result};
use serde::Serialize;
use std::path::Path;

/// A text, one that belongs to it and one that does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Triplet {
    /// What the others are compared with.
    pub anchor: String,
    /// Should be near.
    pub positive: String,
    /// Should be farther.
    pub negative: String,
}

impl Triplet {
    /// Reads the columns `anchor`, `positive` and `negative`.
    ///
    /// # Errors
    /// With file and line, when a column is missing or a text is empty.
    pub fn read(path: &Path) -> Result<Vec<Self>> {
        let columns: [&[&str]; 3] = [&["anchor"], &["positive"], &["negative"]];
        let records = table::read(path, columns)?;
        let triplets = records.into_iter().map(|record| {
            let [anchor, positive, negative] = record.cells;
            Self {
                anchor,
                positive,
                negative,
            }
        });
        Ok(triplets.collect())
    }
}

/// The share of triplets whose positive is nearer to the anchor than the
/// negative; equally far is not nearer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TripletScores {
    /// By Euclidean distance.
    pub euclidean_accuracy: f64,
    /// By cosine; the same for vectors of length 1.
    pub cosine_accuracy: f64,
    /// Triplets measured.
    pub triplets: usize,
}

impl TripletScores {
    /// Of the embeddings of anchors, positives and negatives, each with
    /// `dimension` numbers a row.
    ///
    /// # Errors
    /// When there are none, or the sides are not of one length.
    pub fn of(
        anchors: &[f32],
        positives: &[f32],
        negatives: &[f32],
        dimension: usize,
    ) -> Result<Self> {
        let triplets = anchors.len() / dimension.max(1);
        if triplets == 0 {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "there is no triplet to measure",
            ));
        }
        let (mut by_distance, mut by_cosine) = (0usize, 0usize);
        for sides in Rows::new(&[anchors, positives, negatives], triplets, dimension)? {
            let [anchor, positive, negative] = sides[..] else {
                continue;
            };
            by_distance += usize::from(euclidean(anchor, positive) < euclidean(anchor, negative));
            by_cosine += usize::from(cosine(anchor, positive) > cosine(anchor, negative));
        }
        Ok(Self {
            euclidean_accuracy: by_distance as f64 / triplets as f64,
            cosine_accuracy: by_cosine as f64 / triplets as f64,
            triplets,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_by_distance_and_by_cosine_are_counted_apart() {
        let anchors = [1.0, 0.0, 1.0, 0.0];
        // Right by direction, but far; then right in both.
        let positives = [9.0, 0.0, 1.0, 0.1];
        let negatives = [1.0, 1.0, 0.0, 1.0];
        let scores = TripletScores::of(&anchors, &positives, &negatives, 2).unwrap();
        assert_eq!(scores.cosine_accuracy, 1.0);
        assert_eq!(scores.euclidean_accuracy, 0.5);
        assert_eq!(scores.triplets, 2);
    }

    #[test]
    fn equally_far_is_not_nearer() {
        let same = [1.0, 0.0];
        let scores = TripletScores::of(&same, &same, &same, 2).unwrap();
        assert_eq!(
            (scores.euclidean_accuracy, scores.cosine_accuracy),
            (0.0, 0.0)
        );
        assert!(TripletScores::of(&[], &[], &[], 2).is_err());
    }
}
