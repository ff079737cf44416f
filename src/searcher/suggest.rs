//! What somebody who types may be about to write.

use super::Searcher;
use crate::error::{Error, Result};
use crate::keyword::{Completion, Completions};
use crate::query::FacetField;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::OnceLock;

/// Letters that a beginning has at least.
const MIN_LETTERS: usize = 2;

/// Suggestions of a kind where a request names no number, and the most.
const LIMIT: usize = 5;
const MAX_LIMIT: usize = 20;

/// What a suggestion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionKind {
    /// A word of titles.
    Term,
    /// A MeSH heading.
    Mesh,
    /// A journal.
    Journal,
}

impl SuggestionKind {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 3] = [Self::Term, Self::Mesh, Self::Journal];

    /// The name in requests and responses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Term => "term",
            Self::Mesh => "mesh",
            Self::Journal => "journal",
        }
    }
}

impl FromStr for SuggestionKind {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "kinds",
                    format!("unknown kind {text:?}: use term, mesh or journal"),
                )
            })
    }
}

/// One suggestion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// What it is.
    pub kind: SuggestionKind,
    /// As it is shown: the word, the heading, the journal.
    pub text: String,
    /// The whole query that it stands for.
    pub query: String,
    /// The other name under which a heading was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_as: Option<String>,
    /// Articles that have it; of a term, in their titles.
    pub articles: u64,
}

/// Headings and journals of one committed state, gathered when first asked for.
#[derive(Default)]
pub(super) struct Known {
    mesh: OnceLock<Completions>,
    journal: OnceLock<Completions>,
}

impl Searcher {
    /// Ways to complete what was typed: its last word by words of titles, the
    /// whole of it by MeSH headings (of which other names are known where MeSH
    /// is at hand) and journals; each kind with most articles first.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for a limit out of bounds.
    pub fn suggest(
        &self,
        typed: &str,
        kinds: &[SuggestionKind],
        limit: Option<usize>,
    ) -> Result<Vec<Suggestion>> {
        let limit = limit.unwrap_or(LIMIT);
        if limit == 0 || limit > MAX_LIMIT {
            return Err(Error::invalid(
                "limit",
                format!("limit is {limit}: use 1 to {MAX_LIMIT}"),
            ));
        }
        let max = self.settings.query.max_query_chars;
        let typed = typed.trim_start();
        if typed.chars().count() > max {
            return Err(Error::invalid(
                "q",
                format!("the text has more than {max} characters"),
            ));
        }
        let mut found = Vec::new();
        for kind in SuggestionKind::ALL {
            if kinds.contains(&kind) {
                found.extend(match kind {
                    SuggestionKind::Term => self.terms(typed, limit)?,
                    SuggestionKind::Mesh => self.headings(typed, limit)?,
                    SuggestionKind::Journal => self.journals(typed, limit)?,
                });
            }
        }
        Ok(found)
    }

    /// Completes the last word; what comes before it stays.
    fn terms(&self, typed: &str, limit: usize) -> Result<Vec<Suggestion>> {
        let at = typed
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric())
            .last()
            .map_or(typed.len(), |(at, _)| at);
        let (before, word) = typed.split_at(at);
        if word.chars().count() < MIN_LETTERS {
            return Ok(Vec::new());
        }
        let word = word.to_lowercase();
        // One more, since the word itself is no suggestion.
        let words = self.keyword.words_beginning(&word, limit + 1)?;
        let words = words.into_iter().filter(|found| found.text != word);
        let suggestion = |Completion { text, articles }| Suggestion {
            kind: SuggestionKind::Term,
            query: format!("{before}{text}"),
            text,
            found_as: None,
            articles,
        };
        Ok(words.take(limit).map(suggestion).collect())
    }

    fn headings(&self, typed: &str, limit: usize) -> Result<Vec<Suggestion>> {
        let typed = typed.trim_end();
        if typed.chars().count() < MIN_LETTERS {
            return Ok(Vec::new());
        }
        let known = self.known(FacetField::Mesh)?;
        let own = known.beginning(typed, limit);
        let mut found: Vec<Suggestion> = own.into_iter().map(|own| heading(own, None)).collect();
        if let Some(mesh) = &self.extras.mesh {
            let names = mesh.names_beginning(typed, 4 * limit);
            let mut others: Vec<Suggestion> = Vec::new();
            for (name, descriptor) in names {
                let taken =
                    |list: &[Suggestion]| list.iter().any(|known| known.text == descriptor.heading);
                if taken(&found) || taken(&others) {
                    continue;
                }
                if let Some(own) = known.exactly(&descriptor.heading) {
                    others.push(heading(own.clone(), Some(name.to_owned())));
                }
            }
            others.sort_by_key(|other| std::cmp::Reverse(other.articles));
            found.extend(others);
        }
        found.truncate(limit);
        Ok(found)
    }

    fn journals(&self, typed: &str, limit: usize) -> Result<Vec<Suggestion>> {
        let typed = typed.trim_end();
        if typed.chars().count() < MIN_LETTERS {
            return Ok(Vec::new());
        }
        let found = self.known(FacetField::Journal)?.beginning(typed, limit);
        let suggestion = |Completion { text, articles }| Suggestion {
            kind: SuggestionKind::Journal,
            query: tagged(&text, "ta"),
            text,
            found_as: None,
            articles,
        };
        Ok(found.into_iter().map(suggestion).collect())
    }

    fn known(&self, field: FacetField) -> Result<&Completions> {
        let cell = match field {
            FacetField::Mesh => &self.gathered.known.mesh,
            _ => &self.gathered.known.journal,
        };
        if let Some(known) = cell.get() {
            return Ok(known);
        }
        let gathered = self.unhurried().completions(field)?;
        Ok(cell.get_or_init(|| gathered))
    }
}

fn heading(Completion { text, articles }: Completion, found_as: Option<String>) -> Suggestion {
    Suggestion {
        kind: SuggestionKind::Mesh,
        query: tagged(&text, "mh"),
        text,
        found_as,
        articles,
    }
}

/// A query for a whole value.
fn tagged(value: &str, tag: &str) -> String {
    format!("\"{}\"[{tag}]", value.replace('"', ""))
}
