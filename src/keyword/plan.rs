//! From the words of a query to the terms that are looked up and their weights.

use super::analysis::{Analyzer, Chunk, Unit, exact_value};
use super::schema::Fields;
use crate::deadline::Watch;
use std::collections::HashSet;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// Constants of the ranking.
///
/// Chosen by nDCG@10 on the NFCorpus development queries, a quarter of its
/// training queries, and the SciFact training queries. k1 from 0.6 to 2.5 and
/// b from 0.3 to 0.9 move it by less than 0.01, so the usual values stay. The
/// title at 0.2 adds 0.003, 0.002 and 0.007; counting the best alternative of
/// a compound rather than all of them 0.003, 0.002 and 0.010.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ranking {
    /// BM25's saturation of a term's frequency.
    pub(super) k1: f32,
    /// BM25's normalisation by length.
    pub(super) b: f32,
    /// Weight of a term's occurrences in the title beside those in the text.
    pub(super) title: f32,
    /// Weight of the parts of a compound that is not there as a whole.
    pub(super) parts: f32,
    /// The same for compounds with a digit.
    pub(super) symbol_parts: f32,
    /// Weight of names and journals where the text knows no such word.
    pub(super) names: f32,
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            k1: 1.2,
            b: 0.75,
            title: 0.2,
            parts: 1.0,
            symbol_parts: 0.3,
            names: 1.0,
        }
    }
}

/// What became of a query's words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryNotes {
    /// Stop words that were passed over.
    pub ignored: Vec<String>,
    /// Words that no article holds.
    pub unknown: Vec<String>,
    /// Compounds that no article holds as a whole: their parts were searched.
    pub in_parts: Vec<String>,
    /// The query has stop words only, so they were searched as words.
    pub only_stop_words: bool,
}

/// A term to look up; an occurrence counts `weight` times its BM25 share.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lookup {
    pub(super) term: Term,
    pub(super) weight: f32,
}

/// One word of the query. Its alternatives are other ways to find the same
/// thing, whole or in parts: the best of them counts, so that a compound does
/// not count twice. The lookups of one alternative add up.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    /// As the query has it.
    pub(super) written: String,
    pub(super) alternatives: Vec<Vec<Lookup>>,
}

/// A query made ready for one commit.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Plan {
    pub(super) groups: Vec<Group>,
    pub(super) notes: QueryNotes,
}

/// Makes plans against one commit.
pub(super) struct Planner<'a> {
    pub(super) searcher: &'a Searcher,
    pub(super) fields: &'a Fields,
    pub(super) ranking: &'a Ranking,
    pub(super) watch: &'a Watch,
}

impl Planner<'_> {
    /// Plans a query. Any text is a query; one without words finds nothing.
    pub(super) fn plan(&self, text: &str) -> tantivy::Result<Plan> {
        let analysis = Analyzer::new().analyze(text);
        let is_stop = |chunk: &Chunk| is_stop_chunk(chunk, analysis.shouting);
        let only_stop_words = !analysis.chunks.is_empty() && analysis.chunks.iter().all(is_stop);
        let mut plan = Plan::default();
        plan.notes.only_stop_words = only_stop_words;
        let mut seen: HashSet<String> = HashSet::new();
        for chunk in &analysis.chunks {
            self.watch.look()?;
            let written = &text[chunk.range.clone()];
            if !only_stop_words && is_stop(chunk) {
                note(&mut plan.notes.ignored, written);
                continue;
            }
            if seen.contains(&identity(chunk)) {
                continue;
            }
            match self.group(chunk, written)? {
                Some(group) => {
                    if let Some(whole) = &chunk.whole
                        && !self.is_known(whole)?
                    {
                        note(&mut plan.notes.in_parts, written);
                    }
                    seen.insert(identity(chunk));
                    plan.groups.push(group);
                }
                None => note(&mut plan.notes.unknown, written),
            }
        }
        self.add_identifiers(text, &mut plan)?;
        Ok(plan)
    }

    /// The ways to find a chunk; `None` where no article holds any of it.
    fn group(&self, chunk: &Chunk, written: &str) -> tantivy::Result<Option<Group>> {
        let mut alternatives = Vec::new();
        if let Some(whole) = &chunk.whole {
            self.push_sum(&mut alternatives, std::iter::once(whole.as_str()), 1.0)?;
        }
        let weight = match &chunk.whole {
            // The parts of a symbol (`IL-2`) say little without each other,
            // those of words (`double-blind`) much.
            Some(_) if chunk.units.iter().any(has_digit) => self.ranking.symbol_parts,
            Some(_) => self.ranking.parts,
            None => 1.0,
        };
        let units = || chunk.units.iter().filter(|unit| counts_in(unit, chunk));
        if let [unit] = chunk.units.as_slice() {
            self.push_forms(&mut alternatives, unit)?;
        } else {
            let terms = units().map(|unit| unit.term.as_str());
            self.push_sum(&mut alternatives, terms, weight)?;
            if units().any(|unit| unit.surface.is_some()) {
                self.push_sum(&mut alternatives, units().map(Unit::written), weight)?;
            }
        }
        if units().any(|unit| unit.greek) {
            let atoms = units().flat_map(atom_terms);
            self.push_sum(&mut alternatives, atoms, self.ranking.parts)?;
        }
        if alternatives.is_empty() {
            self.push_names(&mut alternatives, chunk)?;
        }
        Ok((!alternatives.is_empty()).then(|| Group {
            written: written.to_owned(),
            alternatives,
        }))
    }

    /// Whether any article's text holds a term.
    fn is_known(&self, text: &str) -> tantivy::Result<bool> {
        let term = Term::from_field_text(self.fields.text, text);
        Ok(self.searcher.doc_freq(&term)? > 0)
    }

    /// Adds the sum over some terms of the text, where any article holds one.
    fn push_sum<'t>(
        &self,
        alternatives: &mut Vec<Vec<Lookup>>,
        terms: impl Iterator<Item = &'t str>,
        weight: f32,
    ) -> tantivy::Result<()> {
        let mut lookups = Vec::new();
        for text in terms {
            let term = Term::from_field_text(self.fields.text, text);
            if let Some(idf) = self.idf(&[&term])? {
                lookups.extend(self.lookups(text, weight * idf));
            }
        }
        if !lookups.is_empty() && !alternatives.contains(&lookups) {
            alternatives.push(lookups);
        }
        Ok(())
    }

    /// A word that no text holds may be an author's or a journal's.
    fn push_names(
        &self,
        alternatives: &mut Vec<Vec<Lookup>>,
        chunk: &Chunk,
    ) -> tantivy::Result<()> {
        for field in [self.fields.authors, self.fields.journal] {
            let mut lookups = Vec::new();
            for unit in &chunk.units {
                let term = Term::from_field_text(field, unit.written());
                if let Some(idf) = self.idf(&[&term])? {
                    lookups.push(Lookup {
                        term,
                        weight: idf * self.ranking.names,
                    });
                }
            }
            if !lookups.is_empty() {
                alternatives.push(lookups);
            }
        }
        Ok(())
    }

    /// PMIDs, DOIs, accession numbers: what has a digit and stands between
    /// white space is looked up among the identifiers as a whole.
    fn add_identifiers(&self, text: &str, plan: &mut Plan) -> tantivy::Result<()> {
        for word in text.split_whitespace().filter(|word| is_like_an_id(word)) {
            let trimmed = word.trim_matches(|c: char| !c.is_alphanumeric());
            for value in [exact_value(word), exact_value(trimmed)] {
                let term = Term::from_field_text(self.fields.ids, &value);
                if let Some(idf) = self.idf(&[&term])? {
                    let lookup = Lookup { term, weight: idf };
                    let same = |group: &&mut Group| group.written == trimmed;
                    match plan.groups.iter_mut().find(same) {
                        Some(group) => group.alternatives.push(vec![lookup]),
                        None => plan.groups.push(Group {
                            written: trimmed.to_owned(),
                            alternatives: vec![vec![lookup]],
                        }),
                    }
                    let notes = &mut plan.notes;
                    for told in [&mut notes.unknown, &mut notes.in_parts] {
                        told.retain(|told| !word.contains(told.as_str()));
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// A word as stemmed and as written: the latter finds acronyms that the
    /// query has in small letters (`aids`). Both are one word and weigh the
    /// same, or the rarer form would pass for the more telling one.
    fn push_forms(&self, alternatives: &mut Vec<Vec<Lookup>>, unit: &Unit) -> tantivy::Result<()> {
        let forms: Vec<&str> = std::iter::once(unit.term.as_str())
            .chain(unit.surface.as_deref())
            .collect();
        let term = |text: &&str| Term::from_field_text(self.fields.text, text);
        let terms: Vec<Term> = forms.iter().map(term).collect();
        let Some(idf) = self.idf(&terms.iter().collect::<Vec<_>>())? else {
            return Ok(());
        };
        for (text, term) in forms.iter().zip(&terms) {
            if self.searcher.doc_freq(term)? > 0 {
                alternatives.push(self.lookups(text, idf));
            }
        }
        Ok(())
    }

    /// A term of the text, and the same in titles.
    fn lookups(&self, text: &str, weight: f32) -> Vec<Lookup> {
        let mut lookups = vec![Lookup {
            term: Term::from_field_text(self.fields.text, text),
            weight,
        }];
        if self.ranking.title > 0.0 {
            lookups.push(Lookup {
                term: Term::from_field_text(self.fields.title, text),
                weight: weight * self.ranking.title,
            });
        }
        lookups
    }

    /// Inverse document frequency of terms taken as one; `None` where none of
    /// them is anywhere.
    fn idf(&self, terms: &[&Term]) -> tantivy::Result<Option<f32>> {
        let mut with_term = 0;
        for term in terms {
            with_term += self.searcher.doc_freq(term)?;
        }
        let all = all_documents(self.searcher);
        let (with_term, all) = (with_term.min(all) as f64, all as f64);
        let idf = (1.0 + (all - with_term + 0.5) / (with_term + 0.5)).ln();
        Ok((with_term > 0.0).then_some(idf as f32))
    }
}

fn has_digit(unit: &Unit) -> bool {
    unit.term.contains(|c: char| c.is_ascii_digit())
}

/// Documents that frequencies are counted over: deleted ones are among them
/// until their segment is merged, as in the frequencies themselves.
pub(super) fn all_documents(searcher: &Searcher) -> u64 {
    let segments = searcher.segment_readers().iter();
    segments.map(|segment| u64::from(segment.max_doc())).sum()
}

/// Average number of terms of a field per document, at least one.
pub(super) fn average_length(searcher: &Searcher, field: Field) -> tantivy::Result<f32> {
    let mut terms = 0;
    for segment in searcher.segment_readers() {
        terms += segment.inverted_index(field)?.total_num_tokens();
    }
    let documents = all_documents(searcher).max(1);
    Ok((terms as f32 / documents as f32).max(1.0))
}

/// A function word by itself; in capitals it may be an acronym (`WHO`, `ALL`),
/// but not where it is an operator of other query languages.
fn is_stop_chunk(chunk: &Chunk, shouting: bool) -> bool {
    let [unit] = chunk.units.as_slice() else {
        return false;
    };
    let acronym = unit.capitals && !shouting && !matches!(unit.written(), "and" | "or" | "not");
    unit.is_stop_word() && !acronym
}

/// Function words inside compounds (`follow-up`) do not count as parts.
fn counts_in(unit: &Unit, chunk: &Chunk) -> bool {
    chunk.units.len() == 1 || !unit.is_stop_word() || chunk.units.iter().all(Unit::is_stop_word)
}

fn atom_terms(unit: &Unit) -> Vec<&str> {
    if unit.greek {
        unit.atoms.iter().map(|atom| atom.term.as_str()).collect()
    } else {
        vec![&unit.term]
    }
}

fn identity(chunk: &Chunk) -> String {
    let units: Vec<&str> = chunk.units.iter().map(Unit::written).collect();
    units.join(" ")
}

fn is_like_an_id(word: &str) -> bool {
    word.len() >= 3 && word.bytes().any(|byte| byte.is_ascii_digit())
}

fn note(list: &mut Vec<String>, word: &str) {
    if !list.iter().any(|known| known == word) {
        list.push(word.to_owned());
    }
}
