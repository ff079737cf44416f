//! Classification of sentence pairs: the objective of natural language
//! inference.
//!
//! **Optimises** the cross-entropy of a linear classifier over `(u, v,
//! |u − v|)`, where u and v are the embeddings of premise and hypothesis. Only
//! the encoder is kept; the classifier is thrown away after training.
//!
//! **Inputs**: two texts; a class. With three classes: contradiction 0,
//! entailment 1, neutral 2.
//!
//! **Requires** labelled pairs, some ten thousand of them; batches shuffled
//! over the classes.
//!
//! **Relations**: gives embeddings whose differences carry meaning, which
//! [`cosine`](super::cosine) or [`ranking`](super::ranking) then turn into
//! similarities. Entailment pairs alone, with contradictions as negatives,
//! suit [`ranking`](super::ranking).
//!
//! **Example**: `objective = { kind = "softmax" }`
//!
//! **Paper**: Reimers and Gurevych 2019, *Sentence-BERT*, section 3
//! ("Classification Objective Function").

use super::batch::Batch;
use super::linear::Linear;
use super::similarity::{absolute, cross_entropy};
use super::{Labels, Objective};
use candle_core::{Result, Tensor, Var, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "softmax";

/// Keys of `kind = "softmax"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SoftmaxConfig {
    /// Classes of the data.
    pub classes: u32,
}

impl Default for SoftmaxConfig {
    fn default() -> Self {
        Self { classes: 3 }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Softmax {
    classifier: Linear,
    classes: u32,
}

impl Softmax {
    /// A classifier with random weights, the same for the same seed.
    ///
    /// # Errors
    /// When there are not at least two classes, or memory runs out.
    pub fn new(config: &SoftmaxConfig, dimension: usize, seed: u64) -> Result<Self> {
        if config.classes < 2 {
            bail!(
                "classes = {}: a classifier needs at least two",
                config.classes
            );
        }
        let classifier = Linear::new("classifier", 3 * dimension, config.classes as usize, seed)?;
        Ok(Self {
            classifier,
            classes: config.classes,
        })
    }

    /// Numbers for each class, before the softmax: `rows × classes`.
    ///
    /// # Errors
    /// When the embeddings are not of one shape, or not of the classifier's
    /// dimension.
    pub fn logits(&self, u: &Tensor, v: &Tensor) -> Result<Tensor> {
        let dimension = u.dim(1)?;
        if 3 * dimension != self.classifier.inputs() {
            bail!(
                "the classifier was made for embeddings of {} numbers, these have {dimension}",
                self.classifier.inputs() / 3
            );
        }
        let difference = absolute(&(u - v)?)?;
        self.classifier
            .forward(&Tensor::cat(&[u, v, &difference], 1)?)
    }
}

impl Objective for Softmax {
    fn columns(&self) -> usize {
        2
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let classes = batch.classes(Some(self.classes))?;
        let logits = self.logits(&batch.columns[0], &batch.columns[1])?;
        cross_entropy(&logits, classes)
    }

    fn parameters(&self) -> Vec<(String, Var)> {
        self.classifier.parameters()
    }
}
