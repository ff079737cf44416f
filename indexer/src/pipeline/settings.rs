use medsift::index::WriterSettings;
use medsift::{Error, Result};
use serde::{Deserialize, Serialize};

/// How indexing goes about its work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IndexSettings {
    /// Articles that are embedded together.
    pub batch_articles: usize,
    /// Articles after which the work so far is committed.
    pub commit_articles: usize,
    /// Seconds after which the work so far is committed.
    pub commit_seconds: u64,
    /// Keyword side, segments and graphs.
    pub writer: WriterSettings,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self {
            batch_articles: 128,
            commit_articles: 5_000,
            commit_seconds: 60,
            writer: WriterSettings::default(),
        }
    }
}

impl IndexSettings {
    /// Refuses a batch or commit of nothing.
    pub fn check(&self) -> Result<()> {
        for (field, value) in [
            ("index.batch_articles", self.batch_articles),
            ("index.commit_articles", self.commit_articles),
        ] {
            if value == 0 {
                return Err(Error::invalid(
                    field,
                    format!("{field} is 0: use 1 or more"),
                ));
            }
        }
        self.writer.check()
    }
}
