//! From a file to a checked configuration.

use super::TrainConfig;
use medsift::{Error, ErrorKind, Result};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// What stands for the data folder in paths.
const DATA: &str = "{data}";

impl TrainConfig {
    /// Reads and checks a TOML file.
    ///
    /// # Errors
    /// When the file cannot be read, is not TOML, has an unknown key or a
    /// value out of range. The message names the file, the stage and the key.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| Error::io("read", path, error))?;
        Self::parse(&text, path)
    }

    /// Checks the text of a TOML file; `path` is what messages call it.
    ///
    /// # Errors
    /// As [`TrainConfig::read`].
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let config: Self = toml::from_str(text).map_err(|error| {
            let stage = error
                .span()
                .map_or_else(String::new, |span| stage_at(text, span.start));
            Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "{}: {stage}{}",
                    path.display(),
                    error.to_string().trim_end()
                ),
            )
        })?;
        config.check(path)?;
        Ok(config)
    }

    /// Puts the data folder where the stages' tables say `{data}`. A folder
    /// given here takes the place of the file's `data_dir`.
    pub fn with_data_dir(mut self, dir: Option<PathBuf>) -> Self {
        if let Some(dir) = dir {
            self.data_dir = dir;
        }
        let dir = self.data_dir.to_string_lossy().into_owned();
        if let Some(whitening) = &mut self.model.whitening {
            whitening
                .data
                .iter_mut()
                .for_each(|table| fill(table, &dir));
        }
        for stage in &mut self.stages {
            fill(&mut stage.objective, &dir);
            stage.data.iter_mut().for_each(|table| fill(table, &dir));
            let sets = &mut stage.evaluation.sets;
            sets.iter_mut().for_each(|table| fill(table, &dir));
        }
        self
    }
}

/// `stage 2 ("nli"): ` for a place inside the second stage.
fn stage_at(text: &str, place: usize) -> String {
    let mut number = 0;
    let mut name = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim();
        if line.starts_with("[[stage]]") {
            // The next stage begins behind the place.
            if start > place {
                break;
            }
            number += 1;
            name = None;
        } else if let Some(rest) = line.strip_prefix("name")
            && let Some(value) = rest.trim_start().strip_prefix('=')
        {
            name = name.or(Some(value.trim()));
        }
    }
    match (number, name) {
        (0, _) => String::new(),
        (number, None) => format!("stage {number}: "),
        (number, Some(name)) => format!("stage {number} ({name}): "),
    }
}

fn fill(table: &mut Table, dir: &str) {
    table
        .iter_mut()
        .for_each(|(_, value)| fill_value(value, dir));
}

fn fill_value(value: &mut Value, dir: &str) {
    match value {
        Value::String(text) if text.contains(DATA) => *text = text.replace(DATA, dir),
        Value::Array(values) => values.iter_mut().for_each(|value| fill_value(value, dir)),
        Value::Table(table) => fill(table, dir),
        _ => {}
    }
}
