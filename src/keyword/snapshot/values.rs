//! Values of a filter that no article has, and what may have been meant.

use super::KeywordSnapshot;
use crate::enrich::relation_value;
use crate::error::Result;
use crate::keyword::analysis::exact_value;
use crate::query::Filter;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet as _, TERMINATED, Term};

/// A value of a filter that no article of the index has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownValue {
    /// What the value is, in words: `language`, `MeSH heading`.
    pub kind: &'static str,
    /// As it was given.
    pub value: String,
    /// The value of the index that is most like it, folded to lower case.
    pub nearest: Option<String>,
}

/// Unknown values for which a likeness is sought; a request with more of them
/// has other troubles.
const SOUGHT: usize = 3;

/// Values of the index that are compared before the search for a likeness
/// gives up: a bound on what a single request can cost.
const COMPARED: usize = 500_000;

impl KeywordSnapshot {
    /// The values of a filter that no article has. Values are compared as the
    /// filter compares them.
    pub fn unknown_values(&self, filter: &Filter) -> Result<Vec<UnknownValue>> {
        let fields = &self.0.fields;
        let lists = [
            (fields.journal_exact, "journal", &filter.journal),
            (
                fields.publication_type,
                "publication type",
                &filter.publication_type,
            ),
            (fields.mesh_exact, "MeSH heading", &filter.mesh),
            (fields.language, "language", &filter.language),
            (fields.findings.entity, "entity", &filter.entity),
            (
                fields.findings.relation,
                "relation",
                &filter
                    .relation
                    .iter()
                    .map(|value| relation_value(value))
                    .collect(),
            ),
        ];
        let mut unknown = Vec::new();
        for (field, kind, values) in lists {
            for value in values {
                let known = self.holds(field, value);
                if known.map_err(|error| self.failed("look up a filter in", error))? {
                    continue;
                }
                let nearest = if unknown.len() < SOUGHT {
                    self.nearest(field, value)
                        .map_err(|error| self.failed("look up a filter in", error))?
                } else {
                    None
                };
                unknown.push(UnknownValue {
                    kind,
                    value: value.clone(),
                    nearest,
                });
            }
        }
        Ok(unknown)
    }

    /// Whether an article that is not deleted has the value.
    fn holds(&self, field: Field, value: &str) -> tantivy::Result<bool> {
        let term = Term::from_field_text(field, &exact_value(value));
        self.watch().look()?;
        for segment in self.0.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let Some(mut postings) = index.read_postings(&term, IndexRecordOption::Basic)? else {
                continue;
            };
            while postings.doc() != TERMINATED {
                if !segment.is_deleted(postings.doc()) {
                    return Ok(true);
                }
                postings.advance();
            }
        }
        Ok(false)
    }

    /// The value of a field that is most like another.
    pub(in crate::keyword) fn likest(&self, field: Field, value: &str) -> Result<Option<String>> {
        self.nearest(field, value)
            .map_err(|error| self.failed("look up a value in", error))
    }

    fn nearest(&self, field: Field, value: &str) -> tantivy::Result<Option<String>> {
        let mut best = Best::new(exact_value(value));
        let mut compared = 0;
        let watch = self.watch();
        for segment in self.0.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().stream()?;
            while terms.advance() && compared < COMPARED {
                compared += 1;
                watch.step()?;
                if let Ok(term) = std::str::from_utf8(terms.key()) {
                    best.look_at(term, terms.value().doc_freq);
                }
            }
        }
        // Terms of deleted articles stay in the files for a while.
        match best.found() {
            Some(term) if self.holds(field, &term)? => Ok(Some(term)),
            _ => Ok(None),
        }
    }
}

/// The likest term so far.
struct Best {
    value: String,
    length: usize,
    most_edits: usize,
    found: Option<(Likeness, String)>,
}

/// How like two texts are; what is less is more like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// So many edits apart.
    Edits(usize),
    /// The term begins the value: `eng` and `englisch`. Counts the letters
    /// that are left over.
    Begins(usize),
    /// The value begins the term: `diabetes`. The term with the most articles
    /// is the likest.
    Continues(std::cmp::Reverse<u32>),
}

impl Best {
    fn new(value: String) -> Self {
        let length = value.chars().count();
        Self {
            length,
            most_edits: (length / 4).clamp(1, 3),
            value,
            found: None,
        }
    }

    fn look_at(&mut self, term: &str, articles: u32) {
        if !is_name(term) {
            return;
        }
        let Some(likeness) = self.likeness(term, articles) else {
            return;
        };
        let better = self
            .found
            .as_ref()
            .is_none_or(|(found, known)| (likeness, term) < (*found, known.as_str()));
        if better {
            self.found = Some((likeness, term.to_owned()));
        }
    }

    fn likeness(&self, term: &str, articles: u32) -> Option<Likeness> {
        let length = term.chars().count();
        // Two letters begin everything.
        let shorter = length.min(self.length);
        if length.abs_diff(self.length) <= self.most_edits && shorter > self.most_edits {
            let edits = strsim::levenshtein(&self.value, term);
            if edits <= self.most_edits {
                return Some(Likeness::Edits(edits));
            }
        }
        if shorter >= 3 && self.value.starts_with(term) {
            return Some(Likeness::Begins(self.length - length));
        }
        (shorter >= 3 && term.starts_with(&self.value))
            .then_some(Likeness::Continues(std::cmp::Reverse(articles)))
    }

    fn found(self) -> Option<String> {
        self.found.map(|(_, term)| term)
    }
}

/// Whether a value is a name rather than a number or an identifier, of which
/// the neighbours mean something else altogether.
fn is_name(term: &str) -> bool {
    let digits = term.chars().filter(char::is_ascii_digit).count();
    let letters = term.chars().filter(|c| c.is_alphabetic()).count();
    letters > digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(value: &str, terms: &[(&str, u32)]) -> Option<String> {
        let mut best = Best::new(value.to_owned());
        for (term, articles) in terms {
            best.look_at(term, *articles);
        }
        best.found()
    }

    #[test]
    fn the_likest_is_few_edits_away_or_begins_alike() {
        let languages = [("chi", 3), ("eng", 60), ("ger", 4), ("jpn", 1)];
        assert_eq!(nearest("englisch", &languages).as_deref(), Some("eng"));
        assert_eq!(nearest("german", &languages).as_deref(), Some("ger"));
        assert_eq!(nearest("en", &languages).as_deref(), Some("eng"));
        assert_eq!(nearest("xyz", &languages), None);
        let kinds = [("review", 9), ("systematic review", 3), ("letter", 1)];
        assert_eq!(nearest("reviews", &kinds).as_deref(), Some("review"));
        assert_eq!(nearest("rewiev", &kinds), None);
        let headings = [
            ("diabetes insipidus", 2),
            ("diabetes mellitus", 3),
            ("diabetes mellitus, type 2", 40),
        ];
        let found = nearest("diabetes", &headings);
        assert_eq!(found.as_deref(), Some("diabetes mellitus, type 2"));
    }

    #[test]
    fn identifiers_are_never_guessed() {
        let terms = [("d003924", 5), ("0140-6736", 9), ("t2 phage", 1)];
        assert_eq!(nearest("d003925", &terms), None);
        assert_eq!(nearest("0140-6735", &terms), None);
    }
}
