//! Configuration: defaults, then files, then the environment. Flags come last
//! and are applied by the commands.

mod environment;
mod file;
mod keys;
#[cfg(test)]
mod tests;

use crate::error::{CliError, Result};
use medsift::Fusion;
use medsift::encoder::EncoderOptions;
use medsift::searcher::SearchSettings;
use medsift_indexer::pipeline::IndexSettings;
use medsift_server::ServerConfig;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use toml::{Table, Value};

/// Everything that can be configured, one section a library.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    /// `[search]`
    pub(crate) search: SearchSettings,
    /// `[index]`
    pub(crate) index: IndexSettings,
    /// `[encoder]`
    pub(crate) encoder: EncoderSettings,
    /// `[server]`
    pub(crate) server: ServerConfig,
}

/// How the encoder runs; what it computes is the model's business.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EncoderSettings {
    /// Threads; 0 for as many as there are cores.
    pub(crate) threads: usize,
}

impl EncoderSettings {
    /// As the encoder takes it.
    pub(crate) fn options(&self) -> EncoderOptions {
        EncoderOptions {
            threads: (self.threads > 0).then_some(self.threads),
            ..EncoderOptions::default()
        }
    }
}

impl Settings {
    /// Joins the files, in order, and the environment.
    pub(crate) fn resolve(
        files: &[PathBuf],
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self> {
        let known = keys::known();
        let mut table = Table::new();
        for path in files {
            file::overlay(&mut table, path, &known)?;
        }
        environment::overlay(&mut table, environment, &known)?;
        let settings = settled(&table).map_err(CliError::Usage)?;
        settings.search.check()?;
        settings.index.check()?;
        settings.server.check()?;
        Ok(settings)
    }
}

/// A fusion of which only parameters are given is of the default method.
fn name_fusion(table: &mut Table) {
    let default = Value::try_from(Fusion::default()).ok();
    let Some(method) = default.and_then(|fusion| fusion.get("method").cloned()) else {
        return;
    };
    let fusion = ["search", "query", "fusion"]
        .iter()
        .try_fold(table, |table, key| table.get_mut(*key)?.as_table_mut());
    if let Some(fusion) = fusion
        && !fusion.contains_key("method")
    {
        fusion.insert("method".to_owned(), method);
    }
}

/// The settings that a table holds, or what is wrong with it.
fn settled(table: &Table) -> std::result::Result<Settings, String> {
    let mut table = table.clone();
    name_fusion(&mut table);
    Value::Table(table)
        .try_into::<Settings>()
        .map_err(|error| error.message().to_owned())
}
