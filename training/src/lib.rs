//! Pre-training and Sentence-BERT training: from data sets to a model
//! directory.
#![deny(unsafe_code)]

pub mod checkpoint;
pub mod config;
pub mod data;
mod error;
pub mod example;
mod files;
mod kernel;
pub mod model;
pub mod network;
pub mod objective;
pub mod optimiser;
mod place;
pub mod record;
pub mod trainer;
pub mod vocabulary;
pub mod whitening;

pub use kernel::{Engine, Precision};
pub use place::Place;
