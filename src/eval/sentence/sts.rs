use super::{Rows, cosine, table};
use crate::error::{Error, ErrorKind, Result};
use crate::eval::correlation::{pearson, spearman};
use serde::Serialize;
use std::path::Path;

/// Two sentences, and how alike people found them.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredPair {
    /// The first sentence.
    pub first: String,
    /// The second sentence.
    pub second: String,
    /// On the data set's own scale, which does not matter for correlation.
    pub score: f64,
}

impl ScoredPair {
    /// Reads the columns `sentence1`, `sentence2` and `score`.
    ///
    /// # Errors
    /// With file and line, when a column is missing, a sentence is empty or a
    /// score is no number.
    pub fn read(path: &Path) -> Result<Vec<Self>> {
        let columns: [&[&str]; 3] = [&["sentence1"], &["sentence2"], &["score"]];
        let records = table::read(path, columns)?;
        let pairs = records.into_iter().map(|record| {
            let [first, second, score] = record.cells;
            let number = score.parse().ok().filter(|score: &f64| score.is_finite());
            let score = number.ok_or_else(|| {
                let what = format!("the score {score:?} is no number");
                table::fault(path, record.line, what)
            })?;
            Ok(Self {
                first,
                second,
                score,
            })
        });
        pairs.collect()
    }
}

/// How well cosines follow the scores of people (semantic textual
/// similarity).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StsScores {
    /// Spearman's coefficient of cosines and scores, the usual figure.
    pub spearman: f64,
    /// Pearson's coefficient of the same.
    pub pearson: f64,
    /// Pairs measured.
    pub pairs: usize,
}

impl StsScores {
    /// Of the embeddings of the first and of the second sentences, each with
    /// `dimension` numbers a row.
    ///
    /// # Errors
    /// When there are fewer than two pairs, or all scores or all cosines are
    /// the same, so that nothing can be correlated.
    pub fn of(
        pairs: &[ScoredPair],
        first: &[f32],
        second: &[f32],
        dimension: usize,
    ) -> Result<Self> {
        let rows = Rows::new(&[first, second], pairs.len(), dimension)?;
        let cosines: Vec<f64> = rows.map(|sides| cosine(sides[0], sides[1])).collect();
        let scores: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
        let undefined = || {
            Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "{} pair(s) cannot be correlated: two at least are needed, with scores and \
                     cosines that are not all the same",
                    pairs.len()
                ),
            )
        };
        Ok(Self {
            spearman: spearman(&cosines, &scores).ok_or_else(undefined)?,
            pearson: pearson(&cosines, &scores).ok_or_else(undefined)?,
            pairs: pairs.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(scores: &[f64]) -> Vec<ScoredPair> {
        let pair = |&score| ScoredPair {
            first: String::new(),
            second: String::new(),
            score,
        };
        scores.iter().map(pair).collect()
    }

    #[test]
    fn cosines_are_correlated_with_scores() {
        // Cosines 1, 0, −1 and 0.6.
        let first = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
        let second = [2.0, 0.0, 0.0, 1.0, -1.0, 0.0, 3.0, 4.0];
        let scores = StsScores::of(&pairs(&[5.0, 2.0, 0.0, 3.0]), &first, &second, 2).unwrap();
        assert!((scores.spearman - 1.0).abs() < 1e-12 && scores.pairs == 4);
        // Deviations from the means multiplied: 5.3, 2.27 and 13.
        let pearson = 5.3 / (2.27f64 * 13.0).sqrt();
        assert!((scores.pearson - pearson).abs() < 1e-12);
        let wrong = StsScores::of(&pairs(&[0.0, 3.0, 5.0, 2.0]), &first, &second, 2).unwrap();
        assert!((wrong.spearman + 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_correlated_is_an_error() {
        let same = [1.0, 0.0, 1.0, 0.0];
        let error = StsScores::of(&pairs(&[1.0, 2.0]), &same, &same, 2).unwrap_err();
        assert!(error.to_string().contains("2 pair(s)"), "{error}");
    }
}
