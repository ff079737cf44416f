//! The encoder against recorded values of the reference implementations
//! (`tests/reference/encoder_reference.py` made them), against its own tensor
//! form, and against damaged model directories.

mod adapter;
mod faults;
mod quantised;
mod reference;
mod tokens;
mod twin;

use super::{Encoder, EncoderOptions};
use std::path::PathBuf;

/// A small model of `tests/fixtures/models`.
fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/models")
        .join(name)
}

fn open(name: &str) -> Encoder {
    let options = EncoderOptions {
        threads: Some(2),
        ..EncoderOptions::default()
    };
    Encoder::open(&fixture(name), options).unwrap()
}

/// Largest difference between two vectors.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f32::max)
}
