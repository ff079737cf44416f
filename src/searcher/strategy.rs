//! Searching a strategy: every line, and the articles of its result.

use super::Searcher;
use super::findings::Asked;
use crate::article::ArticleId;
use crate::error::{Error, Result};
use crate::keyword::{Lines, Scope, Selection, Setting, TermCount};
use crate::query::Filter;
use crate::query::pubmed::{Date, Node};
use crate::query::strategy::{Line, Strategy};
use serde::Serialize;

/// What a strategy found in one committed state of an index.
#[derive(Debug, Clone, Serialize)]
pub struct StrategyRun {
    /// The day of the search, `2024-03-01`; spans such as `last 5 years` are
    /// counted back from it.
    pub day: String,
    /// The index as it was.
    pub index: IndexState,
    /// Every line, as it was written down.
    pub lines: Vec<LineRun>,
    /// Number of the line that is the result.
    pub result: u32,
    /// Articles of the result: PMIDs in rising order, other ids behind them.
    pub ids: Vec<ArticleId>,
}

/// A committed state of an index, as a report of a search names it.
#[derive(Debug, Clone, Serialize)]
pub struct IndexState {
    /// Number of the commit.
    pub generation: u64,
    /// When it was committed, RFC 3339.
    pub committed_at: String,
    /// Articles in it.
    pub articles: u64,
    /// Newest NLM file in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_update_file: Option<String>,
    /// The files that it was made from, in order.
    pub sources: Vec<SourceState>,
    /// The MeSH table by which headings were exploded, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
}

/// A file that an index was made from.
#[derive(Debug, Clone, Serialize)]
pub struct SourceState {
    /// Its name without folders.
    pub name: String,
    /// SHA-256 of it, in hexadecimal.
    pub sha256: String,
    /// Records of it that were applied.
    pub records: u64,
    /// Whether those are all.
    pub complete: bool,
}

/// A line that was searched.
#[derive(Debug, Clone, Serialize)]
pub struct LineRun {
    /// Its number.
    pub number: u32,
    /// The query as it was written.
    pub query: String,
    /// What was written behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The query as it was searched.
    pub translation: String,
    /// The same as a tree.
    pub tree: Node,
    /// How many articles it selects.
    pub articles: u64,
    /// How many each of its terms finds by itself.
    pub terms: Vec<TermCount>,
    /// What should be known of how it was understood.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Searcher {
    /// Searches every line of a strategy. `result` is the number of the line
    /// whose articles are wanted, by default the last one; `day` is the day
    /// from which spans of time count back.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for a line that is not there, or of which nothing can be
    /// searched, by its number; `Corrupt` where the index cannot be read.
    pub fn run_strategy(
        &self,
        strategy: &Strategy,
        result: Option<u32>,
        day: Date,
    ) -> Result<StrategyRun> {
        let result = strategy.result(result)?.number;
        let lines = self.select_lines(strategy, day)?;
        let searched = strategy.lines().iter().filter_map(|line| {
            let selection = lines.get(&line.number)?;
            Some((line, selection))
        });
        let searched = searched.map(|(line, selection)| {
            let mut run = line_run(line, selection);
            run.warnings
                .extend(self.not_enriched(Asked::in_tree(&selection.tree))?);
            Ok(run)
        });
        let ids = lines.get(&result).map(|selection| self.ids_of(selection));
        Ok(StrategyRun {
            day: day.to_string().replace('/', "-"),
            index: self.state(),
            lines: searched.collect::<Result<_>>()?,
            result,
            ids: ids.transpose()?.unwrap_or_default(),
        })
    }

    fn select_lines(&self, strategy: &Strategy, day: Date) -> Result<Lines> {
        let mut lines = Lines::new();
        for line in strategy.in_order() {
            let setting = Setting {
                mesh: self.extras.mesh.as_deref(),
                today: day,
                lines: &lines,
            };
            let selection = self.keyword.select(&line.tree, setting);
            let selection = selection.map_err(|error| in_line(line.number, error))?;
            lines.insert(line.number, selection);
        }
        Ok(lines)
    }

    fn ids_of(&self, selection: &Selection) -> Result<Vec<ArticleId>> {
        let filter = Filter::default();
        let scope = Scope {
            selection: Some(selection),
            ..Scope::of(&filter)
        };
        let keys = self.keyword.matching_in(&scope)?;
        let ids = keys.iter().map(|key| self.id_of(crate::ArticleKey(key)));
        let mut ids = ids.collect::<Result<Vec<_>>>()?;
        ids.sort_by_cached_key(|id| {
            let number = id.as_str().parse::<u64>().ok();
            (number.is_none(), number, id.as_str().to_owned())
        });
        Ok(ids)
    }

    fn state(&self) -> IndexState {
        let commit = &self.commit;
        let source = |file: &crate::index::AppliedFile| SourceState {
            name: file.name.clone(),
            sha256: file.sha256.clone(),
            records: file.records,
            complete: file.complete,
        };
        IndexState {
            generation: commit.generation,
            committed_at: commit.committed_at.clone(),
            articles: commit.articles,
            last_update_file: commit.last_update_file().map(str::to_owned),
            sources: commit.sources.iter().map(source).collect(),
            mesh: self
                .extras
                .mesh
                .as_ref()
                .map(|mesh| mesh.source().to_owned()),
        }
    }
}

fn line_run(line: &Line, selection: &Selection) -> LineRun {
    LineRun {
        number: line.number,
        query: line.text.clone(),
        comment: line.comment.clone(),
        translation: selection.tree.to_string(),
        tree: selection.tree.clone(),
        articles: selection.articles(),
        terms: selection.terms.clone(),
        warnings: selection.warnings.clone(),
    }
}

/// An error of a line, by its number.
fn in_line(number: u32, error: Error) -> Error {
    match error.field() {
        Some(_) => Error::invalid("strategy", format!("#{number}: {error}")),
        None => error,
    }
}
