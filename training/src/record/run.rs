//! `run.json`.

use super::Environment;
use crate::config::TrainConfig;
use crate::files::{checksum, write_json};
use medsift::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Version of the file's form.
const FORMAT: u32 = 1;

/// What a run did, on what, and with which outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Version of the record's form.
    pub format: u32,
    /// The command that does it again.
    pub command: String,
    /// The configuration in full, defaults included.
    pub configuration: TrainConfig,
    /// The start model.
    pub base: BaseRecord,
    /// The teachers of its stages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teachers: Vec<BaseRecord>,
    /// The data sets, in the order in which they were read.
    pub data: Vec<DataRecord>,
    /// Machine and program.
    pub environment: Environment,
    /// When the run began, in UTC.
    pub started: String,
    /// When it ended.
    pub finished: Option<String>,
    /// Seconds of training, pauses between a stop and a resumption not
    /// counted.
    pub seconds: f64,
    /// Steps from which the run was taken up again.
    pub resumed_at: Vec<u64>,
    /// How it stands.
    pub status: Status,
    /// Scores at the start and at the end of the stages.
    pub scores: Vec<Score>,
    /// Files of the finished model.
    pub output: Vec<OutputFile>,
}

/// The start model of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BaseRecord {
    /// As the configuration names it, or `scratch`.
    pub name: String,
    /// SHA-256 of its checkpoint; nothing for random weights.
    pub sha256: Option<String>,
}

/// One file that was learnt from or measured on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRecord {
    /// Stages that read it.
    pub stage: String,
    /// The file.
    pub path: String,
    /// SHA-256 of the file as it is stored.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
    /// Examples taken from it.
    pub examples: u64,
    /// Records left out, for being too short, double, or of another kind.
    pub skipped: u64,
    /// Under which terms it may be used.
    pub terms: Option<String>,
}

/// A score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The stage behind which it was measured; `start` before the first.
    pub stage: String,
    /// Steps done, over all stages.
    pub step: u64,
    /// Name of the set and measure, as in `metrics.jsonl`.
    pub name: String,
    /// The value.
    pub value: f64,
}

/// A file of the finished model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Name within the model directory.
    pub name: String,
    /// Its SHA-256.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Status {
    /// It is under way, or was killed.
    Running,
    /// It was stopped and can be resumed.
    Stopped {
        /// Steps done.
        step: u64,
    },
    /// It ended with an error.
    Failed {
        /// Steps done.
        step: u64,
        /// What went wrong.
        reason: String,
    },
    /// It came to its end.
    Finished,
}

impl RunRecord {
    /// The record of a run that begins now.
    pub fn begin(
        command: String,
        configuration: TrainConfig,
        base: BaseRecord,
        environment: Environment,
    ) -> Self {
        Self {
            format: FORMAT,
            command,
            configuration,
            base,
            teachers: Vec::new(),
            data: Vec::new(),
            environment,
            started: now(),
            finished: None,
            seconds: 0.0,
            resumed_at: Vec::new(),
            status: Status::Running,
            scores: Vec::new(),
            output: Vec::new(),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// When the file is missing or damaged, or of another form.
    pub fn read(path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Form {
            format: u32,
        }
        let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, error))?;
        let damaged = |error| Error::corrupt(path, error);
        let form: Form = serde_json::from_slice(&bytes).map_err(damaged)?;
        if form.format != FORMAT {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{} has the form {}, this version reads {FORMAT}; use the medsift that \
                     wrote it",
                    path.display(),
                    form.format
                ),
            ));
        }
        serde_json::from_slice(&bytes).map_err(damaged)
    }

    /// Writes the record, whole or not at all.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_json(path, self)
    }

    /// Enters the files of a finished model, in order of their names.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn enter_output(&mut self, model: &Path) -> Result<()> {
        let mut files = Vec::new();
        collect(model, "", &mut files)?;
        files.sort_by(|a, b| a.name.cmp(&b.name));
        self.output = files;
        Ok(())
    }
}

fn collect(dir: &Path, prefix: &str, files: &mut Vec<OutputFile>) -> Result<()> {
    let failed = |error| Error::io("read", dir, error);
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else {
            let (sha256, bytes) = checksum(&path)?;
            files.push(OutputFile {
                name,
                sha256,
                bytes,
            });
        }
    }
    Ok(())
}

/// The present time in UTC, as RFC 3339 writes it, in whole seconds.
pub fn now() -> String {
    let now = OffsetDateTime::now_utc();
    now.replace_nanosecond(0)
        .unwrap_or(now)
        .format(&Rfc3339)
        .unwrap_or_default()
}
