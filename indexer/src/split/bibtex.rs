//! Entries of BibTeX: `@type{…}` with balanced braces. What stands between
//! entries is a comment, by the format's definition.

use super::window::Window;
use super::{Cut, MAX_RECORD_BYTES, RawKind};

/// Most bytes of abbreviations that are kept.
const MAX_ABBREVIATIONS: usize = 1 << 20;

/// The `@string`s so far: they go before each entry, which so can be read by
/// itself.
#[derive(Default)]
pub(super) struct Abbreviations {
    text: Vec<u8>,
}

/// The next entry.
pub(super) fn next(window: &mut Window, known: &mut Abbreviations) -> Option<Cut> {
    loop {
        if !window.skip_to(b"@") {
            return None;
        }
        let mut place = 1;
        while window.byte(place).is_some_and(|b| b.is_ascii_whitespace()) {
            place += 1;
        }
        let start = place;
        while window.byte(place).is_some_and(|b| b.is_ascii_alphabetic()) {
            place += 1;
        }
        let name = window.data()[start..place].to_ascii_lowercase();
        while window.byte(place).is_some_and(|b| b.is_ascii_whitespace()) {
            place += 1;
        }
        let opening = window.byte(place);
        if name.is_empty() || !matches!(opening, Some(b'{' | b'(')) {
            // An address in a comment.
            window.skip(1);
            continue;
        }
        let offset = window.offset();
        let end = match end_of(window, place) {
            Ok(end) => end,
            Err((end, damage)) => {
                return Some(Cut {
                    kind: RawKind::Bibtex,
                    offset,
                    bytes: window.take_damaged(end),
                    damage: Some(damage),
                });
            }
        };
        let bytes = window.take(end);
        match name.as_slice() {
            b"comment" | b"preamble" => {}
            b"string" => {
                if known.text.len() + bytes.len() <= MAX_ABBREVIATIONS {
                    known.text.extend_from_slice(&bytes);
                }
            }
            _ => {
                return Some(Cut {
                    kind: RawKind::Bibtex,
                    offset,
                    bytes: [known.text.as_slice(), &bytes].concat(),
                    damage: None,
                });
            }
        }
    }
}

/// Where the entry whose brace stands at `opening` ends; else where to go on,
/// and what is wrong.
fn end_of(window: &mut Window, opening: usize) -> Result<usize, (usize, String)> {
    let in_braces = window.data()[opening] == b'{';
    let mut depth = usize::from(in_braces);
    let mut place = opening + 1;
    let mut quoted = false;
    loop {
        if place >= MAX_RECORD_BYTES {
            let damage = format!("the entry is longer than {MAX_RECORD_BYTES} bytes");
            return Err((place, damage));
        }
        let Some(byte) = window.byte(place) else {
            return Err((place, window.cut_short("the entry is cut short")));
        };
        place += 1;
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => {}
            b'}' => {
                depth -= 1;
                if depth == 0 && in_braces {
                    return Ok(place);
                }
            }
            b'"' if depth == 0 => quoted = !quoted,
            b')' if depth == 0 && !in_braces && !quoted => return Ok(place),
            b'\n' if begins_entry(window, place) => {
                let damage = "its braces do not close before the next entry".to_owned();
                return Err((place, damage));
            }
            _ => {}
        }
    }
}

/// Whether a line begins as an entry does.
fn begins_entry(window: &mut Window, mut place: usize) -> bool {
    if window.byte(place) != Some(b'@') {
        return false;
    }
    place += 1;
    let start = place;
    while window.byte(place).is_some_and(|b| b.is_ascii_alphabetic()) {
        place += 1;
    }
    place > start && window.byte(place) == Some(b'{')
}
