//! Distillation of similarities: the student finds the passages of a batch as
//! near to each query as the teacher does.
//!
//! **Optimises** the Kullback-Leibler divergence `KL(t ‖ s)` between
//! `t = softmax(teacher's cosines / teacher_temperature)` and
//! `s = softmax(cos(q, p) / temperature)`, over all passages of the batch,
//! those of the other examples included; the mean over the queries. It is 0
//! where both agree.
//!
//! **Inputs**: a query and `passages` passages; the teacher's embedding of
//! each. The teacher's vectors may be of any length.
//!
//! **Requires** near misses among the passages, or batches large enough to hold
//! some; no labels by hand. With one temperature for both, a teacher whose
//! cosines are spread as the student's changes only what it knows better.
//!
//! **Relations**: [`distillation`](super::distillation) makes the vectors
//! themselves the teacher's. [`listwise`](super::listwise) takes scores, of
//! whatever origin, and knows nothing of the passages of other examples.
//!
//! **Example**: `objective = { kind = "relational", passages = 8 }`, in a stage
//! with a `teacher`.
//!
//! **Paper**: Park et al. 2019, *Relational Knowledge Distillation*; Fang et
//! al. 2021, *SEED: Self-supervised Distillation for Visual Representation*.

use super::batch::Batch;
use super::ranking::require_temperature;
use super::similarity::{cosine_matrix, log_softmax};
use super::{Labels, Objective};
use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "relational";

/// Keys of `kind = "relational"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RelationalConfig {
    /// Passages of an example; at least 1.
    pub passages: usize,
    /// What the student's cosines are divided by; above 0.
    pub temperature: f64,
    /// What the teacher's cosines are divided by; above 0.
    pub teacher_temperature: f64,
}

impl Default for RelationalConfig {
    fn default() -> Self {
        Self {
            passages: 1,
            temperature: 0.05,
            teacher_temperature: 0.05,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Relational {
    config: RelationalConfig,
}

impl Relational {
    /// It has no parameters.
    ///
    /// # Errors
    /// When a temperature is not above 0, or there is no passage.
    pub fn new(config: &RelationalConfig) -> Result<Self> {
        require_temperature("temperature", config.temperature)?;
        require_temperature("teacher_temperature", config.teacher_temperature)?;
        if config.passages == 0 {
            bail!("passages = 0: a query needs a passage to be compared with");
        }
        Ok(Self {
            config: config.clone(),
        })
    }
}

impl Objective for Relational {
    fn columns(&self) -> usize {
        1 + self.config.passages
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let teacher = batch.teacher()?;
        let teacher = spread(&teacher, self.config.teacher_temperature)?;
        let student = spread(batch.columns, self.config.temperature)?;
        let divergence = (teacher.exp()? * (&teacher - student)?)?;
        divergence.sum(1)?.mean(0)
    }
}

/// How each query spreads its attention over the passages of the batch, as
/// logarithms: `rows × rows · passages`.
fn spread(columns: &[Tensor], temperature: f64) -> Result<Tensor> {
    let passages = Tensor::cat(&columns[1..], 0)?;
    log_softmax(&cosine_matrix(&columns[0], &passages)?.affine(1.0 / temperature, 0.0)?)
}
