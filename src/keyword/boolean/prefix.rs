//! Truncated words: every word of the index that begins so.

use super::{Documents, Evaluator, gather};
use tantivy::schema::Field;
use tantivy::{InvertedIndexReader, Term};

/// Words that one truncated word stands for, in one field and segment.
const EXPANSIONS: usize = 10_000;

/// The same inside a phrase, where the positions of each are read.
const PHRASE_EXPANSIONS: usize = 500;

/// Words that all truncated words of a query stand for together.
const QUERY_EXPANSIONS: usize = 200_000;

/// How many words truncated words may stand for.
pub(super) struct Budget {
    /// One of them, in one field and segment.
    alone: usize,
    /// One inside a phrase, in one field and segment.
    in_phrase: usize,
    /// What is left for all of the query.
    left: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            alone: EXPANSIONS,
            in_phrase: PHRASE_EXPANSIONS,
            left: QUERY_EXPANSIONS,
        }
    }
}

impl Evaluator<'_> {
    /// Documents with a word that begins so.
    pub(super) fn prefix(&mut self, field: Field, prefix: &str) -> tantivy::Result<Documents> {
        let mut found = Documents::new();
        for (segment, base) in self.segments() {
            self.watch.look()?;
            let index = segment.inverted_index(field)?;
            for term in self.terms_with(&index, field, prefix, self.budget.alone)? {
                gather(&index, &term, base, &self.watch, &mut found)?;
            }
        }
        Ok(found)
    }

    /// The words of a phrase's truncated word.
    pub(super) fn expand(
        &mut self,
        index: &InvertedIndexReader,
        field: Field,
        prefix: &str,
    ) -> tantivy::Result<Vec<Term>> {
        self.terms_with(index, field, prefix, self.budget.in_phrase)
    }

    fn terms_with(
        &mut self,
        index: &InvertedIndexReader,
        field: Field,
        prefix: &str,
        most: usize,
    ) -> tantivy::Result<Vec<Term>> {
        let most = most.min(self.budget.left);
        let (texts, more) = terms_with(index, prefix, most)?;
        self.budget.left -= texts.len();
        if more && most == 0 {
            self.warn(format!(
                "`{prefix}*` was not searched everywhere: the truncated words of the query stand \
                 for too many words; write more letters"
            ));
        } else if more {
            self.warn(format!(
                "`{prefix}*` stands for too many words: only the first {most} of them were \
                 searched; write more letters"
            ));
        }
        let terms = texts
            .iter()
            .map(|(text, _)| Term::from_field_text(field, text));
        Ok(terms.collect())
    }
}

/// Terms that begin with a text, with the number of documents of each, and
/// whether there are more than `most`.
pub(in crate::keyword) fn terms_with(
    index: &InvertedIndexReader,
    prefix: &str,
    most: usize,
) -> tantivy::Result<(Vec<(String, u32)>, bool)> {
    let mut found = Vec::new();
    let mut terms = index.terms().range().ge(prefix).into_stream()?;
    while terms.advance() && terms.key().starts_with(prefix.as_bytes()) {
        if found.len() == most {
            return Ok((found, true));
        }
        if let Ok(text) = std::str::from_utf8(terms.key()) {
            found.push((text.to_owned(), terms.value().doc_freq));
        }
    }
    Ok((found, false))
}

#[cfg(test)]
mod tests;
