//! Cuts a query into tokens. Any text can be cut.

use super::tree::Op;
use std::ops::Range;

/// A token and the bytes of the query that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'q> {
    pub(super) kind: TokenKind<'q>,
    pub(super) range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind<'q> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `AND`, `OR` or `NOT` in capitals.
    Op(Op),
    /// What stands between quotation marks, and whether the second one is there.
    Phrase { text: &'q str, closed: bool },
    /// What stands in square brackets, and whether the second one is there.
    Tag { text: &'q str, closed: bool },
    /// A colon that stands by itself.
    Colon,
    /// Anything else up to white space or a character from above.
    Word(&'q str),
}

/// The tokens of a query.
pub(super) fn tokens(query: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = query[at..].chars().next() {
        let end = at + c.len_utf8();
        if c.is_whitespace() {
            at = end;
            continue;
        }
        let (kind, next) = match c {
            '(' => (TokenKind::Open, end),
            ')' => (TokenKind::Close, end),
            ':' => (TokenKind::Colon, end),
            '[' => {
                let (text, closed, next) = enclosed(query, end, |c| c == ']');
                (TokenKind::Tag { text, closed }, next)
            }
            c if is_quote(c) => {
                let (text, closed, next) = enclosed(query, end, is_quote);
                (TokenKind::Phrase { text, closed }, next)
            }
            _ => {
                let next = word_end(query, at);
                let word = &query[at..next];
                (
                    operator(word).map_or(TokenKind::Word(word), TokenKind::Op),
                    next,
                )
            }
        };
        tokens.push(Token {
            kind,
            range: at..next,
        });
        at = next;
    }
    tokens
}

/// The straight quotation mark, and those that word processors put for it.
pub(in crate::query) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '‟' | '«' | '»')
}

fn operator(word: &str) -> Option<Op> {
    match word {
        "AND" => Some(Op::And),
        "OR" => Some(Op::Or),
        "NOT" => Some(Op::Not),
        _ => None,
    }
}

/// Text up to a closing character, whether that is there, and where to go on.
fn enclosed(query: &str, start: usize, closes: impl Fn(char) -> bool) -> (&str, bool, usize) {
    let rest = &query[start..];
    match rest.char_indices().find(|&(_, c)| closes(c)) {
        Some((length, c)) => (&rest[..length], true, start + length + c.len_utf8()),
        None => (rest, false, query.len()),
    }
}

/// The byte after the word that begins at `start`; at least one character on.
fn word_end(query: &str, start: usize) -> usize {
    let mut at = start;
    while let Some(c) = query[at..].chars().next() {
        if at > start && ends_word(c) {
            let group = (c == '(')
                .then(|| group_in_word(query, start, at))
                .flatten();
            let Some(end) = group else {
                return at;
            };
            at = end;
        } else {
            at += c.len_utf8();
        }
    }
    at
}

fn ends_word(c: char) -> bool {
    matches!(c, '(' | ')' | '[') || c.is_whitespace() || is_quote(c)
}

/// The byte after a parenthesis in a word that is closed in the same word:
/// those inside identifiers and names of substances (`Ca(2+)`, `25(OH)D`,
/// `10.1016/S0140-6736(02)08187-5`, `poly(ADP-ribose)`) group nothing.
fn group_in_word(query: &str, start: usize, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in query[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            c if ends_word(c) => return None,
            _ => {}
        }
        if depth == 0 {
            let close = open + at;
            let is_empty = close == open + 1;
            let follows_operator = operator(&query[start..open]).is_some();
            return (!is_empty && !follows_operator).then_some(close + 1);
        }
    }
    None
}
