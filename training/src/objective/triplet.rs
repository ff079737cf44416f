//! Triplets: an anchor nearer to its positive than to its negative.
//!
//! **Optimises** the mean of `max(0, d(a, p) − d(a, n) + margin)`.
//!
//! **Inputs**: anchor, positive, negative; no labels.
//!
//! **Requires** negatives that are neither trivial nor wrong: a section of the
//! same article teaches more than a random text.
//!
//! **Relations**: [`batch_triplet`](super::batch_triplet) finds the triplets
//! among classed texts; [`ranking`](super::ranking) compares an anchor with
//! all positives and negatives of the batch at once.
//!
//! **Example**: `objective = { kind = "triplet", distance = "euclidean",
//! margin = 1.0 }`
//!
//! **Paper**: Schroff, Kalenichenko and Philbin 2015, *FaceNet*; with
//! sentence embeddings, Euclidean distance and margin 1: Reimers and Gurevych
//! 2019, section 3, on the section triplets of Dor et al. 2018.

use super::batch::Batch;
pub use super::similarity::Distance;
use super::similarity::positive_part;
use super::{Labels, Objective};
use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "triplet";

/// Keys of `kind = "triplet"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TripletConfig {
    /// How distance is measured.
    pub distance: Distance,
    /// How much farther the negative must be; above 0. Cosine distances lie
    /// between 0 and 2, so that a margin of 1 is much for them.
    pub margin: f64,
}

impl Default for TripletConfig {
    fn default() -> Self {
        Self {
            distance: Distance::Euclidean,
            margin: 1.0,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Triplet {
    config: TripletConfig,
}

impl Triplet {
    /// It has no parameters.
    ///
    /// # Errors
    /// When the margin is not above 0.
    pub fn new(config: &TripletConfig) -> Result<Self> {
        require_margin(config.margin)?;
        Ok(Self {
            config: config.clone(),
        })
    }
}

impl Objective for Triplet {
    fn columns(&self) -> usize {
        3
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let [anchor, positive, negative] = batch.columns else {
            bail!("a triplet has three texts");
        };
        let distance = self.config.distance;
        let near = distance.pairs(anchor, positive)?;
        let far = distance.pairs(anchor, negative)?;
        mean_excess(&near, &far, self.config.margin)
    }
}

/// A margin that teaches something.
pub(super) fn require_margin(margin: f64) -> Result<()> {
    if !(margin.is_finite() && margin > 0.0) {
        bail!("margin = {margin}: a margin is a number above 0");
    }
    Ok(())
}

/// The mean of `max(0, near − far + margin)`.
pub(super) fn mean_excess(near: &Tensor, far: &Tensor, margin: f64) -> Result<Tensor> {
    positive_part(&(near - far)?.affine(1.0, margin)?)?.mean(0)
}
