//! Turns units and atoms into terms: Greek letters named, words stemmed,
//! symbols left as they are.

use super::fold::{Cell, cut};
use super::greek;
use std::borrow::Cow;
use tantivy::tokenizer::{RawTokenizer, Stemmer, TokenFilter, TokenStream as _, Tokenizer as _};

/// Longest term in characters; both sides cut what is longer at this length,
/// so that a sequence of ten thousand bases still finds itself.
const MAX_CHARS: usize = 100;

/// Capitals in a row that are read as an acronym; longer runs are words in
/// capitals, such as the heading `BACKGROUND`.
const LONGEST_ACRONYM: usize = 6;

/// A term, and the word as written where stemming changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Normal {
    pub(super) term: String,
    pub(super) surface: Option<String>,
    /// The plural of an acronym, of which the term is the singular.
    pub(super) plural: Option<String>,
    pub(super) symbol: bool,
}

/// English (Porter 2) stemmer with its buffers.
pub(super) struct Normalizer {
    stemmer: <Stemmer as TokenFilter>::Tokenizer<RawTokenizer>,
}

impl Normalizer {
    pub(super) fn new() -> Self {
        Self {
            stemmer: Stemmer::default().transform(RawTokenizer::default()),
        }
    }

    /// Normalises the cells of a unit or atom, of which `atoms` are the parts.
    /// In a text all in capitals (`shouting`) case says nothing.
    pub(super) fn normalize(
        &mut self,
        cells: &[Cell],
        atoms: &[std::ops::Range<usize>],
        shouting: bool,
    ) -> Normal {
        let mut surface = String::with_capacity(cells.len());
        for atom in atoms {
            push_atom(&mut surface, &cells[atom.clone()]);
        }
        let first = atoms.first().map_or(0, |atom| atom.start);
        let last = atoms.last().map_or(0, |atom| atom.end);
        let cells = &cells[first..last];
        let one_atom = atoms.len() == 1;
        let symbol = !one_atom || is_symbol(cells, shouting);
        if symbol {
            let plural = (one_atom && is_plural_acronym(cells)).then(|| surface.clone());
            if plural.is_some() {
                surface.pop();
            }
            let short = |text: String| cut(Cow::Owned(text), MAX_CHARS).into_owned();
            return Normal {
                term: short(surface),
                surface: None,
                plural: plural.map(short),
                symbol: true,
            };
        }
        let surface = cut(Cow::Owned(surface), MAX_CHARS).into_owned();
        let term = self.stem(&surface);
        let surface = (surface != term).then_some(surface);
        Normal {
            term,
            surface,
            plural: None,
            symbol: false,
        }
    }

    /// Stems a lower-case word; short words stay as they are.
    pub(super) fn stem(&mut self, word: &str) -> String {
        if word.chars().count() <= 3 || word.chars().any(|c| !c.is_alphabetic()) {
            return word.to_owned();
        }
        let mut stream = self.stemmer.token_stream(word);
        if stream.advance() && !stream.token().text.is_empty() {
            stream.token().text.clone()
        } else {
            word.to_owned()
        }
    }
}

/// Joins the terms of a chunk's units into the term of the whole. Numbers that
/// meet keep a hyphen between them: `1-2` is not `12`.
pub(super) fn join(parts: &[&str]) -> Option<String> {
    let mut whole = String::new();
    for part in parts {
        let digits = whole.ends_with(char::is_numeric) && part.starts_with(char::is_numeric);
        if digits {
            whole.push('-');
        }
        whole.push_str(part);
    }
    (whole.chars().count() <= MAX_CHARS).then_some(whole)
}

/// Writes an atom: Greek letters by name, `μg` as `ug`, thousands closed up.
fn push_atom(out: &mut String, atom: &[Cell]) {
    match atom {
        [only] if greek::name(only.c).is_some() => {
            out.push_str(greek::name(only.c).unwrap_or_default());
        }
        [first, rest @ ..] if first.c == 'μ' && !rest.is_empty() && is_micro(rest) => {
            out.push('u');
            out.extend(rest.iter().map(|cell| cell.c));
        }
        _ => out.extend(atom.iter().map(|cell| cell.c).filter(|&c| c != ',')),
    }
}

fn is_micro(rest: &[Cell]) -> bool {
    let word: String = rest.iter().map(|cell| cell.c).collect();
    greek::is_micro_unit(&word)
}

/// Whether cells are a symbol rather than a word: digits, very few letters,
/// capitals beyond the first letter.
fn is_symbol(cells: &[Cell], shouting: bool) -> bool {
    if cells.len() <= 2 || cells.iter().any(|cell| !cell.c.is_alphabetic()) {
        return true;
    }
    if shouting {
        return false;
    }
    let capitals = cells.iter().filter(|cell| cell.upper).count();
    let beyond_first = capitals - usize::from(cells[0].upper);
    let word_in_capitals = capitals == cells.len() && cells.len() > LONGEST_ACRONYM;
    beyond_first > 0 && !word_in_capitals
}

/// `SNPs`, `NSAIDs`, `mRNAs`: capitals before a small `s`.
fn is_plural_acronym(cells: &[Cell]) -> bool {
    matches!(cells, [.., one, two, last]
        if one.upper && two.upper && last.c == 's' && !last.upper)
}

/// Whether a text is printed in capitals throughout, as old titles are.
pub(super) fn is_shouting(cells: &[Cell]) -> bool {
    let (mut letters, mut capitals, mut run, mut longest) = (0_usize, 0_usize, 0, 0);
    for cell in cells {
        if cell.c.is_alphabetic() {
            letters += 1;
            capitals += usize::from(cell.upper);
            run = if cell.upper { run + 1 } else { 0 };
            longest = longest.max(run);
        } else {
            run = 0;
        }
    }
    longest > LONGEST_ACRONYM && letters >= 15 && capitals * 10 >= letters * 8
}
