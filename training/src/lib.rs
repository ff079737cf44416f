//! Pre-training and Sentence-BERT training: from data sets to a model
//! directory.
#![deny(unsafe_code)]

mod error;
pub mod example;
mod kernel;
pub mod network;
pub mod objective;
pub mod optimiser;

pub use kernel::{Engine, Precision};
