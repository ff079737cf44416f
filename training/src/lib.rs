//! Pre-training and Sentence-BERT training: from data sets to a model
//! directory.
#![deny(unsafe_code)]

pub mod data;
pub mod example;
pub mod objective;
