//! Distillation of embeddings: the student's vectors become the teacher's.
//!
//! **Optimises** the mean squared error between the student's and the
//! teacher's embedding of the same text, over all numbers, meaned over the
//! columns. Where the teacher's vectors are longer, a linear projection of the
//! student's is compared, and thrown away after training.
//!
//! **Inputs**: `texts` texts; the teacher's embedding of each.
//!
//! **Requires** the same normalisation on both sides: unit vectors of the
//! teacher for a student that normalises. Any text will do, and many of them;
//! no labels by hand.
//!
//! **Relations**: [`margin`](super::margin) and
//! [`listwise`](super::listwise) take over only what the teacher says of
//! pairs, so that the student's space stays its own. As `MSELoss` of
//! sentence-transformers.
//!
//! **Example**: `objective = { kind = "distillation", teacher_dimension = 768 }`
//!
//! **Paper**: Reimers and Gurevych 2020, *Making Monolingual Sentence
//! Embeddings Multilingual using Knowledge Distillation*; Hinton et al. 2015.

use super::batch::Batch;
use super::linear::Linear;
use super::similarity::mean_squared_error;
use super::{Labels, Objective};
use candle_core::{Result, Tensor, Var, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "distillation";

/// Keys of `kind = "distillation"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DistillationConfig {
    /// Texts of an example.
    pub texts: usize,
    /// Numbers in the teacher's vectors, where they are projected to; without
    /// it both sides have the same dimension.
    pub teacher_dimension: Option<usize>,
}

impl Default for DistillationConfig {
    fn default() -> Self {
        Self {
            texts: 1,
            teacher_dimension: None,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Distillation {
    texts: usize,
    projection: Option<Linear>,
}

impl Distillation {
    /// With a projection, random by the seed, where one is asked for.
    ///
    /// # Errors
    /// When a count is 0, or memory runs out.
    pub fn new(config: &DistillationConfig, dimension: usize, seed: u64) -> Result<Self> {
        if config.texts == 0 || config.teacher_dimension == Some(0) {
            bail!("texts and teacher_dimension are at least 1");
        }
        let projection = config
            .teacher_dimension
            .map(|outputs| Linear::new("projection", dimension, outputs, seed))
            .transpose()?;
        Ok(Self {
            texts: config.texts,
            projection,
        })
    }

    fn column(&self, student: &Tensor, teacher: &Tensor) -> Result<Tensor> {
        let student = match &self.projection {
            Some(projection) => projection.forward(student)?,
            None => student.clone(),
        };
        if student.dims() != teacher.dims() {
            let (have, want) = (student.dim(1)?, teacher.dim(1)?);
            bail!(
                "the teacher's vectors have {want} numbers, the student's {have}: \
                 set teacher_dimension = {want} to project them"
            );
        }
        mean_squared_error(&student, teacher)
    }
}

impl Objective for Distillation {
    fn columns(&self) -> usize {
        self.texts
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let teacher = batch.teacher()?;
        let losses = batch
            .columns
            .iter()
            .zip(&teacher)
            .map(|(student, teacher)| self.column(student, teacher))
            .collect::<Result<Vec<_>>>()?;
        Tensor::stack(&losses, 0)?.mean(0)
    }

    fn parameters(&self) -> Vec<(String, Var)> {
        self.projection
            .as_ref()
            .map(Linear::parameters)
            .unwrap_or_default()
    }
}
