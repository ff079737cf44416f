//! Measuring sentence encoders: similarity, inference and triplets, on tables
//! of tab-separated columns.
//!
//! The scores are pure functions of embeddings, given as rows of numbers one
//! behind the other, so that a network in training is measured as an
//! [`Encoder`](crate::encoder::Encoder) is.

mod classifier;
mod nli;
mod sts;
mod table;
mod triplet;

pub use classifier::PairClassifier;
pub use nli::{NLI_CLASSES, NliPair, NliScores};
pub use sts::{ScoredPair, StsScores};
pub(super) use table::{content, fault};
pub use triplet::{Triplet, TripletScores};

use crate::error::{Error, ErrorKind, Result};

/// The cosine of two vectors; 0 where one has no direction.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let product = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    let lengths = (product(a, a) * product(b, b)).sqrt();
    if lengths == 0.0 {
        return 0.0;
    }
    product(a, b) / lengths
}

/// The length of the difference of two vectors.
pub fn euclidean(a: &[f32], b: &[f32]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| {
        let apart = f64::from(*a) - f64::from(*b);
        apart * apart
    });
    squares.sum::<f64>().sqrt()
}

/// Rows of equally many numbers, as many on each side.
struct Rows<'a> {
    sides: Vec<std::slice::ChunksExact<'a, f32>>,
}

impl<'a> Rows<'a> {
    /// Checks that each side holds `count` rows of `dimension` finite numbers.
    fn new(sides: &[&'a [f32]], count: usize, dimension: usize) -> Result<Self> {
        for side in sides {
            if dimension == 0 || side.len() != count * dimension {
                return Err(Error::new(
                    ErrorKind::Internal,
                    format!(
                        "{} numbers are not {count} embeddings of {dimension}",
                        side.len()
                    ),
                ));
            }
            if let Some(place) = side.iter().position(|number| !number.is_finite()) {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "the embedding of text {} holds {}: the model cannot be measured",
                        place / dimension,
                        side[place]
                    ),
                ));
            }
        }
        let sides = sides.iter().map(|side| side.chunks_exact(dimension));
        Ok(Self {
            sides: sides.collect(),
        })
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Vec<&'a [f32]>;

    /// The next row of each side.
    fn next(&mut self) -> Option<Self::Item> {
        self.sides.iter_mut().map(Iterator::next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_and_distances_are_those_of_the_definition() {
        assert!((cosine(&[3.0, 4.0], &[4.0, 3.0]) - 0.96).abs() < 1e-12);
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
        assert_eq!(euclidean(&[1.0, 1.0], &[4.0, 5.0]), 5.0);
    }

    #[test]
    fn embeddings_that_do_not_fit_are_refused() {
        assert!(Rows::new(&[&[1.0; 6], &[1.0; 6]], 3, 2).is_ok());
        let error = Rows::new(&[&[1.0; 5]], 3, 2).err().unwrap().to_string();
        assert!(error.contains("5 numbers"), "{error}");
        let bad = [1.0, 1.0, f32::NAN, 1.0];
        let error = Rows::new(&[&bad], 2, 2).err().unwrap().to_string();
        assert!(error.contains("text 1") && error.contains("NaN"), "{error}");
    }
}
