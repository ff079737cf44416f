//! What translation asks of the index.

use super::Setting;
use super::field::word_fields;
use super::people::author_prefix;
use super::prefix::terms_with;
use crate::error::Result;
use crate::keyword::analysis::{Analyzer, exact_value};
use crate::keyword::snapshot::KeywordSnapshot;
use crate::query::pubmed::{Field, Known, Leaf};
use std::cell::RefCell;
use std::collections::HashMap;
use tantivy::schema::Field as IndexField;

/// Forms of a word that are searched.
const FORMS: usize = 8;

/// Words that are compared in the search for forms.
const COMPARED: usize = 2_000;

/// Terms with the number of articles of each, and whether there are more.
type Found = (Vec<(String, u32)>, bool);

impl KeywordSnapshot {
    /// Hands what the commit knows to a translation, and tells what the user
    /// should know of the forms of words.
    pub(super) fn with_lexicon<T>(
        &self,
        setting: Setting<'_>,
        translation: impl FnOnce(&Known<'_>) -> Result<T>,
    ) -> Result<(T, Vec<String>)> {
        let seen: RefCell<HashMap<String, Vec<String>>> = RefCell::default();
        let notes: RefCell<Vec<String>> = RefCell::default();
        let forms = |word: &str| -> Result<Vec<String>> {
            if let Some(forms) = seen.borrow().get(word) {
                return Ok(forms.clone());
            }
            let forms = self.forms(word, &mut notes.borrow_mut())?;
            seen.borrow_mut().insert(word.to_owned(), forms.clone());
            Ok(forms)
        };
        let fields = &self.0.fields;
        let begins = |field: IndexField, prefix: &str| -> Result<bool> {
            let (terms, _) = self.terms(field, prefix, 1)?;
            Ok(!terms.is_empty())
        };
        let is_value = |field: IndexField, text: &str| -> Result<bool> {
            let value = exact_value(text);
            let (terms, _) = self.terms(field, &value, 1)?;
            Ok(terms.first().is_some_and(|(term, _)| *term == value))
        };
        let translated = translation(&Known {
            mesh: setting.mesh,
            forms: &forms,
            is_journal: &|text| is_value(fields.journal_exact, text),
            is_author: &|text| begins(fields.tagged, &author_prefix(text)),
            is_publication_type: &|text| is_value(fields.publication_type, text),
            today: setting.today,
        })?;
        Ok((translated, notes.take()))
    }

    /// Terms of all segments that begin with a text, first ones first, and
    /// whether a segment has more than `most`.
    fn terms(&self, field: IndexField, prefix: &str, most: usize) -> Result<Found> {
        let read = || -> tantivy::Result<Found> {
            let (mut all, mut cut) = (Vec::new(), false);
            let watch = self.watch();
            for segment in self.0.searcher.segment_readers() {
                watch.look()?;
                let index = segment.inverted_index(field)?;
                let (terms, more) = terms_with(&index, prefix, most)?;
                all.extend(terms);
                cut |= more;
            }
            all.sort();
            Ok((all, cut))
        };
        read().map_err(|error| self.failed("look up a word in", error))
    }

    /// The word and the words of the index that have its stem, most frequent
    /// first; nothing for function words. Where some are left out, a note says
    /// so.
    fn forms(&self, word: &str, notes: &mut Vec<String>) -> Result<Vec<String>> {
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
        let mut cut = false;
        for field in word_fields(fields, Field::All).unwrap_or_default().texts {
            let (terms, more) = self.terms(field, prefix, COMPARED)?;
            cut |= more;
            for (term, articles) in terms {
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
        if cut {
            notes.push(format!(
                "forms of `{word}` were sought among the first {COMPARED} words of each field \
                 that begin with `{prefix}`: others may be missing; write them out, or {prefix}*"
            ));
        }
        if forms.len() >= FORMS {
            let left = forms.len() + 1 - FORMS;
            notes.push(format!(
                "`{word}` has {left} rarer forms that were not searched: {prefix}* finds them"
            ));
        }
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
                field: Some(Field::Entity),
                ..
            } => (fields.findings.entity, text),
            Leaf::Term {
                field: Some(Field::Relation),
                ..
            } => return Ok(None),
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
