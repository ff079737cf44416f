//! What translation asks of the index.

use super::people::author_prefix;
use super::prefix::terms_with;
use crate::error::Result;
use crate::keyword::analysis::{Analyzer, exact_value};
use crate::keyword::snapshot::KeywordSnapshot;
use crate::mesh::MeshTable;
use crate::query::pubmed::{Field, Known, Leaf};
use std::collections::HashMap;
use tantivy::schema::Field as IndexField;

/// Forms of a word that are searched.
const FORMS: usize = 8;

/// Words that are compared in the search for forms.
const COMPARED: usize = 2_000;

impl KeywordSnapshot {
    /// Hands what the commit knows to a translation.
    pub(super) fn with_lexicon<T>(
        &self,
        mesh: Option<&MeshTable>,
        translation: impl FnOnce(&Known<'_>) -> Result<T>,
    ) -> Result<T> {
        let fields = &self.0.fields;
        let begins = |field: IndexField, prefix: &str| -> Result<bool> {
            let terms = self.terms(field, prefix, 1);
            Ok(!terms?.is_empty())
        };
        let is_value = |field: IndexField, text: &str| -> Result<bool> {
            let value = exact_value(text);
            let terms = self.terms(field, &value, 1)?;
            Ok(terms.first().is_some_and(|(term, _)| *term == value))
        };
        translation(&Known {
            mesh,
            forms: &|word| self.forms(word),
            is_journal: &|text| is_value(fields.journal_exact, text),
            is_author: &|text| begins(fields.tagged, &author_prefix(text)),
            is_publication_type: &|text| is_value(fields.publication_type, text),
        })
    }

    /// Terms of all segments that begin with a text, first ones first.
    fn terms(&self, field: IndexField, prefix: &str, most: usize) -> Result<Vec<(String, u32)>> {
        let read = || -> tantivy::Result<Vec<(String, u32)>> {
            let mut all = Vec::new();
            for segment in self.0.searcher.segment_readers() {
                let index = segment.inverted_index(field)?;
                all.extend(terms_with(&index, prefix, most)?.0);
            }
            all.sort();
            Ok(all)
        };
        read().map_err(|error| self.failed("look up a word in", error))
    }

    /// The word and the words of the index that have its stem, most frequent
    /// first; nothing for function words.
    fn forms(&self, word: &str) -> Result<Vec<String>> {
        let mut analyzer = Analyzer::new();
        let analysis = analyzer.analyze(word);
        let itself = || Ok(vec![word.to_owned()]);
        let [chunk] = analysis.chunks.as_slice() else {
            return itself();
        };
        let [unit] = chunk.units.as_slice() else {
            return itself();
        };
        if unit.is_stop_word() && !unit.capitals {
            return Ok(Vec::new());
        }
        let stem = unit.term.clone();
        let is_word = unit.atoms.is_empty() && unit.plural.is_none() && !unit.capitals;
        if !is_word || stem.chars().count() < 4 || !stem.chars().all(char::is_alphabetic) {
            return itself();
        }
        // Stemming may have changed the last letter (`therapi`) or added it
        // (`hope` of `hoping`).
        let prefix = stem.strip_suffix(['i', 'e']).unwrap_or(&stem);
        let fields = &self.0.fields;
        let mut forms: HashMap<String, u32> = HashMap::new();
        for field in [
            fields.title_words,
            fields.abstracts,
            fields.keywords,
            fields.mesh,
        ] {
            for (term, articles) in self.terms(field, prefix, COMPARED)? {
                if forms.contains_key(&term) || analyzer.stem(&term) == stem {
                    *forms.entry(term).or_default() += articles;
                }
            }
        }
        // Other fields may hold the word as it was written: it is always one of
        // those that are searched.
        let written = word.to_lowercase();
        let own = forms.remove(&written).unwrap_or(0);
        let mut forms: Vec<(String, u32)> = forms.into_iter().collect();
        forms.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        forms.truncate(FORMS - 1);
        let place = forms.partition_point(|(form, articles)| {
            *articles > own || (*articles == own && *form < written)
        });
        forms.insert(place, (written, own));
        Ok(forms.into_iter().map(|(form, _)| form).collect())
    }

    /// What may have been meant by a term that finds nothing; never put in its
    /// place.
    pub(super) fn hint(&self, leaf: &Leaf) -> Result<Option<String>> {
        let fields = &self.0.fields;
        let (field, value) = match leaf {
            Leaf::Mesh {
                heading,
                qualifier: None,
                major: false,
                ..
            } => (fields.mesh_exact, heading),
            Leaf::Term {
                text,
                field: Some(Field::PublicationType),
                ..
            } => (fields.publication_type, text),
            Leaf::Term {
                text,
                field: Some(Field::Journal),
                ..
            } => (fields.journal_exact, text),
            Leaf::Term {
                text,
                quoted: true,
                field: Some(_),
                ..
            } if text.contains(' ') => {
                return Ok(Some(format!(
                    "the words of \"{text}\" stand nowhere side by side; without quotation marks \
                     each of them is searched"
                )));
            }
            _ => return Ok(None),
        };
        let nearest = self.likest(field, value)?;
        Ok(nearest.map(|near| format!("{leaf}: did you mean `{near}`?")))
    }
}
