//! Records of XML files, found by their tags.
//!
//! Only as much of XML is looked at as is needed to find where records begin
//! and end, which is what makes a damaged record harmless: whatever its inside
//! looks like, the next start tag of a record begins the next record.

use super::markup::{
    DESCRIBED_BYTES, MAX_COMMENT_BYTES, MAX_TAG_BYTES, Unclosed, describe, doctype_in, is_named,
    tag_end,
};
use super::vocabulary::{
    JATS, JATS_RECORDS, LONGEST_NAME, PUBMED, PUBMED_ROOTLESS, Vocabulary, siblings,
};
use super::window::Window;
use super::{Cut, MAX_RECORD_BYTES, RawKind};
use crate::record::Fault;

type Records = &'static [(&'static [u8], RawKind)];

/// Cuts XML into records.
pub(super) struct XmlSplitter {
    vocabularies: &'static [Vocabulary],
    /// Records that may come next.
    records: Records,
    /// Sets that are open.
    open: Vec<&'static [u8]>,
    /// Whether what stands beside records in an open set is an envelope to be
    /// passed over rather than a stray.
    envelope: bool,
    /// Whether the stream ended inside a record, which says enough.
    cut: bool,
}

/// Markup at the beginning of the data, outside of records.
enum Markup {
    /// Carries nothing; this long.
    Passed(usize),
    OpenSet(&'static Vocabulary),
    CloseSet(&'static Vocabulary),
    Record(&'static [u8], RawKind),
    Other,
}

impl XmlSplitter {
    pub(super) fn pubmed() -> Self {
        Self {
            vocabularies: PUBMED,
            records: PUBMED_ROOTLESS,
            open: Vec::new(),
            envelope: false,
            cut: false,
        }
    }

    pub(super) fn jats() -> Self {
        Self {
            vocabularies: JATS,
            records: JATS_RECORDS,
            open: Vec::new(),
            envelope: true,
            cut: false,
        }
    }

    /// What is missing at the end of the stream.
    pub(super) fn unfinished(&self, records: u64) -> Option<String> {
        match self.open.last() {
            Some(_) if self.cut => None,
            Some(set) => Some(format!(
                "the file ends before </{}>",
                String::from_utf8_lossy(set)
            )),
            None if self.envelope && records == 0 => Some("the file holds no <article>".to_owned()),
            None => None,
        }
    }

    pub(super) fn next(&mut self, window: &mut Window) -> Option<Cut> {
        loop {
            self.skip_between(window);
            if window.data().is_empty() {
                return None;
            }
            match self.markup(window) {
                Markup::Passed(length) => window.skip(length),
                Markup::OpenSet(vocabulary) => match tag_end(window, 0) {
                    Some((end, empty)) => {
                        window.skip(end);
                        self.records = vocabulary.records;
                        if !empty {
                            self.open.push(vocabulary.set);
                        }
                    }
                    None => return Some(self.stray(window)),
                },
                Markup::CloseSet(vocabulary) => {
                    let end = window.find_byte(b'>', 0, MAX_TAG_BYTES);
                    window.skip(end.map_or(usize::MAX, |end| end + 1));
                    if let Some(place) = self.open.iter().rposition(|set| *set == vocabulary.set) {
                        self.open.truncate(place);
                    }
                }
                Markup::Record(name, kind) => {
                    if self.open.is_empty() {
                        // Its own root: what other roots call a record is a part of it.
                        self.records = siblings(self.vocabularies, kind).unwrap_or(self.records);
                    }
                    return Some(self.record(window, name, kind));
                }
                Markup::Other if self.in_envelope() => window.skip(1),
                Markup::Other => return Some(self.stray(window)),
            }
        }
    }

    fn in_envelope(&self) -> bool {
        self.envelope && !self.open.is_empty()
    }

    /// Passes over blank space, in an envelope over any text.
    fn skip_between(&self, window: &mut Window) {
        if window.offset() == 0 && window.ensure(3) && window.data().starts_with(b"\xef\xbb\xbf") {
            window.skip(3);
        }
        if self.in_envelope() {
            window.skip_to(b"<");
            return;
        }
        loop {
            let data = window.data();
            let blank = data.len() - data.trim_ascii_start().len();
            let all = blank == data.len();
            window.skip(blank);
            if !all || !window.fill() {
                return;
            }
        }
    }

    fn markup(&self, window: &mut Window) -> Markup {
        window.ensure(LONGEST_NAME + 3);
        let data = window.data();
        let passed = |end: Option<usize>| end.map_or(Markup::Other, Markup::Passed);
        if data.starts_with(b"<!--") {
            let end = window.find_bytes(b"-->", 4, MAX_COMMENT_BYTES);
            return passed(end.map(|end| end + 3));
        }
        if data.starts_with(b"<?") {
            let end = window.find_bytes(b"?>", 2, MAX_COMMENT_BYTES);
            return passed(end.map(|end| end + 2));
        }
        if data.starts_with(b"<!DOCTYPE") {
            return passed(doctype_in(window));
        }
        if let Some(set) = self.set_at(data, 0, b"</") {
            return Markup::CloseSet(set);
        }
        if let Some(set) = self.set_at(data, 0, b"<") {
            return Markup::OpenSet(set);
        }
        match self.record_at(data, 0) {
            Some((name, kind)) => Markup::Record(name, kind),
            None => Markup::Other,
        }
    }

    fn set_at(&self, data: &[u8], at: usize, opening: &[u8]) -> Option<&'static Vocabulary> {
        let tag = data.get(at..)?.strip_prefix(opening)?;
        let mut sets = self.vocabularies.iter();
        sets.find(|vocabulary| is_named(tag, vocabulary.set))
    }

    fn record_at(&self, data: &[u8], at: usize) -> Option<(&'static [u8], RawKind)> {
        let tag = data.get(at..)?.strip_prefix(b"<")?;
        let mut records = self.records.iter();
        records.find(|(name, _)| is_named(tag, name)).copied()
    }

    /// Whether a record ends here at the latest, whatever it lacks.
    fn is_boundary(&self, data: &[u8], at: usize) -> bool {
        self.record_at(data, at).is_some()
            || self.set_at(data, at, b"</").is_some()
            || self.set_at(data, at, b"<").is_some()
    }

    /// Something that is no record, up to the next boundary.
    fn stray(&self, window: &mut Window) -> Cut {
        let offset = window.offset();
        window.ensure(DESCRIBED_BYTES);
        let what = describe(window.data());
        Cut {
            kind: RawKind::Stray,
            offset,
            bytes: self.take_to_boundary(window, 1),
            damage: Some(format!("{what} stands where a record is expected")),
        }
    }

    /// Takes everything up to the next boundary at or after `at`, of which the
    /// first bytes are given.
    fn take_to_boundary(&self, window: &mut Window, mut at: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut take = |window: &mut Window, length: usize| {
            let kept = length.min(Fault::MAX_RAW_BYTES - bytes.len());
            bytes.extend_from_slice(&window.data()[..kept]);
            window.skip(length);
        };
        loop {
            let rest = window.data().get(at..).unwrap_or_default();
            match memchr::memchr(b'<', rest) {
                Some(place) => {
                    at += place;
                    window.ensure(at + LONGEST_NAME + 3);
                    if self.is_boundary(window.data(), at) {
                        take(window, at);
                        return bytes;
                    }
                    at += 1;
                }
                None => {
                    take(window, window.data().len());
                    at = 0;
                    if !window.fill() {
                        return bytes;
                    }
                }
            }
        }
    }

    /// The record whose start tag the data begins with.
    fn record(&mut self, window: &mut Window, name: &'static [u8], kind: RawKind) -> Cut {
        let offset = window.offset();
        let (bytes, damage) = match self.record_end(window, name) {
            End::Whole(end) => (window.take(end), None),
            End::Interrupted(end) => {
                let what = format!(
                    "</{}> is missing before the next record",
                    String::from_utf8_lossy(name)
                );
                (window.take_damaged(end), Some(what))
            }
            End::TooLong => {
                let what = format!("the record is longer than {MAX_RECORD_BYTES} bytes");
                (self.take_to_boundary(window, 1), Some(what))
            }
            End::Missing => {
                self.cut = true;
                let what = window.cut_short("the file ends inside this record");
                (window.take_damaged(window.data().len()), Some(what))
            }
        };
        Cut {
            kind,
            offset,
            bytes,
            damage,
        }
    }

    fn record_end(&self, window: &mut Window, name: &[u8]) -> End {
        let mut at = match tag_end(window, 0) {
            Some((end, true)) => return End::Whole(end),
            Some((end, false)) => end,
            None => 1 + name.len(),
        };
        let mut unclosed = Unclosed::default();
        loop {
            let Some(place) = window.find_byte(b'<', at, MAX_RECORD_BYTES) else {
                return match window.data().len() >= MAX_RECORD_BYTES {
                    true => End::TooLong,
                    false => End::Missing,
                };
            };
            window.ensure(place + LONGEST_NAME + 3);
            at = place + 1;
            let rest = &window.data()[at..];
            match rest.first() {
                Some(b'/') if is_named(&rest[1..], name) => {
                    return match window.find_byte(b'>', at, MAX_RECORD_BYTES) {
                        Some(end) => End::Whole(end + 1),
                        None => End::Missing,
                    };
                }
                Some(b'!' | b'?') => at = unclosed.pass(window, place),
                Some(_) if may_bound(rest) && self.is_boundary(window.data(), place) => {
                    return End::Interrupted(place);
                }
                _ => {}
            }
        }
    }
}

/// Whether a tag could be that of a record or a set, by its first letter, which
/// spares most tags the comparison with every name.
fn may_bound(tag: &[u8]) -> bool {
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let starts = [b'P', b'M', b'D', b'B', b'a', b'p', b'O'];
    name.first().is_some_and(|first| starts.contains(first))
}

/// How a record ends.
enum End {
    /// With its end tag.
    Whole(usize),
    /// At a tag that can only stand outside of it.
    Interrupted(usize),
    /// Not before the most bytes that a record may have.
    TooLong,
    /// Not before the stream does.
    Missing,
}
