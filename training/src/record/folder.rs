//! Where a run's files lie.

use medsift::{Error, Result};
use std::path::{Path, PathBuf};

/// The folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    /// The folder at a path; nothing is made yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Makes the folder.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(&self) -> Result<()> {
        std::fs::create_dir_all(&self.root).map_err(|error| Error::io("create", &self.root, error))
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `run.json`: what was done.
    pub fn run(&self) -> PathBuf {
        self.root.join("run.json")
    }

    /// `metrics.jsonl`: the numbers on the way.
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// `plot.svg`: the numbers as curves.
    pub fn plot(&self) -> PathBuf {
        self.root.join("plot.svg")
    }

    /// `checkpoints/`: states to go on from.
    pub fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    /// `teachers/`: what teachers say of the texts.
    pub fn teachers(&self) -> PathBuf {
        self.root.join("teachers")
    }

    /// `model/`: the finished model directory.
    pub fn model(&self) -> PathBuf {
        self.root.join("model")
    }

    /// `stages/NAME/`: the model as a stage left it.
    pub fn stage_model(&self, stage: &str) -> PathBuf {
        self.root.join("stages").join(stage)
    }
}
