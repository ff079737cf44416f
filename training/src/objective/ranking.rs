//! Ranking against the whole batch: each anchor finds its positive among all
//! positives and negatives (multiple negatives ranking, InfoNCE).
//!
//! **Optimises** the cross-entropy of `softmax(cos(a, c) / temperature)` over
//! all candidates c of the batch, the anchor's own positive being the right
//! one. `symmetric` adds the way back, from a positive to all anchors, and
//! takes the mean of both.
//!
//! **Inputs**: anchor, positive, and `negatives` further texts that are wrong
//! for this anchor; no labels, or a teacher's embeddings for the mask.
//!
//! **Requires** large batches, in which no two examples share a text: what is
//! right for one would count as wrong for the other. `mask_margin` guards
//! against the same fault where it is not visible: a candidate whose cosine
//! exceeds the positive's by more than the margin is not counted as wrong.
//! The cosines are the teacher's where the batch carries its embeddings, else
//! the present ones. The positive itself always counts.
//!
//! **Relations**: [`listwise`](super::listwise) takes graded scores instead
//! of one right answer. As sentence-transformers'
//! `MultipleNegativesRankingLoss` with scale `1/temperature`; symmetric as its
//! directions query→doc and doc→query, each with its own softmax; the mask as in
//! `GISTEmbedLoss`, on anchor against candidates, but with the margin on the
//! other side: there a candidate is hidden already when it comes within the
//! margin of the positive.
//!
//! **Example**: `objective = { kind = "ranking", temperature = 0.05,
//! negatives = 1, mask_margin = 0.1 }`
//!
//! **Paper**: Henderson et al. 2017, *Efficient Natural Language Response
//! Suggestion*, section 4; the mask: Solatorio 2024, *GISTEmbed*.

use super::batch::Batch;
use super::similarity::{cosine_matrix, cross_entropy, mask, numbers};
use super::{Labels, Objective};
use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "ranking";

/// Far below any cosine over any temperature, and yet finite.
const NEVER: f64 = -1e9;

/// Keys of `kind = "ranking"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RankingConfig {
    /// What cosines are divided by; above 0.
    pub temperature: f64,
    /// Texts of an example behind anchor and positive.
    pub negatives: usize,
    /// Also from each positive to all anchors.
    pub symmetric: bool,
    /// Candidates that are nearer than the positive by more than this are
    /// left out; without it none is.
    pub mask_margin: Option<f64>,
}

impl Default for RankingConfig {
    fn default() -> Self {
        Self {
            temperature: 0.05,
            negatives: 0,
            symmetric: false,
            mask_margin: None,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Ranking {
    config: RankingConfig,
}

impl Ranking {
    /// It has no parameters.
    ///
    /// # Errors
    /// When the temperature is not above 0, or the margin is no number.
    pub fn new(config: &RankingConfig) -> Result<Self> {
        require_temperature("temperature", config.temperature)?;
        if let Some(margin) = config.mask_margin.filter(|margin| !margin.is_finite()) {
            bail!("mask_margin = {margin}: a margin is a finite number");
        }
        Ok(Self {
            config: config.clone(),
        })
    }

    /// Cosines of anchors and candidates: the teacher's, or the present ones.
    fn judge(&self, batch: &Batch<'_>, labels: &Labels, own: &Tensor) -> Result<Vec<Vec<f32>>> {
        match labels {
            Labels::None => numbers(own),
            _ => {
                let teacher = batch.teacher()?;
                let candidates = Tensor::cat(&teacher[1..], 0)?;
                numbers(&cosine_matrix(&teacher[0], &candidates)?)
            }
        }
    }
}

impl Objective for Ranking {
    fn columns(&self) -> usize {
        2 + self.config.negatives
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let candidates = Tensor::cat(&batch.columns[1..], 0)?;
        let cosines = cosine_matrix(&batch.columns[0], &candidates)?;
        let mut logits = cosines.affine(1.0 / self.config.temperature, 0.0)?;
        if let Some(margin) = self.config.mask_margin {
            let judged = self.judge(&batch, labels, &cosines)?;
            let hidden = mask(&false_negatives(&judged, margin as f32), &logits)?;
            let never = logits.zeros_like()?.affine(1.0, NEVER)?;
            logits = hidden.where_cond(&never, &logits)?;
        }
        let own = own_places(batch.rows)?;
        let forth = cross_entropy(&logits, &own)?;
        if !self.config.symmetric {
            return Ok(forth);
        }
        let positives = logits.narrow(1, 0, batch.rows)?.t()?.contiguous()?;
        let back = cross_entropy(&positives, &own)?;
        (forth + back)?.affine(0.5, 0.0)
    }
}

/// The candidate in place `i` is the positive of anchor `i`.
fn own_places(rows: usize) -> Result<Vec<u32>> {
    Ok((0..u32::try_from(rows).map_err(candle_core::Error::wrap)?).collect())
}

/// Which candidates exceed the row's own positive by more than the margin.
fn false_negatives(cosines: &[Vec<f32>], margin: f32) -> Vec<Vec<bool>> {
    let row = |(place, row): (usize, &Vec<f32>)| {
        let most = row[place] + margin;
        let exceeds = |(other, cosine): (usize, &f32)| other != place && *cosine > most;
        row.iter().enumerate().map(exceeds).collect()
    };
    cosines.iter().enumerate().map(row).collect()
}

/// A divisor of cosines.
pub(super) fn require_temperature(key: &str, temperature: f64) -> Result<()> {
    if !(temperature.is_finite() && temperature > 0.0) {
        bail!("{key} = {temperature}: a temperature is a number above 0");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_exceeds_the_positive_is_hidden() {
        let cosines = vec![vec![0.5, 0.7, 0.55, 0.4], vec![0.9, 0.2, 0.2, 0.31]];
        let hidden = false_negatives(&cosines, 0.1);
        assert_eq!(hidden[0], [false, true, false, false]);
        assert_eq!(hidden[1], [true, false, false, true]);
        // A negative margin hides what comes near, but never the positive.
        assert_eq!(
            false_negatives(&cosines, -1.0)[0],
            [false, true, true, true]
        );
    }
}
