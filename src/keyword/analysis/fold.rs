//! Folds a text character by character: compatibility forms (NFKC's), case,
//! accents, letters without a decomposition. Every folded character remembers
//! the bytes of the original text that it stands for.

use std::borrow::Cow;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// A folded character and where it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    /// Lower-case, without accents.
    pub(super) c: char,
    /// Whether the original was an upper-case letter.
    pub(super) upper: bool,
    /// First byte in the original text.
    pub(super) start: usize,
    /// Byte after the last.
    pub(super) end: usize,
}

/// Folds a whole text.
pub(super) fn fold(text: &str) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(text.len());
    for (start, original) in text.char_indices() {
        let end = start + original.len_utf8();
        if original.is_ascii() {
            cells.push(Cell {
                c: original.to_ascii_lowercase(),
                upper: original.is_ascii_uppercase(),
                start,
                end,
            });
        } else if is_ignorable(original) {
            extend_last(&mut cells, start, end);
        } else if original == 'ß' && stands_alone(text, start, end) {
            cells.push(Cell {
                c: 'β',
                upper: false,
                start,
                end,
            });
        } else {
            push_folded(&mut cells, original, start, end);
        }
    }
    cells
}

/// `ß-carotene`: typed for want of a beta.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    [before, after]
        .into_iter()
        .flatten()
        .all(|c| !c.is_alphabetic())
}

/// A mark that follows a character belongs to that character's bytes.
fn extend_last(cells: &mut [Cell], start: usize, end: usize) {
    let Some(last) = cells.last().map(|cell| (cell.start, cell.end)) else {
        return;
    };
    if last.1 != start {
        return;
    }
    // One original character may have become several cells.
    for cell in cells
        .iter_mut()
        .rev()
        .take_while(|cell| cell.start == last.0)
    {
        cell.end = end;
    }
}

fn push_folded(cells: &mut Vec<Cell>, original: char, start: usize, end: usize) {
    let upper = original.is_uppercase();
    let mut push = |c: char| {
        cells.push(Cell {
            c,
            upper,
            start,
            end,
        })
    };
    if let Some(plain) = punctuation(original) {
        push(plain);
        return;
    }
    decompose_compatible(original, |part| {
        if is_ignorable(part) {
            return;
        }
        for lower in part.to_lowercase() {
            if is_ignorable(lower) {
                continue;
            }
            match letter(lower) {
                Some(plain) => plain.chars().for_each(&mut push),
                None => push(punctuation(lower).unwrap_or(lower)),
            }
        }
    });
}

/// Accents, and characters that are not seen: soft hyphen, zero-width space
/// and joiners, byte order mark, variation selectors.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
        || (!c.is_ascii() && is_combining_mark(c))
}

/// Hyphens, apostrophes and signs in their many forms; trade marks part words
/// rather than adding the letters of their compatibility form to them.
fn punctuation(c: char) -> Option<char> {
    Some(match c {
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{2043}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' | '\u{2b9}' | '\u{2032}' | '\u{b4}' => {
            '\''
        }
        '\u{2044}' | '\u{2215}' => '/',
        '\u{2122}' | '\u{2120}' | '\u{ae}' | '\u{a9}' => ' ',
        _ => return None,
    })
}

/// Latin letters that have no decomposition.
fn letter(c: char) -> Option<&'static str> {
    Some(match c {
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ß' => "ss",
        'ð' | 'đ' => "d",
        'þ' => "th",
        'ł' => "l",
        'ħ' => "h",
        'ı' => "i",
        'ŋ' => "ng",
        'ς' => "σ",
        _ => return None,
    })
}

/// A value as exact fields hold it and filters ask for it: folded, white space
/// collapsed, without a final point (`J Biol Chem.`).
pub(crate) fn exact_value(text: &str) -> String {
    let folded: String = fold(text).iter().map(|cell| cell.c).collect();
    let mut value = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    while value.ends_with('.') || value.ends_with(' ') {
        value.pop();
    }
    value
}

/// `text` cut to at most `limit` characters.
pub(super) fn cut(text: Cow<'_, str>, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(text[..end].to_owned()),
        None => text,
    }
}
