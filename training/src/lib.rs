//! Pre-training and Sentence-BERT training: from data sets to a model
//! directory.
#![deny(unsafe_code)]

pub mod checkpoint;
pub mod config;
pub mod example;
mod files;
pub mod model;
pub mod objective;
pub mod record;
pub mod vocabulary;
