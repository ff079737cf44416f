//! Checkpoints: states of a run to go on from.
//!
//! A checkpoint is a folder `step-000000001200` with
//!
//! - `parameters.safetensors`: the parameters, in their own precision;
//! - `optimiser.safetensors`: the optimiser's moments;
//! - `state.json`: counters and the states of random generators and samplers;
//! - `manifest.json`: length and SHA-256 of the other files.
//!
//! It is written under a hidden name and renamed when everything is on the
//! disk, so that a kill leaves either a whole checkpoint or none. On loading,
//! lengths and checksums are compared; a damaged one is passed over with a
//! warning for the one before it.

mod average;
mod files;
mod store;
#[cfg(test)]
mod tests;

pub use average::average;
pub use store::CheckpointStore;

use candle_core::Tensor;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A state of a run.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// Parameters of the encoder and of heads, by name.
    pub parameters: HashMap<String, Tensor>,
    /// The optimiser's moments, by names that the optimiser chooses.
    pub optimiser: HashMap<String, Tensor>,
    /// Everything else.
    pub state: State,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// Optimiser steps done, over all stages.
    pub step: u64,
    /// The present stage, counted from 0.
    pub stage: usize,
    /// Passes done over the stage's data.
    pub epoch: u64,
    /// Steps done in the present stage.
    pub stage_step: u64,
    /// Steps done in the present pass.
    pub epoch_step: u64,
    /// Seconds of training so far.
    pub seconds: f64,
    /// Best score so far in the stage, and the step at which it was reached.
    pub best: Option<(f64, u64)>,
    /// States of random generators and samplers, by name; their owners know
    /// what they mean. JSON may bring a fraction back with its last bit off,
    /// so what has to be the same bit for bit is kept as integers.
    pub generators: HashMap<String, serde_json::Value>,
    /// SHA-256 of the configuration, so that a run is not taken up again with
    /// another one.
    pub configuration: String,
}
