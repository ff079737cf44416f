//! What a run of a strategy found, kept to say what is new in the next one.

use crate::error::Result;
use medsift::Error;
use medsift::searcher::StrategyRun;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A run that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// The day of the search.
    pub(crate) day: String,
    /// The index directory.
    pub(crate) index: String,
    /// Number of its commit.
    pub(crate) generation: u64,
    /// When that was committed.
    pub(crate) committed_at: String,
    /// Number of the line that was the result.
    pub(crate) result: u32,
    /// The strategy as it was written then.
    pub(crate) strategy: String,
    /// Articles of the result.
    pub(crate) ids: Vec<String>,
}

/// What has changed since an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Since {
    /// The day of the earlier run.
    pub(crate) day: String,
    /// The index directory that it searched.
    pub(crate) index: String,
    /// Number of the commit that it searched.
    pub(crate) generation: u64,
    /// When that was committed.
    pub(crate) committed_at: String,
    /// How many articles it found.
    pub(crate) articles: usize,
    /// Whether the strategy or the line of the result is another one now.
    pub(crate) strategy_changed: bool,
    /// Articles that are found now and were not then.
    pub(crate) added: Vec<String>,
    /// Articles that were found then and are not now.
    pub(crate) gone: Vec<String>,
}

impl Record {
    /// Of a run of a text.
    pub(crate) fn new(run: &StrategyRun, text: &str, index: &str) -> Self {
        Self {
            day: run.day.clone(),
            index: index.to_owned(),
            generation: run.index.generation,
            committed_at: run.index.committed_at.clone(),
            result: run.result,
            strategy: text.to_owned(),
            ids: run.ids.iter().map(|id| id.as_str().to_owned()).collect(),
        }
    }

    /// Reads one.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read(path).map_err(|error| Error::io("read", path, error))?;
        let record = serde_json::from_slice(&text);
        Ok(record.map_err(|error| Error::corrupt(path, error))?)
    }

    /// What has changed from this run to a later one.
    pub(crate) fn until(&self, later: &Self) -> Since {
        let (before, now): (BTreeSet<_>, BTreeSet<_>) =
            (self.ids.iter().collect(), later.ids.iter().collect());
        let only = |ids: &[String], other: &BTreeSet<&String>| -> Vec<String> {
            ids.iter()
                .filter(|id| !other.contains(id))
                .cloned()
                .collect()
        };
        Since {
            day: self.day.clone(),
            index: self.index.clone(),
            generation: self.generation,
            committed_at: self.committed_at.clone(),
            articles: self.ids.len(),
            strategy_changed: self.strategy != later.strategy || self.result != later.result,
            added: only(&later.ids, &before),
            gone: only(&self.ids, &now),
        }
    }

    /// Whether a later run has nothing to say that this one does not.
    pub(crate) fn says_as_much_as(&self, later: &Self) -> bool {
        let undated = |record: &Self| Self {
            day: String::new(),
            ..record.clone()
        };
        undated(self) == undated(later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(ids: &[&str]) -> Record {
        Record {
            day: "2024-03-01".to_owned(),
            index: "idx".to_owned(),
            generation: 3,
            committed_at: "2024-02-29T00:00:00Z".to_owned(),
            result: 2,
            strategy: "gout".to_owned(),
            ids: ids.iter().map(|&id| id.to_owned()).collect(),
        }
    }

    #[test]
    fn what_is_new_and_what_is_gone() {
        let first = record(&["1", "2", "30"]);
        let later = Record {
            strategy: "gout[mh]".to_owned(),
            ..record(&["2", "4", "30", "31"])
        };
        let since = first.until(&later);
        assert_eq!(since.added, ["4", "31"]);
        assert_eq!(since.gone, ["1"]);
        assert_eq!(since.articles, 3);
        assert!(since.strategy_changed);
        let same = Record {
            day: "2024-04-01".to_owned(),
            ..first.clone()
        };
        assert!(first.says_as_much_as(&same));
        assert!(!first.says_as_much_as(&later));
        assert!(!first.until(&same).strategy_changed);
    }

    #[test]
    fn a_damaged_record_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("000001.json");
        fs::write(&path, serde_json::to_vec(&record(&["1"])).unwrap()).unwrap();
        assert_eq!(Record::read(&path).unwrap(), record(&["1"]));
        fs::write(&path, "{").unwrap();
        let error = Record::read(&path).unwrap_err().report().unwrap();
        assert!(error.contains("000001.json"), "{error}");
    }
}
