//! What somebody who types may be about to write.

use super::boolean::terms_with;
use super::results::ResultSet;
use super::snapshot::KeywordSnapshot;
use crate::error::Result;
use crate::query::FacetField;
use roaring::RoaringBitmap;
use std::collections::HashMap;

/// Words that are looked at for the most frequent ones.
const COMPARED: usize = 5_000;

/// A text and how many articles have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// As it is shown.
    pub text: String,
    /// Articles.
    pub articles: u64,
}

/// The values of a kind that the articles of a commit have, by how they begin.
#[derive(Debug, Clone, Default)]
pub struct Completions {
    /// Folded, with the value; sorted.
    values: Vec<(String, Completion)>,
}

impl Completions {
    fn new(counts: HashMap<String, u64>) -> Self {
        let mut values: Vec<(String, Completion)> = counts
            .into_iter()
            .map(|(text, articles)| (text.to_lowercase(), Completion { text, articles }))
            .collect();
        values.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.text.cmp(&b.1.text)));
        Self { values }
    }

    /// Values that begin so, whatever the case, most articles first.
    pub fn beginning(&self, prefix: &str, most: usize) -> Vec<Completion> {
        let prefix = prefix.to_lowercase();
        let from = self
            .values
            .partition_point(|(folded, _)| folded.as_str() < prefix.as_str());
        let found = self.values[from..]
            .iter()
            .take_while(|(folded, _)| folded.starts_with(&prefix));
        best(found.map(|(_, value)| value.clone()).collect(), most)
    }

    /// The value that is spelled so, whatever the case.
    pub fn exactly(&self, text: &str) -> Option<&Completion> {
        let folded = text.to_lowercase();
        let at = self
            .values
            .binary_search_by(|(value, _)| value.as_str().cmp(&folded));
        at.ok().map(|at| &self.values[at].1)
    }
}

impl KeywordSnapshot {
    /// The values of a kind, of all articles; gathering them looks at every
    /// article, so whoever does should keep them.
    pub fn completions(&self, field: FacetField) -> Result<Completions> {
        Ok(Completions::new(self.counts(field, &self.all())?))
    }

    /// Words of titles that begin so, those of most articles first. Articles
    /// that were deleted count until their files are merged.
    pub fn words_beginning(&self, prefix: &str, most: usize) -> Result<Vec<Completion>> {
        let mut words: HashMap<String, u64> = HashMap::new();
        for segment in self.0.searcher.segment_readers() {
            let index = segment.inverted_index(self.0.fields.title_words);
            let found = index.and_then(|index| terms_with(&index, prefix, COMPARED));
            let (found, _) = found.map_err(|error| self.failed("look up a word in", error))?;
            for (word, articles) in found {
                *words.entry(word).or_default() += u64::from(articles);
            }
        }
        let words = words.into_iter();
        let words = words.map(|(text, articles)| Completion { text, articles });
        Ok(best(words.collect(), most))
    }

    /// Every article.
    fn all(&self) -> ResultSet {
        let segments = self.0.searcher.segment_readers().iter();
        let alive = segments.map(|segment| {
            if segment.has_deletes() {
                segment.doc_ids_alive().collect()
            } else {
                RoaringBitmap::from_iter(0..segment.max_doc())
            }
        });
        ResultSet {
            segments: alive.collect(),
        }
    }
}

fn best(mut found: Vec<Completion>, most: usize) -> Vec<Completion> {
    found.sort_by(|a, b| {
        let by_count = b.articles.cmp(&a.articles);
        by_count.then_with(|| a.text.cmp(&b.text))
    });
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_beginning_whatever_the_case() {
        let counts = [
            ("Diabetes Insipidus", 2),
            ("Diabetes Mellitus", 40),
            ("Diabetes Mellitus, Type 2", 90),
            ("Diet", 500),
            ("digestion", 1),
        ];
        let counts = counts.map(|(text, articles)| (text.to_owned(), articles));
        let all = Completions::new(counts.into());
        let texts = |prefix: &str, most| {
            let found = all.beginning(prefix, most).into_iter();
            found.map(|found| found.text).collect::<Vec<_>>()
        };
        assert_eq!(
            texts("diabetes", 2),
            ["Diabetes Mellitus, Type 2", "Diabetes Mellitus"]
        );
        assert_eq!(texts("DI", 1), ["Diet"]);
        assert_eq!(texts("Dig", 9), ["digestion"]);
        assert!(texts("x", 9).is_empty() && texts("diabetes mellitus, type 22", 9).is_empty());
        assert_eq!(all.exactly("diet").unwrap().text, "Diet");
        assert_eq!(all.exactly("die"), None);
    }
}
