//! Objectives on sentence embeddings.

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
pub trait Objective {
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
