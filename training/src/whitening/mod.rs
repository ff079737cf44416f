//! Soft whitening: a linear layer behind the pooling that spreads the vectors
//! of a field's texts more evenly over all directions.
//!
//! The vectors of an encoder lie close to a few directions, the more so when
//! all texts are of one field: there the largest part of each cosine tells
//! nothing apart. With the covariance `C = U diag(l) Uᵀ` of many texts' vectors,
//! scaled to a mean eigenvalue of 1, the layer is
//!
//! ```text
//! W = U diag((l + shrinkage)^(-power / 2)) Uᵀ
//! ```
//!
//! With `power = 1` and no shrinkage that is whitening (Su et al., 2021,
//! "Whitening Sentence Representations for Better Semantics and Faster
//! Retrieval"; Huang et al., 2021, "WhiteningBERT"), which gives the directions
//! of noise as much weight as those of meaning. A small power keeps their order.
//! The mean is not taken away: the layer has no bias, and a vector's length
//! means nothing afterwards.

mod moments;
#[cfg(test)]
mod tests;

pub use moments::Moments;

use crate::data::corpus::CorpusSpec;
use serde::{Deserialize, Serialize};
use toml::Table;

/// `[model.whitening]` of a configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhiteningConfig {
    /// 0 leaves the vectors as they are, 1 whitens them.
    #[serde(default = "default_power")]
    pub power: f64,
    /// Added to the eigenvalues, whose mean is 1: what keeps directions in
    /// which there is next to nothing from being blown up.
    #[serde(default = "default_shrinkage")]
    pub shrinkage: f64,
    /// Most texts, drawn by the run's seed.
    #[serde(default = "default_texts")]
    pub texts: usize,
    /// Where the texts are: `files` and `exclude`, as for pre-training.
    pub data: Vec<Table>,
}

impl WhiteningConfig {
    /// The corpora.
    ///
    /// # Errors
    /// Names the key that is missing, not known or of another type.
    pub fn corpora(&self) -> medsift::Result<Vec<CorpusSpec>> {
        self.data.iter().map(CorpusSpec::from_table).collect()
    }
}

fn default_power() -> f64 {
    0.25
}

fn default_shrinkage() -> f64 {
    0.1
}

fn default_texts() -> usize {
    10_000
}
