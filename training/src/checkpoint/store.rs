//! The checkpoints of a run.

use super::{Checkpoint, files};
use crate::files::{beside, digest, fresh_folder, remove_folder, replace_folder};
use candle_core::Tensor;
use medsift::{Error, ErrorKind, Result};
use serde::Serialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a checkpoint's name begins with.
const PREFIX: &str = "step-";

/// A folder of checkpoints.
#[derive(Debug, Clone)]
pub struct CheckpointStore {
    dir: PathBuf,
    keep: usize,
}

impl CheckpointStore {
    /// The store in a folder, which is made with the first checkpoint. `keep`
    /// checkpoints are kept, at least one.
    pub fn new(dir: impl Into<PathBuf>, keep: usize) -> Self {
        Self {
            dir: dir.into(),
            keep: keep.max(1),
        }
    }

    /// What a configuration is known by in a [`State`](super::State). Only
    /// what the outcome depends on should go into it.
    ///
    /// # Errors
    /// When the configuration cannot be described.
    pub fn configuration_digest(configuration: &impl Serialize) -> Result<String> {
        let bytes = serde_json::to_vec(configuration).map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot describe the configuration: {error}"),
            )
        })?;
        Ok(digest(&bytes))
    }

    /// Saves a checkpoint, then removes the oldest ones beyond those that are
    /// kept, and what earlier runs left half-written.
    ///
    /// # Errors
    /// When writing fails; the earlier checkpoints are then all still there.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<PathBuf> {
        let dir = self.dir.join(name(checkpoint.state.step));
        let scratch = beside(&dir, ".tmp");
        fresh_folder(&scratch)?;
        files::write(&scratch, checkpoint)?;
        replace_folder(&scratch, &dir)?;
        self.prune()?;
        Ok(dir)
    }

    /// Folders of the checkpoints with their steps, the oldest first.
    ///
    /// # Errors
    /// When the store's folder cannot be read.
    pub fn list(&self) -> Result<Vec<(u64, PathBuf)>> {
        let mut found: Vec<(u64, PathBuf)> = self
            .entries()?
            .into_iter()
            .filter_map(|path| Some((step(&path)?, path)))
            .collect();
        found.sort();
        Ok(found)
    }

    /// The newest checkpoint that is whole; nothing when there is none at all.
    /// A damaged one is passed over with a warning.
    ///
    /// # Errors
    /// When there are checkpoints and all of them are damaged.
    pub fn load_newest(&self) -> Result<Option<Checkpoint>> {
        let mut damage = None;
        for (step, dir) in self.list()?.into_iter().rev() {
            match files::read(&dir) {
                Ok(checkpoint) => return Ok(Some(checkpoint)),
                Err(error) => {
                    tracing::warn!(step, %error, "a checkpoint is damaged and passed over");
                    damage.get_or_insert(error);
                }
            }
        }
        match damage {
            None => Ok(None),
            Some(error) => Err(Error::new(
                ErrorKind::Corrupt,
                format!(
                    "no checkpoint in {} is whole (the newest: {error}); remove the folder to \
                     begin anew",
                    self.dir.display()
                ),
            )
            .with_source(error)),
        }
    }

    /// Checks that a checkpoint belongs to a configuration.
    ///
    /// # Errors
    /// When it was written with another one.
    pub fn check_configuration(&self, checkpoint: &Checkpoint, configuration: &str) -> Result<()> {
        if checkpoint.state.configuration == configuration {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the checkpoints in {} are of a run with another configuration; resume with \
                 the configuration in its run.json, or name another output folder",
                self.dir.display()
            ),
        ))
    }

    /// The parameters of the newest `count` whole checkpoints with at least
    /// `from` steps, the newest first.
    ///
    /// # Errors
    /// When the store's folder cannot be read.
    pub fn newest_parameters(
        &self,
        count: usize,
        from: u64,
    ) -> Result<Vec<HashMap<String, Tensor>>> {
        let mut found = Vec::new();
        for (step, dir) in self.list()?.into_iter().rev() {
            if found.len() == count || step < from {
                break;
            }
            match files::read_parameters(&dir) {
                Ok(parameters) => found.push(parameters),
                Err(error) => {
                    tracing::warn!(step, %error, "a checkpoint is damaged and passed over");
                }
            }
        }
        Ok(found)
    }

    fn prune(&self) -> Result<()> {
        let all = self.list()?;
        let surplus = all.len().saturating_sub(self.keep);
        for (_, dir) in &all[..surplus] {
            remove_folder(dir)?;
        }
        for path in self.entries()? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(&format!(".{PREFIX}")) {
                remove_folder(&path)?;
            }
        }
        Ok(())
    }

    fn entries(&self) -> Result<Vec<PathBuf>> {
        let failed = |error| Error::io("read", &self.dir, error);
        match fs::read_dir(&self.dir) {
            Ok(entries) => entries
                .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
                .collect(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(failed(error)),
        }
    }
}

fn name(step: u64) -> String {
    format!("{PREFIX}{step:012}")
}

fn step(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix(PREFIX)?.parse().ok()
}
