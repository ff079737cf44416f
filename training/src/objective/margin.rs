//! Distillation of margins: how much better a teacher finds one passage than
//! another.
//!
//! **Optimises** the mean squared error between the student's margins
//! `s(q, p₁) − s(q, pᵢ)` and the teacher's, for every passage behind the
//! first.
//!
//! **Inputs**: a query, a passage, and `negatives` further passages; the
//! teacher's score of each passage or, with one further passage, the teacher's
//! margin as the example's score.
//!
//! **Requires** a teacher whose scores have the range of the student's: with
//! `cosine` a teacher that gives cosines, with `dot` and vectors that are not
//! normalised any. It does not matter whether the first passage is right.
//!
//! **Relations**: [`listwise`](super::listwise) compares distributions, which
//! have no range. As `MarginMSELoss` of sentence-transformers.
//!
//! **Example**: `objective = { kind = "margin_mse", negatives = 1, similarity
//! = "cosine" }`
//!
//! **Paper**: Hofstätter et al. 2020, *Improving Efficient Neural Ranking
//! Models with Cross-Architecture Knowledge Distillation*.

use super::batch::Batch;
pub use super::similarity::Similarity;
use super::similarity::mean_squared_error;
use super::{Labels, Objective};
use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "margin_mse";

/// Keys of `kind = "margin_mse"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MarginConfig {
    /// Passages of an example behind the first; at least 1.
    pub negatives: usize,
    /// What the student's score is.
    pub similarity: Similarity,
}

impl Default for MarginConfig {
    fn default() -> Self {
        Self {
            negatives: 1,
            similarity: Similarity::Dot,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Margin {
    config: MarginConfig,
}

impl Margin {
    /// It has no parameters.
    ///
    /// # Errors
    /// When there is nothing to compare with.
    pub fn new(config: &MarginConfig) -> Result<Self> {
        if config.negatives == 0 {
            bail!("negatives = 0: a margin needs at least one further passage");
        }
        Ok(Self {
            config: config.clone(),
        })
    }
}

impl Objective for Margin {
    fn columns(&self) -> usize {
        2 + self.config.negatives
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let teacher = if batch.has_scores() && self.config.negatives == 1 {
            batch.vector(batch.scores()?)?.unsqueeze(1)?
        } else {
            margins(&batch.lists()?)?
        };
        let scores = passage_scores(self.config.similarity, batch.columns)?;
        mean_squared_error(&margins(&scores)?, &teacher)
    }
}

/// The query's score with each passage: `rows × passages`.
pub(super) fn passage_scores(similarity: Similarity, columns: &[Tensor]) -> Result<Tensor> {
    let scores = columns[1..]
        .iter()
        .map(|passage| similarity.pairs(&columns[0], passage))
        .collect::<Result<Vec<_>>>()?;
    Tensor::stack(&scores, 1)
}

/// The first column less each of the others.
fn margins(scores: &Tensor) -> Result<Tensor> {
    let others = scores.narrow(1, 1, scores.dim(1)? - 1)?;
    scores.narrow(1, 0, 1)?.broadcast_sub(&others)
}
