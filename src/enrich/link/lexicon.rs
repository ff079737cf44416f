//! The names of a vocabulary, found by any of their forms.

use super::aliases::aliases;
use super::kind::ConceptKind;
use super::normal::{Grade, Normaliser, normal_form};
use crate::digest::Digest;
use crate::mesh::MeshTable;
use rayon::prelude::*;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Bytes of the longest name that is embedded; longer ones are those of
/// structures, which nobody writes twice alike.
const LONGEST: usize = 120;

/// Names whose words are remembered together.
const CHUNK: usize = 16_384;

/// A form of a name, by its hash, and what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    /// Of 64 bits: among a million forms two different ones share one with a
    /// probability of one in thirty million.
    hash: u64,
    /// 0: a heading; 1: another name.
    rank: u8,
    /// Levels below the top of the nearest tree.
    depth: u8,
    /// Place of the descriptor in the table.
    descriptor: u32,
}

/// What a name was found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Place of the descriptor in the table.
    pub descriptor: usize,
    /// How much of the name's form agreed.
    pub grade: Grade,
}

/// The descriptors of a MeSH table that entities are linked to, by the forms of
/// their names.
#[derive(Debug, Clone)]
pub struct Lexicon {
    table: Arc<MeshTable>,
    /// For each descriptor the kinds that it is of.
    kinds: Vec<u8>,
    /// For each grade the forms, by hash.
    forms: Vec<Vec<Form>>,
}

impl Lexicon {
    /// Takes up all names of a table's diseases, chemicals, organisms and
    /// anatomy, and common names of them that MeSH does not list.
    pub fn new(table: Arc<MeshTable>) -> Self {
        let kinds: Vec<u8> = table
            .descriptors()
            .iter()
            .map(|descriptor| {
                let places = descriptor.tree_numbers.iter();
                let kinds = places.filter_map(|place| ConceptKind::of_place(place));
                kinds.fold(0, |kinds, kind| kinds | kind.bit())
            })
            .collect();
        let depths: Vec<u8> = table
            .descriptors()
            .iter()
            .map(|descriptor| {
                let places = descriptor.tree_numbers.iter();
                let dots = places.map(|place| place.bytes().filter(|&byte| byte == b'.').count());
                u8::try_from(dots.min().unwrap_or(0)).unwrap_or(u8::MAX)
            })
            .collect();
        let names: Vec<(&str, u8, u32)> = names(&table, &kinds);
        let by_name: Vec<[Option<u64>; Grade::ALL.len()]> = names
            .par_chunks(CHUNK)
            .flat_map_iter(|names| {
                let mut normaliser = Normaliser::default();
                let hash = |form: String| (!form.is_empty()).then(|| hashed(&form));
                let forms = names
                    .iter()
                    .map(|(name, _, _)| normaliser.forms(name).map(hash));
                forms.collect::<Vec<_>>()
            })
            .collect();
        let forms = Grade::ALL.map(|grade| {
            let mut forms: Vec<Form> = names
                .iter()
                .zip(&by_name)
                .filter_map(|(&(_, rank, descriptor), hashes)| {
                    Some(Form {
                        hash: hashes[grade as usize]?,
                        rank,
                        depth: depths[descriptor as usize],
                        descriptor,
                    })
                })
                .collect();
            forms.par_sort_unstable();
            forms.dedup_by_key(|form| (form.hash, form.descriptor));
            forms.shrink_to_fit();
            forms
        });
        Self {
            table,
            kinds,
            forms: forms.into(),
        }
    }

    /// The table that it was made of.
    pub fn table(&self) -> &Arc<MeshTable> {
        &self.table
    }

    /// Whether a descriptor is of a kind.
    pub fn is(&self, descriptor: usize, kind: ConceptKind) -> bool {
        self.kinds
            .get(descriptor)
            .is_some_and(|kinds| kinds & kind.bit() != 0)
    }

    /// The descriptor of a kind that a name stands for, at the strictest grade
    /// that has one. Of several a heading goes before another name, then what
    /// stands higher in the trees, then what comes first in the table.
    pub fn find(&self, kind: ConceptKind, name: &str) -> Option<Found> {
        Grade::ALL
            .into_iter()
            .find_map(|grade| self.find_at(kind, name, grade))
    }

    /// The names that are embedded, of the kinds that are linked to the nearest
    /// name, each with the place of its descriptor: of
    /// those of a descriptor that differ in the order of their words and the
    /// like, the first; inverted headings in the order of speech.
    pub fn distinct_names(&self) -> Vec<(u32, String)> {
        let names = names(&self.table, &self.kinds);
        let names = names.into_iter().filter(|&(name, _, at)| {
            let mut kinds = ConceptKind::ALL.into_iter();
            let near = kinds.any(|kind| kind.by_nearest() && self.is(at as usize, kind));
            near && name.len() <= LONGEST
        });
        let names: Vec<(&str, u8, u32)> = names.collect();
        let forms: Vec<String> = names
            .par_chunks(CHUNK)
            .flat_map_iter(|names| {
                let mut normaliser = Normaliser::default();
                let forms = names
                    .iter()
                    .map(|(name, _, _)| normaliser.form(name, Grade::Bag));
                forms.collect::<Vec<_>>()
            })
            .collect();
        let mut seen = HashSet::new();
        let new = names
            .into_iter()
            .zip(forms)
            .filter(|((_, _, descriptor), form)| {
                !form.is_empty() && seen.insert((*descriptor, hashed(form)))
            });
        new.map(|((name, _, descriptor), _)| (descriptor, in_order_of_speech(name)))
            .collect()
    }

    /// SHA-256, in hexadecimal, over the table's names and places: what decides
    /// which names are embedded.
    pub fn digest(&self) -> String {
        let mut digest = Digest::default();
        let mut part = |text: &str| {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        };
        for descriptor in self.table.descriptors() {
            part(&descriptor.ui);
            part(&descriptor.heading);
            for list in [&descriptor.tree_numbers, &descriptor.entry_terms] {
                part(&list.len().to_string());
                list.iter().for_each(|text| part(text));
            }
            aliases(&descriptor.ui).for_each(&mut part);
        }
        digest.finish()
    }

    /// The same at one grade.
    pub fn find_at(&self, kind: ConceptKind, name: &str, grade: Grade) -> Option<Found> {
        let form = normal_form(name, grade);
        if form.is_empty() {
            return None;
        }
        let hash = hashed(&form);
        let forms = self.forms.get(grade as usize)?;
        let from = forms.partition_point(|form| form.hash < hash);
        forms[from..]
            .iter()
            .take_while(|form| form.hash == hash)
            .map(|form| form.descriptor as usize)
            .find(|&descriptor| self.is(descriptor, kind))
            .map(|descriptor| Found { descriptor, grade })
    }
}

/// All names of the descriptors that are of a kind: name, rank, descriptor.
fn names<'t>(table: &'t MeshTable, kinds: &[u8]) -> Vec<(&'t str, u8, u32)> {
    let mut names = Vec::new();
    for ((descriptor, &kinds), at) in table.descriptors().iter().zip(kinds).zip(0_u32..) {
        if kinds == 0 {
            continue;
        }
        names.push((descriptor.heading.as_str(), 0, at));
        let terms = descriptor.entry_terms.iter();
        names.extend(terms.map(|term| (term.as_str(), 1, at)));
        let more = aliases(&descriptor.ui);
        names.extend(more.map(|name| (name, 2, at)));
    }
    names
}

/// `Anemia, Aplastic` as `Aplastic Anemia`.
fn in_order_of_speech(name: &str) -> String {
    match name.split_once(", ") {
        Some((last, first)) if !first.contains(", ") => format!("{first} {last}"),
        _ => name.to_owned(),
    }
}

fn hashed(form: &str) -> u64 {
    // Its keys are always the same.
    let mut hasher = DefaultHasher::new();
    form.hash(&mut hasher);
    hasher.finish()
}
