use crate::enrich::EnrichSettings;
use crate::enrich::answer::AnswerSettings;
use crate::error::{Error, Result};
use crate::query::QueryDefaults;
use crate::searcher::PassageSettings;
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
    /// Breadth of the search through a graph (`ef_search`). A search is never
    /// narrower than its candidates: a value below
    /// [`candidates`](Self::candidates) has no effect.
    pub ef_search: usize,
    /// Memory for the vectors of queries that came before, in bytes; the ones
    /// used last are kept. 0 keeps none.
    pub query_cache_bytes: usize,
    /// Entities in the hits.
    pub enrich: EnrichSettings,
    /// Answers to questions.
    pub answer: AnswerSettings,
    /// Passages for a question.
    pub passages: PassageSettings,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            query: QueryDefaults::default(),
            candidates: 1000,
            ef_search: 128,
            query_cache_bytes: 8 << 20,
            enrich: EnrichSettings::default(),
            answer: AnswerSettings::default(),
            passages: PassageSettings::default(),
        }
    }
}

impl SearchSettings {
    /// Refuses settings with which pages would run dry.
    pub fn check(&self) -> Result<()> {
        self.query.check()?;
        self.enrich.check()?;
        self.answer.check()?;
        self.passages.check()?;
        if self.candidates < self.query.max_window {
            return Err(Error::invalid(
                "search.candidates",
                format!(
                    "search.candidates is {}, below search.query.max_window ({}): pages past the \
                     candidates would be empty",
                    self.candidates, self.query.max_window
                ),
            ));
        }
        Ok(())
    }

    /// What the one who set these should know: settings that do nothing.
    pub fn notes(&self) -> Vec<String> {
        let set = self.ef_search != Self::default().ef_search;
        let narrow = set && self.ef_search < self.candidates;
        let note = format!(
            "search.ef_search is {}, below search.candidates ({}), and so has no effect: a search \
             is never narrower than its candidates; raise it above them, or lower both",
            self.ef_search, self.candidates
        );
        narrow.then_some(note).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breadth_without_effect_is_told_when_it_was_set() {
        let notes = |candidates, ef_search| {
            let settings = SearchSettings {
                candidates,
                ef_search,
                ..SearchSettings::default()
            };
            settings.notes()
        };
        assert!(SearchSettings::default().notes().is_empty());
        assert!(notes(1000, 2000).is_empty());
        let [note] = &notes(1000, 400)[..] else {
            panic!("no note");
        };
        for part in ["search.ef_search is 400", "search.candidates (1000)"] {
            assert!(note.contains(part), "{note}");
        }
    }
}
