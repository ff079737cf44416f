//! The encoder in training mode.
//!
//! A [`Backbone`] runs texts forward to a state for each token and takes the
//! states' gradient back into its [`Parameters`]. There are two:
//! [`FastBackbone`] runs on this processor with kernels of its own;
//! [`TensorBackbone`] is made of tensor operations and runs on every device.
//! The tests hold them equal, dropout included. [`PlacedBackbone`] is the one of
//! the two that a run's [`Place`](crate::Place) asks for.

mod embedding;
mod fast;
pub mod head;
mod parameters;
mod placed;
mod pool;
mod saved;
mod slices;
mod tensor;
#[cfg(test)]
mod tests;
mod tokens;

pub use fast::FastBackbone;
pub use parameters::{Parameter, Parameters};
pub use placed::{PlacedBackbone, PlacedPass};
pub use pool::{pool, pool_gradient};
pub use tensor::TensorBackbone;
pub use tokens::Tokens;

pub(crate) use placed::check_precision;
pub(crate) use slices::{Numbers, change};

use crate::kernel::Engine;
use candle_core::{Device, Result, Tensor};
use medsift::encoder::parts::Architecture;

/// Probabilities of dropping a number, and the seed of one pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DropoutPass {
    /// Decides which numbers are dropped; the same seed drops the same.
    pub seed: u64,
    /// Of a state (`hidden_dropout_prob`).
    pub hidden: f32,
    /// Of an attention probability (`attention_probs_dropout_prob`).
    pub attention: f32,
}

/// A network that learns.
pub trait Backbone {
    /// What a forward pass leaves for its backward pass.
    type Pass;

    /// Sizes of the network.
    fn architecture(&self) -> &Architecture;

    /// Values and gradients.
    fn parameters(&self) -> &Parameters;

    /// To be called when values were changed.
    fn values_changed(&mut self);

    /// What multiplies its matrices, where it runs on this processor's
    /// kernels.
    fn engine(&self) -> Option<Engine> {
        None
    }

    /// Where the parameters live.
    fn device(&self) -> &Device;

    /// States of the last layer, `tokens × hidden`, cut off from the graph.
    ///
    /// # Errors
    /// When the device fails.
    fn forward(
        &mut self,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
    ) -> Result<(Tensor, Self::Pass)>;

    /// States without dropout, for measuring; nothing is kept.
    ///
    /// # Errors
    /// When the device fails.
    fn evaluate(&mut self, tokens: &Tokens) -> Result<Tensor> {
        let (states, pass) = self.forward(tokens, None)?;
        self.forget(pass);
        Ok(states)
    }

    /// Takes back the memory of a pass that will not go backward.
    fn forget(&mut self, pass: Self::Pass) {
        drop(pass);
    }

    /// The parameters, to be changed.
    fn parameters_mut(&mut self) -> &mut Parameters;

    /// Adds to the parameters' gradients what follows from the gradient of a
    /// pass's states, `tokens × hidden`.
    ///
    /// # Errors
    /// When the device fails.
    fn backward(&mut self, pass: Self::Pass, gradient: &Tensor) -> Result<()>;
}

/// Numbers of the places where dropout strikes.
mod site {
    /// Behind the embeddings.
    pub(super) const EMBEDDING: u64 = 0;
    /// On the attention probabilities of a layer.
    pub(super) fn probabilities(layer: usize) -> u64 {
        1 + 3 * layer as u64
    }
    /// Behind the attention's output layer.
    pub(super) fn attention(layer: usize) -> u64 {
        2 + 3 * layer as u64
    }
    /// Behind the feed-forward layer.
    pub(super) fn feed_forward(layer: usize) -> u64 {
        3 + 3 * layer as u64
    }
}
