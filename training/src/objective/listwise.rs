//! Distillation of rankings: the student spreads its attention over a list of
//! passages as the teacher does.
//!
//! **Optimises** the Kullback-Leibler divergence `KL(t ‖ s)` between
//! `t = softmax(teacher's scores / teacher_temperature)` and
//! `s = softmax(cos(q, p) / temperature)`, over the passages of an example.
//! It is 0 where both agree. With `in_batch` the student spreads its attention
//! over the passages of the other examples too, to which the teacher gives
//! nothing: a list holds near misses only, and without passages from elsewhere
//! nothing keeps those away.
//!
//! **Inputs**: a query and `passages` passages; the teacher's score of each.
//!
//! **Requires** lists that hold near misses, not only the best and the
//! worst; scores of one range throughout, since one temperature serves all.
//! The teacher may be anything that scores: a cross-encoder, a larger encoder,
//! or the fused ranking of keyword and vector search.
//!
//! **Relations**: [`margin`](super::margin) fits differences of scores
//! instead. As `DistillKLDivLoss` of sentence-transformers, without its factor
//! `temperature²`, which only rescales the learning rate.
//!
//! **Example**: `objective = { kind = "listwise", passages = 8, temperature =
//! 0.05, teacher_temperature = 0.1 }`
//!
//! **Paper**: Cao et al. 2007, *Learning to Rank: From Pairwise Approach to
//! Listwise Approach*; Hinton et al. 2015, *Distilling the Knowledge in a
//! Neural Network*.

use super::batch::Batch;
use super::margin::passage_scores;
use super::ranking::require_temperature;
use super::similarity::{Similarity, cosine_matrix, log_softmax};
use super::{Labels, Objective};
use candle_core::{Device, Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "listwise";

/// Keys of `kind = "listwise"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListwiseConfig {
    /// Passages of an example; at least 2.
    pub passages: usize,
    /// What the student's cosines are divided by; above 0.
    pub temperature: f64,
    /// What the teacher's scores are divided by; above 0.
    pub teacher_temperature: f64,
    /// Whether the passages of the other examples of the batch are candidates
    /// of the student too.
    pub in_batch: bool,
}

impl Default for ListwiseConfig {
    fn default() -> Self {
        Self {
            passages: 8,
            temperature: 0.05,
            teacher_temperature: 1.0,
            in_batch: false,
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Listwise {
    config: ListwiseConfig,
}

impl Listwise {
    /// It has no parameters.
    ///
    /// # Errors
    /// When a temperature is not above 0, or a list has fewer than two
    /// passages.
    pub fn new(config: &ListwiseConfig) -> Result<Self> {
        require_temperature("temperature", config.temperature)?;
        require_temperature("teacher_temperature", config.teacher_temperature)?;
        if config.passages < 2 {
            bail!(
                "passages = {}: a list of fewer than two teaches nothing",
                config.passages
            );
        }
        Ok(Self {
            config: config.clone(),
        })
    }
}

impl Objective for Listwise {
    fn columns(&self) -> usize {
        1 + self.config.passages
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let scale = 1.0 / self.config.temperature;
        let student = if self.config.in_batch {
            let all = Tensor::cat(&batch.columns[1..], 0)?;
            let cosines = cosine_matrix(&batch.columns[0], &all)?;
            let own = own_places(batch.rows, self.config.passages, cosines.device())?;
            log_softmax(&cosines.affine(scale, 0.0)?)?.gather(&own, 1)?
        } else {
            let cosines = passage_scores(Similarity::Cosine, batch.columns)?;
            log_softmax(&cosines.affine(scale, 0.0)?)?
        };
        let scale = 1.0 / self.config.teacher_temperature;
        let teacher = log_softmax(&batch.lists()?.affine(scale, 0.0)?)?;
        let divergence = (teacher.exp()? * (&teacher - student)?)?;
        divergence.sum(1)?.mean(0)
    }
}

/// Where the passages of each example stand among those of all, which come
/// column by column: `rows × passages`.
fn own_places(rows: usize, passages: usize, device: &Device) -> Result<Tensor> {
    let places: Vec<u32> = (0..rows)
        .flat_map(|row| (0..passages).map(move |column| (column * rows + row) as u32))
        .collect();
    Tensor::from_vec(places, (rows, passages), device)
}
