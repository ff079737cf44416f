//! The configuration of a training run: a base model, a list of stages in
//! order, and what comes out. `docs/training-configuration.md` describes every
//! key; `config/train/` holds whole files.
//!
//! A key that is not known is an error. What a stage's `data`, `objective` and
//! evaluation sets say is left to the modules that read them.

mod base;
mod check;
mod parameters;
mod read;
mod stage;
#[cfg(test)]
mod tests;

pub use base::{BaseConfig, ModelConfig, ScratchConfig};
pub use parameters::ParameterSettings;
pub use stage::{
    AdapterConfig, EvaluationConfig, GroupConfig, Length, StageConfig, StageKind, TeacherConfig,
};

use crate::Place;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A training run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// Folder of the run: records, checkpoints, and the finished model in
    /// `model/`.
    pub output: PathBuf,
    /// Seed of everything random.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Threads; 0 for as many as there are cores.
    #[serde(default)]
    pub threads: usize,
    /// Where it computes: `cpu`, `cuda`, `cuda:1` …
    #[serde(default)]
    pub device: Place,
    /// Folder that `{data}` stands for in the texts of `data`, `objective`
    /// and evaluation sets.
    #[serde(default = "default_data_dir")]
    pub data_dir: PathBuf,
    /// What training starts from.
    pub base: BaseConfig,
    /// What the finished model directory says.
    #[serde(default)]
    pub model: ModelConfig,
    /// When the state of the run is saved.
    #[serde(default)]
    pub checkpoint: CheckpointConfig,
    /// Stages in order.
    #[serde(default, rename = "stage")]
    pub stages: Vec<StageConfig>,
}

/// When the state of a run is saved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// Steps between two checkpoints; 0 for none by steps.
    pub every_steps: u64,
    /// Minutes between two checkpoints; 0 for none by time.
    pub every_minutes: f64,
    /// Checkpoints that are kept, the newest ones.
    pub keep: usize,
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        Self {
            every_steps: 0,
            every_minutes: 15.0,
            keep: 3,
        }
    }
}

fn default_seed() -> u64 {
    42
}

fn default_data_dir() -> PathBuf {
    PathBuf::from("../shared/data")
}
