//! `metrics.jsonl`: a line for each measurement.

use crate::files::write_file;
use medsift::{Error, ErrorKind, Result};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Numbers at one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Optimiser steps done, over all stages.
    pub step: u64,
    /// The stage's name.
    pub stage: String,
    /// Passes over the stage's data.
    pub epoch: f64,
    /// Numbers by name: `loss`, parts of it as `loss/mlm`, `learning_rate`,
    /// `gradient_norm`, `tokens_per_second`, scores as `score/stsb`. What is
    /// not a number is written as `null`.
    #[serde(deserialize_with = "numbers")]
    pub values: BTreeMap<String, f64>,
}

/// Appends measurements to a file.
#[derive(Debug)]
pub struct MetricsWriter {
    file: File,
    path: PathBuf,
    last: u64,
}

impl MetricsWriter {
    /// Begins a file; one that is there already is emptied.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> Result<Self> {
        write_file(path, b"")?;
        Self::append(path, 0)
    }

    /// Goes on behind a step: later lines, and a last line that a kill cut
    /// off, are removed. A file that is not there is begun.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is damaged before its last
    /// line.
    pub fn resume(path: &Path, step: u64) -> Result<Self> {
        let text = content(path)?;
        let mut kept = Vec::new();
        for (line, measurement) in whole_lines(path, &text)? {
            if measurement.step <= step {
                kept.extend_from_slice(line);
            }
        }
        write_file(path, &kept)?;
        Self::append(path, step)
    }

    fn append(path: &Path, last: u64) -> Result<Self> {
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .map_err(|error| Error::io("open", path, error))?;
        Ok(Self {
            file,
            path: path.to_owned(),
            last,
        })
    }

    /// Appends a line and hands it to the system at once.
    ///
    /// # Errors
    /// When writing fails, or the step lies before the last one.
    pub fn write(&mut self, measurement: &Measurement) -> Result<()> {
        if measurement.step < self.last {
            return Err(Error::new(
                ErrorKind::Internal,
                format!(
                    "a measurement of step {} comes after step {}",
                    measurement.step, self.last
                ),
            ));
        }
        let mut bytes = Vec::new();
        line(measurement, &mut bytes)?;
        self.last = measurement.step;
        // One call for the whole line: a kill leaves at most one broken line,
        // the last.
        self.file
            .write_all(&bytes)
            .and_then(|()| self.file.flush())
            .map_err(|error| Error::io("write", &self.path, error))
    }
}

/// All measurements of a file; none when there is no file. A broken last line
/// is what a kill leaves, and is passed over.
///
/// # Errors
/// When the file cannot be read, or a line before the last is damaged.
pub fn read_metrics(path: &Path) -> Result<Vec<Measurement>> {
    let text = content(path)?;
    let lines = whole_lines(path, &text)?;
    Ok(lines
        .into_iter()
        .map(|(_, measurement)| measurement)
        .collect())
}

fn content(path: &Path) -> Result<Vec<u8>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Error::io("read", path, error)),
    }
}

/// Lines that end, with what they say.
fn whole_lines<'a>(path: &Path, text: &'a [u8]) -> Result<Vec<(&'a [u8], Measurement)>> {
    text.split_inclusive(|&byte| byte == b'\n')
        .take_while(|line| line.ends_with(b"\n"))
        .enumerate()
        .map(|(index, line)| {
            let measurement = serde_json::from_slice(line)
                .map_err(|error| Error::corrupt(path, format!("line {}: {error}", index + 1)))?;
            Ok((line, measurement))
        })
        .collect()
}

fn line(measurement: &Measurement, into: &mut Vec<u8>) -> Result<()> {
    serde_json::to_writer(&mut *into, measurement).map_err(|error| {
        Error::new(
            ErrorKind::Internal,
            format!("cannot describe a measurement: {error}"),
        )
    })?;
    into.push(b'\n');
    Ok(())
}

/// `null` stands for what is not a number.
fn numbers<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<BTreeMap<String, f64>, D::Error> {
    let values = BTreeMap::<String, Option<f64>>::deserialize(deserializer)?;
    Ok(values
        .into_iter()
        .map(|(name, value)| (name, value.unwrap_or(f64::NAN)))
        .collect())
}
