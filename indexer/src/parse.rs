use crate::record::{Fault, Record};
use crate::split::{RawKind, RawRecord};
use crate::{jats, jsonl, nbib, pubmed, reference};
use medsift::{Article, ArticleId};
use std::path::Path;
use std::sync::Arc;

/// What a parser makes of a raw record, before faults know their place.
pub(crate) enum Parsed {
    /// An article.
    Article(Box<Article>),
    /// A withdrawal.
    Deletion(ArticleId),
    /// A part that cannot be read: which id, and why.
    Flawed(Option<String>, String),
}

impl Parsed {
    /// Of a record that is one article.
    pub(crate) fn one<E: ToString>(result: Result<Box<Article>, E>) -> Vec<Self> {
        vec![match result {
            Ok(article) => Self::Article(article),
            Err(error) => Self::Flawed(None, error.to_string()),
        }]
    }
}

/// Second stage of reading: turns a raw record into records.
///
/// Mostly one; a list of deletions gives one for each id. A raw record that
/// cannot be read gives a [`Fault`]; an empty list of deletions gives nothing.
pub fn parse(raw: RawRecord, file: &Arc<Path>) -> Vec<Record> {
    let parsed = match &raw.damage {
        Some(damage) => vec![Parsed::Flawed(None, damage.clone())],
        None => parse_whole(&raw),
    };
    let mut records = Vec::with_capacity(parsed.len());
    for part in parsed {
        records.push(match part {
            Parsed::Article(article) => Record::Article(article),
            Parsed::Deletion(id) => Record::Deletion(id),
            Parsed::Flawed(id, reason) => Record::Fault(Fault {
                file: file.clone(),
                byte_offset: raw.offset,
                ordinal: raw.ordinal,
                id: id.or_else(|| guess_id(&raw)),
                reason,
                raw: raw.bytes[..raw.bytes.len().min(Fault::MAX_RAW_BYTES)].to_vec(),
            }),
        });
    }
    records
}

fn parse_whole(raw: &RawRecord) -> Vec<Parsed> {
    let text = match std::str::from_utf8(&raw.bytes) {
        Ok(text) => text,
        Err(error) => {
            let place = error.valid_up_to();
            let reason = format!("invalid UTF-8, {place} bytes into the record");
            return vec![Parsed::Flawed(None, reason)];
        }
    };
    match raw.kind {
        RawKind::PubmedArticle | RawKind::MedlineCitation => Parsed::one(pubmed::article(text)),
        RawKind::PubmedBookArticle | RawKind::BookDocument => Parsed::one(pubmed::book(text)),
        RawKind::Deletion => pubmed::deletions(text),
        RawKind::Jats => Parsed::one(jats::article(text)),
        RawKind::Nbib => Parsed::one(nbib::article(text)),
        RawKind::Json => Parsed::one(jsonl::article(text)),
        RawKind::Item => Parsed::one(reference::item(text)),
        RawKind::Ris => Parsed::one(reference::ris(text)),
        RawKind::Bibtex => Parsed::one(reference::bibtex(text)),
        RawKind::Stray => vec![Parsed::Flawed(None, "not a record".to_owned())],
    }
}

/// An id that an unreadable record seems to have, so that it can be looked for.
fn guess_id(raw: &RawRecord) -> Option<String> {
    let marks: &[&[u8]] = match raw.kind {
        RawKind::Jats => &[b"pub-id-type=\"pmid\"", b"pub-id-type=\"pmc"],
        RawKind::Nbib => &[b"PMID"],
        RawKind::Json => &[b"\"_id\"", b"\"id\""],
        RawKind::Item => &[b"\"id\""],
        RawKind::Ris => &[b"AN  -", b"DO  -"],
        RawKind::Bibtex | RawKind::Deletion | RawKind::Stray => return None,
        _ => &[b"<PMID"],
    };
    marks.iter().find_map(|mark| {
        let at = memchr::memmem::find(&raw.bytes, mark)? + mark.len();
        let rest = &raw.bytes[at..];
        let rest = match raw.kind {
            RawKind::Nbib | RawKind::Json | RawKind::Item | RawKind::Ris => rest,
            _ => &rest[memchr::memchr(b'>', rest)?..],
        };
        let start = match raw.kind {
            // Behind the colon and the opening quote, which an empty id closes.
            RawKind::Json | RawKind::Item => rest.iter().position(|&b| b == b'"')? + 1,
            _ => rest.iter().position(|b| b.is_ascii_alphanumeric())?,
        };
        let id: String = rest[start..]
            .iter()
            .take(ArticleId::MAX_BYTES)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
            .map(|&b| char::from(b))
            .collect();
        (!id.is_empty()).then_some(id)
    })
}
