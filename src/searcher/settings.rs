use crate::error::{Error, Result};
use crate::query::QueryDefaults;
use serde::{Deserialize, Serialize};

/// How searches are answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// What a request may leave out and may not exceed.
    pub query: QueryDefaults,
    /// Candidates taken from each side, whatever the page, so that scores and
    /// order do not change from page to page.
    pub candidates: usize,
    /// Breadth of the search through a graph (`ef_search`); a search is never
    /// narrower than its candidates.
    pub ef_search: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            query: QueryDefaults::default(),
            candidates: 1000,
            ef_search: 128,
        }
    }
}

impl SearchSettings {
    /// Refuses settings with which pages would run dry.
    pub fn check(&self) -> Result<()> {
        self.query.check()?;
        if self.candidates < self.query.max_window {
            return Err(Error::invalid(
                "search.candidates",
                format!(
                    "search.candidates is {}, below search.max_window ({}): pages past the \
                     candidates would be empty",
                    self.candidates, self.query.max_window
                ),
            ));
        }
        Ok(())
    }
}
