//! What training stands on: a network's description, its parameters' names,
//! its weights, its tokenizer, and the vector kernels. Whoever only encodes
//! needs none of it.

pub use super::architecture::{Architecture, Family};
pub use super::dense::Dense;
pub use super::directory::ModelDirectory;
pub use super::fingerprint::model_sha256;
pub use super::layout::{LayerNames, Layout, Parameter};
pub use super::tokenizer::{
    Frame, PairFrame, PairIds, Piece, Tokenizer, declared_limit, tokenizer_files,
};
pub use super::weights::{Weights, find_checkpoint, read_checkpoint};

/// Vector kernels, chosen at run time for the processor.
pub mod kernel {
    pub use super::super::kernel::*;
}
