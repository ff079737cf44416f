//! Cuts a text into numbered lines.

use super::{MAX_LINE_CHARS, MAX_LINES, fault_in};
use crate::error::{Error, Result};
use crate::query::pubmed::is_quote;
use std::collections::BTreeMap;

/// What comments begin with.
const COMMENT: &str = "//";

/// A line as it stands in the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawLine<'t> {
    /// Line of the text, from 1.
    pub(super) at: usize,
    pub(super) number: u32,
    pub(super) query: &'t str,
    pub(super) comment: Option<&'t str>,
}

/// A text that was cut.
#[derive(Debug)]
pub(super) struct Cut<'t> {
    pub(super) lines: Vec<RawLine<'t>>,
    /// Lines that are comments.
    pub(super) comments: Vec<String>,
}

/// Cuts a text; empty lines do not count.
pub(super) fn cut(text: &str) -> Result<Cut<'_>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut cut = Cut {
        lines: Vec::new(),
        comments: Vec::new(),
    };
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for (at, whole) in (1..).zip(text.lines()) {
        let whole = whole.trim();
        if let Some(comment) = whole.strip_prefix(COMMENT) {
            cut.comments.push(comment.trim().to_owned());
            continue;
        }
        let (rest, comment) = without_comment(whole);
        if rest.is_empty() {
            continue;
        }
        let (label, query) = label(rest);
        let number = match label {
            Some(digits) => number(digits).ok_or_else(|| {
                let what = format!("`{digits}` is no number of a line: count from 1");
                fault_in(at, &what)
            })?,
            None => cut
                .lines
                .last()
                .map_or(1, |line| line.number.saturating_add(1)),
        };
        if query.is_empty() {
            let what = format!("#{number} is empty: write its query behind the number");
            return Err(fault_in(at, &what));
        }
        if query.chars().count() > MAX_LINE_CHARS {
            let what = format!("#{number} has more than {MAX_LINE_CHARS} characters: split it");
            return Err(fault_in(at, &what));
        }
        if let Some(first) = places.insert(number, at) {
            let what = format!(
                "#{number} is there already, in line {first}: give each line a number of its own"
            );
            return Err(fault_in(at, &what));
        }
        if cut.lines.len() == MAX_LINES {
            let what = format!("there are more than {MAX_LINES} queries: split the strategy");
            return Err(fault_in(at, &what));
        }
        cut.lines.push(RawLine {
            at,
            number,
            query,
            comment,
        });
    }
    if cut.lines.is_empty() {
        return Err(empty());
    }
    Ok(cut)
}

/// For a text without queries.
pub(super) fn empty() -> Error {
    let what = "the strategy has no queries: write one a line, as in `1. asthma[mh]`";
    Error::invalid("strategy", what)
}

fn number(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|&number| number > 0)
}

/// The digits of a number at the start (`3.`, `#3.`, `3)`, `3:`, `3` and a tab),
/// and what follows.
fn label(line: &str) -> (Option<&str>, &str) {
    let rest = line.strip_prefix('#').unwrap_or(line);
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = rest.split_at(length);
    if digits.is_empty() {
        return (None, line);
    }
    let marked = rest.strip_prefix(['.', ':', ')']);
    let query = match marked {
        Some(query) if query.is_empty() || query.starts_with(char::is_whitespace) => Some(query),
        Some(_) => None,
        None => rest.strip_prefix('\t'),
    };
    query.map_or((None, line), |query| (Some(digits), query.trim()))
}

/// A comment begins behind white space and outside quotation marks: addresses
/// have `//` as well.
fn without_comment(line: &str) -> (&str, Option<&str>) {
    let mut quoted = false;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if is_quote(c) {
            quoted = !quoted;
        }
        if !quoted && before.is_whitespace() && line[at..].starts_with(COMMENT) {
            let comment = line[at + COMMENT.len()..].trim();
            let comment = (!comment.is_empty()).then_some(comment);
            return (line[..at].trim_end(), comment);
        }
        before = c;
    }
    (line, None)
}
