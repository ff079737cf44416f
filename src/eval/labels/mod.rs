//! Labels of texts: accuracy, F1 and the area under the ROC curve.
//!
//! The numbers are those of scikit-learn, against which the tests hold them.

mod area;
mod map;
#[cfg(test)]
mod tests;

pub use area::area_under_curve;
pub use map::LabelMap;

use crate::error::{Error, ErrorKind, Result};
use serde::Serialize;

/// Counts the labels of texts.
#[derive(Debug, Clone)]
pub struct LabelCounter {
    labels: Vec<String>,
    negative: Option<usize>,
    counts: Vec<Counts>,
    texts: usize,
    /// Of each text its label and, with two labels, the probability of the
    /// positive one.
    chances: Vec<(bool, f64)>,
}

/// Texts of a label, or relations of a type, by what became of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) gold: usize,
    pub(super) predicted: usize,
    pub(super) correct: usize,
}

/// Precision, recall and F1, each from 0 to 1; 0 where nothing was predicted
/// or nothing was to be found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LabelScore {
    /// Share of the predictions that are right.
    pub precision: f64,
    /// Share of the texts with the label that got it.
    pub recall: f64,
    /// Harmonic mean of both.
    pub f1: f64,
    /// Texts with the label.
    pub gold: usize,
    /// Texts that got it.
    pub predicted: usize,
    /// Those that got it and have it.
    pub correct: usize,
}

/// A label and its scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedScore {
    /// The label.
    pub label: String,
    /// Its scores.
    #[serde(flatten)]
    pub score: LabelScore,
}

/// Scores of labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelScores {
    /// Share of the texts that got their label.
    pub accuracy: f64,
    /// Over all labels but the negative one, each text counted alike: with one
    /// positive label its own scores, as published for GAD and EU-ADR; with
    /// several the micro average, as published for ChemProt. Without a negative
    /// label precision, recall and F1 are the accuracy.
    pub micro: LabelScore,
    /// Mean of the F1 of all labels that occur or were predicted, the negative
    /// one too.
    pub macro_f1: f64,
    /// Area under the ROC curve; with two labels, both of which occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc: Option<f64>,
    /// By label, in the order of the head.
    pub labels: Vec<NamedScore>,
    /// Texts measured.
    pub texts: usize,
}

impl LabelCounter {
    /// A counter of labels that has seen nothing; `negative` is the place of
    /// the one that says that there is nothing.
    pub fn new(labels: &[String], negative: Option<usize>) -> Self {
        Self {
            labels: labels.to_vec(),
            negative,
            counts: vec![Counts::default(); labels.len()],
            texts: 0,
            chances: Vec::new(),
        }
    }

    /// Adds a text: the place of its label, and the probabilities of all. The
    /// largest is the prediction; of equals the first.
    ///
    /// # Errors
    /// When there are not as many as labels, one is no number, or there is no
    /// such label.
    pub fn add(&mut self, gold: usize, probabilities: &[f32]) -> Result<()> {
        let whole = probabilities.iter().all(|chance| chance.is_finite());
        if probabilities.len() != self.labels.len() || gold >= self.labels.len() || !whole {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "text {}: {probabilities:?} are no probabilities of {} labels: the model \
                     cannot be measured",
                    self.texts + 1,
                    self.labels.len()
                ),
            ));
        }
        let mut predicted = 0;
        for (place, chance) in probabilities.iter().enumerate() {
            if *chance > probabilities[predicted] {
                predicted = place;
            }
        }
        self.counts[gold].gold += 1;
        self.counts[predicted].predicted += 1;
        self.counts[gold].correct += usize::from(gold == predicted);
        if self.labels.len() == 2 {
            let positive = usize::from(self.negative != Some(1));
            let chance = f64::from(probabilities[positive]);
            self.chances.push((gold == positive, chance));
        }
        self.texts += 1;
        Ok(())
    }

    /// What was counted so far.
    pub fn scores(&self) -> LabelScores {
        let mut all = Counts::default();
        let mut correct = 0;
        for (place, counts) in self.counts.iter().enumerate() {
            correct += counts.correct;
            if self.negative != Some(place) {
                all.gold += counts.gold;
                all.predicted += counts.predicted;
                all.correct += counts.correct;
            }
        }
        let seen = self
            .counts
            .iter()
            .filter(|one| one.gold + one.predicted > 0);
        let f1s: Vec<f64> = seen.map(|counts| counts.score().f1).collect();
        let named = self.labels.iter().zip(&self.counts);
        LabelScores {
            accuracy: share(correct, self.texts),
            micro: all.score(),
            macro_f1: f1s.iter().sum::<f64>() / f1s.len().max(1) as f64,
            auc: area_under_curve(&self.chances),
            labels: named
                .map(|(label, counts)| NamedScore {
                    label: label.clone(),
                    score: counts.score(),
                })
                .collect(),
            texts: self.texts,
        }
    }
}

impl Counts {
    pub(super) fn score(self) -> LabelScore {
        LabelScore {
            precision: share(self.correct, self.predicted),
            recall: share(self.correct, self.gold),
            // 2 P R / (P + R), without dividing by P + R = 0.
            f1: share(2 * self.correct, self.predicted + self.gold),
            gold: self.gold,
            predicted: self.predicted,
            correct: self.correct,
        }
    }
}

pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
