//! A run of a strategy, as it is shown and reported.

use super::prisma::{self, Item, OPEN};
use super::record::Since;
use super::write_whole;
use crate::error::{CliError, Result};
use crate::render;
use medsift::query::strategy::Strategy;
use medsift::searcher::StrategyRun;
use serde::Serialize;
use std::path::Path;

/// Names of the files of an export.
const FILES: [&str; 3] = ["strategy.md", "strategy.json", "ids.txt"];

/// Everything that a report of a search says.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// Name of the strategy, where it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Lines of its text that are comments.
    pub(crate) comments: Vec<String>,
    /// Program and version.
    pub(crate) program: String,
    /// The index directory.
    pub(crate) index_dir: String,
    /// What was found.
    pub(crate) run: StrategyRun,
    /// What has changed since the last run that was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<Since>,
    /// Items of PRISMA-S that are covered.
    pub(crate) prisma_s: Vec<Item>,
    /// Items of it that are left to the reviewer.
    pub(crate) prisma_s_open: &'static str,
}

impl Report {
    /// Of a run.
    pub(crate) fn new(
        name: Option<&str>,
        strategy: &Strategy,
        index_dir: &str,
        run: StrategyRun,
        since: Option<Since>,
    ) -> Self {
        Self {
            name: name.map(str::to_owned),
            comments: strategy.comments().to_vec(),
            program: format!("medsift {}", env!("CARGO_PKG_VERSION")),
            prisma_s: prisma::items(strategy, &run, index_dir, since.as_ref()),
            prisma_s_open: OPEN,
            index_dir: index_dir.to_owned(),
            run,
            since,
        }
    }

    /// Writes the report as Markdown and JSON, and the ids as text. A report
    /// that is there already is a record, and stays.
    pub(crate) fn export(&self, dir: &Path) -> Result<()> {
        let there = FILES.iter().find(|file| dir.join(file).exists());
        if let Some(file) = there {
            return Err(CliError::Usage(format!(
                "{} is there already: name another folder with --export",
                dir.join(file).display()
            )));
        }
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        let mut ids = String::new();
        for id in &self.run.ids {
            ids.push_str(id.as_str());
            ids.push('\n');
        }
        let [markdown, structured, text] = FILES;
        write_whole(
            dir,
            markdown,
            render::strategy_report::markdown(self).as_bytes(),
        )?;
        write_whole(dir, structured, &json)?;
        write_whole(dir, text, ids.as_bytes())
    }
}
