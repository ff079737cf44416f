//! Objectives on sentence embeddings: one small file each, all of them plain
//! functions of the embeddings of a batch and its labels.
//!
//! | kind | texts of an example | labels | paper |
//! |---|---|---|---|
//! | [`softmax`] | premise, hypothesis | class | Reimers and Gurevych 2019 |
//! | [`cosine`] | two sentences | score 0–5 | Reimers and Gurevych 2019 |
//! | [`triplet`] | anchor, positive, negative | none | Schroff et al. 2015 |
//! | [`batch_triplet`] | one text | class | Hermans et al. 2017 |
//! | [`ranking`] | anchor, positive, negatives | none, or a teacher | Henderson et al. 2017 |
//! | [`distillation`] | any number | a teacher's embeddings | Reimers and Gurevych 2020 |
//! | [`margin`] | query, passages | a teacher's scores | Hofstätter et al. 2020 |
//! | [`listwise`] | query, passages | a teacher's scores | Cao et al. 2007 |
//! | [`relational`] | query, passages | a teacher's embeddings | Fang et al. 2021 |
//! | [`graded`] | two texts | similarity | Su 2022; Li and Li 2023 |
//! | [`matryoshka`] | those of the objective inside | likewise | Kusupati et al. 2022 |
//!
//! [`ObjectiveConfig`] is what a configuration file says of an objective, and
//! [`build`] makes it.
//!
//! Rules that all of them keep:
//!
//! - A loss is the mean over the batch, or over the triplets found in it.
//! - A vector shorter than `1e-8` has the cosine 0 with every other and gets
//!   no gradient; two equal vectors have the distance 0 and get none from it.
//! - A number that is not finite, in embeddings or labels, makes the loss not
//!   a number or is an error. It is never averaged away.

mod batch;
pub mod batch_triplet;
mod config;
pub mod cosine;
pub mod distillation;
pub mod graded;
mod linear;
pub mod listwise;
pub mod margin;
pub mod matryoshka;
mod mining;
pub mod ranking;
pub mod relational;
mod similarity;
pub mod softmax;
#[cfg(test)]
mod tests;
pub mod triplet;

pub use config::{ObjectiveConfig, build};
pub use softmax::save_classifier;

use candle_core::{Result, Tensor, Var};

/// The labels of a batch.
#[derive(Debug, Clone)]
pub enum Labels {
    /// The order of the columns says everything.
    None,
    /// A class for each example.
    Classes(Vec<u32>),
    /// A number for each example.
    Scores(Vec<f32>),
    /// Numbers for each example: `batch × columns - 1`.
    Lists(Tensor),
    /// A teacher's embeddings, one for each column: `batch × dimension`.
    Teacher(Vec<Tensor>),
}

/// A loss over the embeddings of a batch.
pub trait Objective: Send {
    /// Texts of an example.
    fn columns(&self) -> usize;

    /// The mean loss of a batch, a scalar with gradients back to the
    /// embeddings and to [`Objective::parameters`].
    ///
    /// `embeddings` holds a `batch × dimension` tensor for each column.
    ///
    /// # Errors
    /// When shapes or labels do not fit.
    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor>;

    /// Parameters that are trained beside the encoder, and thrown away
    /// afterwards.
    fn parameters(&self) -> Vec<(String, Var)> {
        Vec::new()
    }
}
