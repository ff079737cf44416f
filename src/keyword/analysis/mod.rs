//! Analysis of biomedical text: what counts as a word, and which words are
//! the same.
//!
//! * Case, accents and compatibility forms do not count: `CO₂` is `co2`.
//! * A Greek letter and its name are one term, also inside compounds:
//!   `β-catenin`, `beta-catenin`; `TNFα`, `TNF-alpha`, `TNFalpha`.
//! * Compounds are found whole and in parts: `IL-2` gives `il2`, `il` and `2`,
//!   so that `IL2`, `IL-2` and `IL 2` meet.
//! * English words are stemmed (Porter 2); symbols are not: `AIDS` is not `aid`.
//! * `Crohn's` is `crohn`.
//!
//! Every token knows the bytes of the original text that it stands for, and
//! its position: parts stand at rising positions, the whole at the first of
//! them, so that phrases can be matched.

mod chunk;
mod fold;
mod greek;
mod stop_words;
mod stream;
mod term;
#[cfg(test)]
mod tests;
mod written;

pub(crate) use fold::exact_value;
pub(super) use stream::{NameTokenizer, TextTokenizer, WordTokenizer, name_words};
pub(super) use written::Written;

use fold::Cell;
use std::ops::Range;
use term::Normalizer;

/// Units beyond which a chunk is no compound but a URL or a list.
const MAX_COMPOUND_UNITS: usize = 6;

/// What stands between white space and punctuation, and how it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Bytes in the original text.
    pub(super) range: Range<usize>,
    /// The compound as one term, where it has several units.
    pub(super) whole: Option<String>,
    /// What lies between hyphens, slashes and the like; at least one.
    pub(super) units: Vec<Unit>,
}

/// A part of a chunk without connectors inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// Bytes in the original text.
    pub(super) range: Range<usize>,
    /// The term.
    pub(super) term: String,
    /// The word as written, where stemming changed it.
    pub(super) surface: Option<String>,
    /// The plural of an acronym, of which the term is the singular.
    pub(super) plural: Option<String>,
    /// Whether it is written in two capitals or more and nothing else.
    pub(super) capitals: bool,
    /// Whether a Greek letter or name parts its atoms.
    pub(super) greek: bool,
    /// Its runs of letters, digits and Greek letters, where there are several.
    pub(super) atoms: Vec<Atom>,
}

/// A run of letters or digits, or a Greek letter, inside a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atom {
    /// Bytes in the original text.
    pub(super) range: Range<usize>,
    /// The term.
    pub(super) term: String,
    /// The word as written, where stemming changed it.
    pub(super) surface: Option<String>,
}

/// A text taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Analysis {
    /// Its chunks in reading order.
    pub(super) chunks: Vec<Chunk>,
    /// Whether it is printed in capitals throughout, so that case says nothing.
    pub(super) shouting: bool,
}

/// A term at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// The term.
    pub(super) term: String,
    /// Bytes in the original text.
    pub(super) range: Range<usize>,
    /// Position, counted in atoms.
    pub(super) position: usize,
}

/// Takes texts apart; keeps the stemmer's buffers between them.
pub(super) struct Analyzer {
    normalizer: Normalizer,
}

impl Analyzer {
    pub(super) fn new() -> Self {
        Self {
            normalizer: Normalizer::new(),
        }
    }

    /// The stem of a word in small letters.
    pub(super) fn stem(&mut self, word: &str) -> String {
        self.normalizer.stem(word)
    }

    /// Takes a text apart.
    pub(super) fn analyze(&mut self, text: &str) -> Analysis {
        let cells = fold::fold(text);
        let shouting = term::is_shouting(&cells);
        let chunks = chunk::chunks(&cells)
            .into_iter()
            .map(|units| self.chunk(&cells, units, shouting))
            .collect();
        Analysis { chunks, shouting }
    }

    fn chunk(&mut self, cells: &[Cell], units: chunk::Units, shouting: bool) -> Chunk {
        let units: Vec<Unit> = units
            .into_iter()
            .map(|unit| self.unit(cells, unit, shouting))
            .collect();
        let whole = match units.len() {
            2..=MAX_COMPOUND_UNITS => self.whole(&units),
            _ => None,
        };
        let ends = (units.first(), units.last());
        let range = match ends {
            (Some(first), Some(last)) => first.range.start..last.range.end,
            _ => 0..0,
        };
        Chunk {
            range,
            whole,
            units,
        }
    }

    /// The compound's term, stemmed as if it were written in one word.
    fn whole(&mut self, units: &[Unit]) -> Option<String> {
        let (last, head) = units.split_last()?;
        let head = head.iter().map(Unit::written);
        let written: Vec<&str> = head.clone().chain([last.written()]).collect();
        if written
            .iter()
            .all(|part| part.chars().all(char::is_alphabetic))
        {
            return term::join(&written).map(|whole| self.normalizer.stem(&whole));
        }
        let stemmed: Vec<&str> = head.chain([last.term.as_str()]).collect();
        term::join(&stemmed)
    }

    fn unit(&mut self, cells: &[Cell], unit: Range<usize>, shouting: bool) -> Unit {
        let atom_ranges = chunk::atoms(cells, unit.clone());
        let normal = self.normalizer.normalize(cells, &atom_ranges, shouting);
        let greek = atom_ranges.len() > 1
            && atom_ranges
                .iter()
                .any(|atom| is_greek(&cells[atom.clone()]));
        let atoms = match atom_ranges.as_slice() {
            [_] => Vec::new(),
            several => several
                .iter()
                .map(|atom| {
                    let atoms = std::slice::from_ref(atom);
                    let normal = self.normalizer.normalize(cells, atoms, shouting);
                    Atom {
                        range: bytes(cells, atom),
                        term: normal.term,
                        surface: normal.plural.or(normal.surface),
                    }
                })
                .collect(),
        };
        let slice = &cells[unit.clone()];
        Unit {
            range: bytes(cells, &unit),
            term: normal.term,
            surface: normal.surface,
            plural: normal.plural,
            capitals: slice.len() > 1 && slice.iter().all(|cell| cell.upper),
            greek,
            atoms,
        }
    }
}

impl Unit {
    /// The folded word before stemming.
    pub(super) fn written(&self) -> &str {
        self.surface.as_deref().unwrap_or(&self.term)
    }

    /// Whether a query may pass over it.
    pub(super) fn is_stop_word(&self) -> bool {
        stop_words::is_stop_word(self.written())
    }
}

impl Analysis {
    /// The tokens that an index holds for the text.
    pub(super) fn tokens(&self) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(self.chunks.len() + 8);
        let mut position = 0;
        for chunk in &self.chunks {
            let mut push = |term: &str, range: &Range<usize>, position: usize| {
                tokens.push(Token {
                    term: term.to_owned(),
                    range: range.clone(),
                    position,
                });
            };
            if let Some(whole) = &chunk.whole {
                push(whole, &chunk.range, position);
            }
            for unit in &chunk.units {
                push(&unit.term, &unit.range, position);
                if let (true, Some(surface)) = (self.shouting, &unit.surface) {
                    push(surface, &unit.range, position);
                }
                for (i, atom) in unit.atoms.iter().enumerate() {
                    push(&atom.term, &atom.range, position + i);
                }
                position += unit.atoms.len().max(1);
            }
        }
        tokens
    }
}

fn bytes(cells: &[Cell], range: &Range<usize>) -> Range<usize> {
    match &cells[range.clone()] {
        [first, .., last] => first.start..last.end,
        [only] => only.start..only.end,
        [] => 0..0,
    }
}

/// Whether an atom is a Greek letter or a letter's name.
fn is_greek(atom: &[Cell]) -> bool {
    match atom {
        [only] => greek::name(only.c).is_some(),
        _ => {
            let word: String = atom.iter().map(|cell| cell.c).collect();
            greek::suffix(&format!("-{word}")).is_some_and(|name| name == word)
        }
    }
}
