//! Cuts folded text into chunks, units and atoms.
//!
//! A *chunk* is what stands between white space and punctuation: `IL-2/IL-15`.
//! Its *units* lie between its connectors: `IL`, `2`, `IL`, `15`. A unit's
//! *atoms* lie between its letters, digits and Greek letters: `5`, `ht`, `2`,
//! `a` in `5ht2a`.

use super::fold::Cell;
use super::greek;
use std::ops::Range;

/// Cell ranges of the units of a chunk.
pub(super) type Units = Vec<Range<usize>>;

/// Finds the chunks of a text.
pub(super) fn chunks(cells: &[Cell]) -> Vec<Units> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        if is_word(cells[at].c) {
            let (units, next) = read_chunk(cells, at);
            chunks.push(units);
            at = next;
        } else {
            at += 1;
        }
    }
    chunks
}

/// Reads the chunk that starts at a word character; gives its units and the
/// cell to go on from.
fn read_chunk(cells: &[Cell], start: usize) -> (Units, usize) {
    let mut units = Vec::new();
    let mut unit_start = start;
    let mut at = start;
    loop {
        at = read_unit(cells, at);
        match joined_unit(cells, at) {
            Join::Glue(next) => at = next,
            Join::Unit(next) => {
                units.push(unit_start..at);
                unit_start = next;
                at = next;
            }
            Join::Possessive(next) => {
                units.push(unit_start..at);
                return (units, next);
            }
            Join::No => {
                units.push(unit_start..at);
                return (units, at);
            }
        }
    }
}

/// The end of the run of word characters that holds `at`; a character of a
/// script without spaces is a unit by itself.
fn read_unit(cells: &[Cell], at: usize) -> usize {
    if is_ideographic(cells[at].c) {
        return at + 1;
    }
    let run = cells[at..]
        .iter()
        .take_while(|cell| is_word(cell.c) && !is_ideographic(cell.c));
    at + run.count()
}

/// How what follows a unit goes on.
enum Join {
    /// The next unit of the same chunk starts here.
    Unit(usize),
    /// A decimal point or a comma before thousands: the unit itself goes on.
    Glue(usize),
    /// `'s`: the chunk ends, and reading goes on here.
    Possessive(usize),
    /// The chunk ends.
    No,
}

/// Looks at the connector after a unit that ends before cell `at`, `at > 0`.
fn joined_unit(cells: &[Cell], at: usize) -> Join {
    let is_word_at = |i: usize| cells.get(i).is_some_and(|cell| is_word(cell.c));
    let (Some(connector), before) = (cells.get(at).map(|cell| cell.c), &cells[at - 1]) else {
        return Join::No;
    };
    if is_word(connector) {
        return Join::No;
    }
    // Na+/K+-ATPase, 5'-UTR: a charge or a prime before the connector.
    let next_connector = cells.get(at + 1).map(|cell| cell.c);
    if matches!(connector, '+' | '\'')
        && matches!(next_connector, Some('-' | '/'))
        && is_word_at(at + 2)
    {
        return Join::Unit(at + 2);
    }
    if !is_word_at(at + 1) {
        return Join::No;
    }
    let after = &cells[at + 1];
    let digits = before.c.is_numeric() && after.c.is_numeric();
    let joins = match connector {
        '.' if digits => return Join::Glue(at + 1),
        ',' if digits && separates_thousands(cells, at) => return Join::Glue(at + 1),
        '\'' if before.c.is_alphabetic() && after.c == 's' && !is_word_at(at + 2) => {
            return Join::Possessive(at + 2);
        }
        '-' | '/' | '.' | '_' | '+' | '&' | '@' | '\'' => true,
        ',' => digits,
        ':' => before.c.is_numeric(),
        '*' => after.c.is_numeric(),
        '>' => before.upper && after.upper,
        _ => false,
    };
    if joins { Join::Unit(at + 1) } else { Join::No }
}

/// Whether the comma at `at` parts groups of three digits.
fn separates_thousands(cells: &[Cell], at: usize) -> bool {
    let digit = |cell: &&Cell| cell.c.is_ascii_digit();
    let before = cells[..at].iter().rev().take_while(digit).count();
    let after = cells[at + 1..].iter().take_while(digit).count();
    let leads = cells[..at]
        .iter()
        .rev()
        .nth(before)
        .is_none_or(|cell| !is_word(cell.c) && (cell.c != ',' || before == 3));
    let ends = cells
        .get(at + 1 + after)
        .is_none_or(|cell| !is_word(cell.c));
    (1..=3).contains(&before) && after == 3 && leads && ends
}

/// Cuts a unit into its atoms: at least one, together the whole unit.
pub(super) fn atoms(cells: &[Cell], unit: Range<usize>) -> Vec<Range<usize>> {
    let greek_word = is_greek_word(&cells[unit.clone()]);
    let mut atoms: Vec<Range<usize>> = Vec::new();
    let mut previous = None;
    for at in unit {
        let class = class(cells[at].c, greek_word);
        let goes_on = match class {
            Class::Greek => false,
            Class::Glue => true,
            other => previous == Some(other),
        };
        match atoms.last_mut() {
            Some(last) if goes_on => last.end = at + 1,
            _ => atoms.push(at..at + 1),
        }
        if class != Class::Glue {
            previous = Some(class);
        }
    }
    split_micro_and_suffixes(cells, atoms)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    /// A Greek letter that stands for itself.
    Greek,
    /// A point or comma inside a number.
    Glue,
}

fn class(c: char, greek_word: bool) -> Class {
    if c.is_numeric() {
        Class::Digit
    } else if !is_word(c) {
        Class::Glue
    } else if greek::name(c).is_some() && !greek_word {
        Class::Greek
    } else {
        Class::Letter
    }
}

/// Three Greek letters in a row are a word of the Greek language.
fn is_greek_word(cells: &[Cell]) -> bool {
    cells
        .windows(3)
        .any(|three| three.iter().all(|cell| greek::name(cell.c).is_some()))
}

/// Joins `μ` with its unit of measure and parts `TNFalpha` before `alpha`.
fn split_micro_and_suffixes(cells: &[Cell], atoms: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut result: Vec<Range<usize>> = Vec::with_capacity(atoms.len());
    for (i, atom) in atoms.iter().enumerate() {
        let is_last = i + 1 == atoms.len();
        if is_last
            && let Some(previous) = result.last_mut()
            && cells[previous.start].c == 'μ'
            && previous.len() == 1
            && greek::is_micro_unit(&plain(&cells[atom.clone()]))
        {
            previous.end = atom.end;
            continue;
        }
        match suffix_start(&cells[atom.clone()]) {
            Some(length) => {
                let cut = atom.end - length;
                result.extend([atom.start..cut, cut..atom.end]);
            }
            None => result.push(atom.clone()),
        }
    }
    result
}

/// Length of the lower-case Greek name at the end of a mixed-case atom.
fn suffix_start(atom: &[Cell]) -> Option<usize> {
    let capitals = atom.iter().take_while(|cell| cell.upper).count();
    if capitals < 2 || capitals == atom.len() {
        return None;
    }
    let length = greek::suffix(&plain(atom))?.len();
    let (head, tail) = atom.split_at(atom.len() - length);
    (head.iter().any(|cell| cell.upper) && tail.iter().all(|cell| !cell.upper)).then_some(length)
}

fn plain(cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.c).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric()
}

/// Scripts that are written without spaces between words.
fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
