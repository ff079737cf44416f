//! Regression of graded similarity: the objective of semantic textual
//! similarity.
//!
//! **Optimises** the mean squared error between the cosine of two embeddings
//! and a score that is brought to the cosine's range: `y/2.5 − 1` by default,
//! or `y/5`, the target of sentence-transformers' `CosineSimilarityLoss`.
//!
//! **Inputs**: two texts; a score between 0 (unrelated) and 5 (the same).
//!
//! **Requires** human scores, a few thousand. Scores of other ranges are
//! scaled to 0–5 when they are loaded.
//!
//! **Relations**: [`graded`](super::graded) learns the order of the scores
//! only, which is what Spearman's coefficient measures.
//!
//! **Example**: `objective = { kind = "cosine", target = "signed" }`
//!
//! **Paper**: Reimers and Gurevych 2019, *Sentence-BERT*, section 3
//! ("Regression Objective Function").

use super::batch::Batch;
use super::similarity::{cosine_pairs, mean_squared_error};
use super::{Labels, Objective};
use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "cosine";

/// The largest score.
const MOST: f32 = 5.0;

/// Keys of `kind = "cosine"`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CosineConfig {
    /// What cosine a score stands for.
    pub target: Target,
}

/// What cosine a score stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// `y/2.5 − 1`: 0 is opposite, 5 the same.
    #[default]
    Signed,
    /// `y/5`: 0 is at right angles, 5 the same.
    Unit,
}

impl Target {
    /// The cosine that a score between 0 and 5 stands for.
    pub fn of(self, score: f32) -> f32 {
        match self {
            Self::Signed => score / (MOST / 2.0) - 1.0,
            Self::Unit => score / MOST,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Cosine {
    target: Target,
}

impl Cosine {
    /// It has no parameters.
    pub fn new(config: &CosineConfig) -> Self {
        Self {
            target: config.target,
        }
    }
}

impl Objective for Cosine {
    fn columns(&self) -> usize {
        2
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let scores = batch.scores()?;
        if let Some(score) = scores.iter().find(|score| !(0.0..=MOST).contains(*score)) {
            bail!("the score {score} is not between 0 and {MOST}");
        }
        let targets: Vec<f32> = scores.iter().map(|&score| self.target.of(score)).collect();
        let cosines = cosine_pairs(&batch.columns[0], &batch.columns[1])?;
        mean_squared_error(&cosines, &batch.vector(&targets)?)
    }
}
