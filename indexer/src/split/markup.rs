//! The little of XML's syntax that splitting needs: where tags, comments,
//! CDATA sections and declarations end.

use super::MAX_RECORD_BYTES;
use super::window::Window;

/// Longest comment that is believed; a longer one is a comment that lacks its
/// end, and must not swallow the records after it.
pub(super) const MAX_COMMENT_BYTES: usize = 1 << 20;
/// Longest start tag that is believed.
pub(super) const MAX_TAG_BYTES: usize = 1 << 16;
/// How much of a stray is looked at to name it.
pub(super) const DESCRIBED_BYTES: usize = 40;

/// Comments, CDATA sections and processing instructions in a record.
///
/// Remembers which sort has no end any more, so that a record with many
/// beginnings and no end is not searched through again for each of them.
#[derive(Default)]
pub(super) struct Unclosed {
    sorts: [bool; 3],
}

impl Unclosed {
    const SORTS: [(&'static [u8], &'static [u8], usize); 3] = [
        (b"<!--", b"-->", MAX_COMMENT_BYTES),
        (b"<![CDATA[", b"]]>", MAX_RECORD_BYTES),
        (b"<?", b"?>", MAX_COMMENT_BYTES),
    ];

    /// Where to go on after the markup at `place`: behind it, or behind its
    /// first character where it has no end.
    pub(super) fn pass(&mut self, window: &mut Window, place: usize) -> usize {
        for ((opening, closing, longest), unclosed) in Self::SORTS.iter().zip(&mut self.sorts) {
            if !window.data()[place..].starts_with(opening) || *unclosed {
                continue;
            }
            let from = place + opening.len();
            let limit = from.saturating_add(*longest).min(MAX_RECORD_BYTES);
            match window.find_bytes(closing, from, limit) {
                Some(end) => return end + closing.len(),
                None => *unclosed = true,
            }
        }
        place + 1
    }
}

/// Whether a tag, its opening taken off, has this name.
pub(super) fn is_named(tag: &[u8], name: &[u8]) -> bool {
    tag.strip_prefix(name).is_some_and(|rest| {
        rest.first()
            .is_some_and(|&b| b.is_ascii_whitespace() || b == b'>' || b == b'/')
    })
}

/// Where the tag that begins at `start` ends, and whether it is an empty element.
pub(super) fn tag_end(window: &mut Window, start: usize) -> Option<(usize, bool)> {
    let mut quote = None;
    let mut at = start;
    while at < start + MAX_TAG_BYTES && window.ensure(at + 1) {
        let byte = window.data()[at];
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            None if byte == b'>' => return Some((at + 1, window.data()[at - 1] == b'/')),
            None => {}
        }
        at += 1;
    }
    None
}

pub(super) fn doctype_in(window: &mut Window) -> Option<usize> {
    loop {
        if let Some(end) = doctype_end(window.data()) {
            return Some(end);
        }
        if window.data().len() > MAX_COMMENT_BYTES || !window.fill() {
            return None;
        }
    }
}

/// Length of the document type declaration that a text begins with, its
/// internal subset included.
pub(crate) fn doctype_end(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        if quote.is_none() && text[at..].starts_with(b"<!--") {
            at += 4 + memchr::memmem::find(&text[at + 4..], b"-->")? + 3;
            continue;
        }
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'<') => depth += 1,
            (None, b'>') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            (None, _) => {}
        }
        at += 1;
    }
    None
}

/// Names what is found, for a message.
pub(super) fn describe(data: &[u8]) -> String {
    let length = data.len().min(DESCRIBED_BYTES);
    let start = &data[..length];
    let end = start
        .iter()
        .skip(2)
        .position(|&b| b.is_ascii_whitespace() || matches!(b, b'>' | b'<'))
        .map_or(length, |end| end + 2);
    let name = String::from_utf8_lossy(&start[..end]);
    match data.first() {
        Some(b'<') => format!("{name}>"),
        _ => format!("the text {name:?}"),
    }
}
