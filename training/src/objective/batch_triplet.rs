//! Triplets found in the batch: texts with classes, the hardest against each
//! other.
//!
//! **Optimises** the mean of `max(0, d(a, p) − d(a, n) + margin)` over
//! triplets that are chosen by the present distances: for each anchor the
//! farthest positive and the nearest negative (`hard`), or for each anchor and
//! positive the nearest negative beyond the positive, or the farthest one
//! where none is beyond (`semi_hard`).
//!
//! **Inputs**: one text; a class (an article, a section, a MeSH heading).
//!
//! **Requires** batches with at least two texts of some class and one of
//! another. A text alone in its class is no anchor, though it serves as a
//! negative; a batch without any triplet has the loss 0.
//!
//! **Relations**: like [`triplet`](super::triplet), whose triplets are given.
//! As `BatchHardTripletLoss` and `BatchSemiHardTripletLoss` of
//! sentence-transformers where every class of the batch has two members; there
//! an anchor without a positive counts with the distance 0.
//!
//! **Example**: `objective = { kind = "batch_triplet", mining = "semi_hard",
//! distance = "cosine", margin = 0.2 }`
//!
//! **Paper**: Hermans, Beyer and Leibe 2017, *In Defense of the Triplet Loss*
//! (hard); Schroff et al. 2015, *FaceNet* (semi-hard).

use super::batch::Batch;
pub use super::mining::Mining;
use super::similarity::{Distance, numbers, pick};
use super::triplet::{mean_excess, require_margin};
use super::{Labels, Objective};
use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "batch_triplet";

/// Keys of `kind = "batch_triplet"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BatchTripletConfig {
    /// Which triplets of the batch count.
    pub mining: Mining,
    /// How distance is measured.
    pub distance: Distance,
    /// How much farther the negative must be; above 0.
    pub margin: f64,
}

impl Default for BatchTripletConfig {
    fn default() -> Self {
        Self {
            mining: Mining::default(),
            distance: Distance::Euclidean,
            margin: 1.0,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct BatchTriplet {
    config: BatchTripletConfig,
}

impl BatchTriplet {
    /// It has no parameters.
    ///
    /// # Errors
    /// When the margin is not above 0.
    pub fn new(config: &BatchTripletConfig) -> Result<Self> {
        require_margin(config.margin)?;
        Ok(Self {
            config: config.clone(),
        })
    }
}

impl Objective for BatchTriplet {
    fn columns(&self) -> usize {
        1
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let classes = batch.classes(None)?;
        let distances = self.config.distance.matrix(&batch.columns[0])?;
        let known = numbers(&distances)?;
        // Comparisons would pass over what is not a number.
        if known.iter().flatten().any(|distance| !distance.is_finite()) {
            bail!("distances in the batch are not finite: the embeddings are not");
        }
        let found = self.config.mining.find(&known, classes);
        if found.is_empty() {
            return batch.columns[0].sum_all()?.affine(0.0, 0.0);
        }
        let near: Vec<_> = found.iter().map(|t| (t.anchor, t.positive)).collect();
        let far: Vec<_> = found.iter().map(|t| (t.anchor, t.negative)).collect();
        mean_excess(
            &pick(&distances, &near)?,
            &pick(&distances, &far)?,
            self.config.margin,
        )
    }
}
