//! First stage of reading: cutting a stream into raw records.

mod array;
mod bibtex;
mod lines;
mod markup;
mod ris;
mod tagged;
#[cfg(test)]
mod tests;
mod vocabulary;
mod window;
mod xml;

pub(crate) use markup::doctype_end;

use crate::source::Format;
use crate::split::window::Window;
use std::io::Read;

/// Longest record that is read; a longer one is a fault.
pub const MAX_RECORD_BYTES: usize = 32 << 20;

/// What a raw record is, as far as its first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawKind {
    /// `<PubmedArticle>`
    PubmedArticle,
    /// `<PubmedBookArticle>`
    PubmedBookArticle,
    /// `<MedlineCitation>` on its own, as before 2017.
    MedlineCitation,
    /// `<BookDocument>` on its own.
    BookDocument,
    /// `<DeleteCitation>` or `<DeleteDocument>`: a list of withdrawn PMIDs.
    Deletion,
    /// JATS `<article>`.
    Jats,
    /// One record of MEDLINE tagged text.
    Nbib,
    /// One line of JSON.
    Json,
    /// One object of a JSON array.
    Item,
    /// One reference of RIS.
    Ris,
    /// One entry of BibTeX, behind the abbreviations that the file defines.
    Bibtex,
    /// Something between records that does not belong there.
    Stray,
}

/// The bytes of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRecord {
    /// What it is.
    pub kind: RawKind,
    /// Its first byte in the decompressed stream.
    pub offset: u64,
    /// Its number in the file, from 1.
    pub ordinal: u64,
    /// Its bytes; of a damaged record at most [`crate::Fault::MAX_RAW_BYTES`].
    pub bytes: Vec<u8>,
    /// Why it is not whole, where it is not.
    pub damage: Option<String>,
}

/// Cuts a stream into raw records.
///
/// What lies between the records that come out is only what carries no data:
/// declarations, comments, the root's tags, blank space (and in JATS whatever
/// envelope the articles lie in).
pub(crate) struct Splitter {
    window: Window,
    format: Splitting,
    ordinal: u64,
    ended: bool,
}

enum Splitting {
    Xml(xml::XmlSplitter),
    Lines,
    Tagged,
    Array(array::State),
    Ris,
    Bibtex(bibtex::Abbreviations),
    /// Columns are not cut.
    Nothing,
}

/// A record as the formats' splitters give it, before it gets its number.
struct Cut {
    kind: RawKind,
    offset: u64,
    bytes: Vec<u8>,
    damage: Option<String>,
}

impl Splitter {
    /// Why the stream gave no more, where that is not its end.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.window.failure()
    }

    pub(crate) fn new(format: Format, input: Box<dyn Read + Send>) -> Self {
        Self {
            window: Window::new(input),
            format: match format {
                Format::PubmedXml => Splitting::Xml(xml::XmlSplitter::pubmed()),
                Format::Jats => Splitting::Xml(xml::XmlSplitter::jats()),
                Format::Jsonl => Splitting::Lines,
                Format::Nbib => Splitting::Tagged,
                Format::JsonArray => Splitting::Array(array::State::default()),
                Format::Ris => Splitting::Ris,
                Format::Bibtex => Splitting::Bibtex(bibtex::Abbreviations::default()),
                Format::Columns(_) => Splitting::Nothing,
            },
            ordinal: 0,
            ended: false,
        }
    }

    /// What is said where the stream itself fails: once, at the end.
    fn end(&mut self) -> Option<Cut> {
        if std::mem::replace(&mut self.ended, true) {
            return None;
        }
        let damage = match (self.window.failure(), &self.format) {
            // The record in which the stream broke off has said it already.
            (Some(_), _) if self.window.failure_reported() => return None,
            (Some(failure), _) => failure.to_owned(),
            (None, Splitting::Xml(splitter)) => splitter.unfinished(self.ordinal)?,
            (None, _) => return None,
        };
        Some(Cut {
            kind: RawKind::Stray,
            offset: self.window.offset(),
            bytes: Vec::new(),
            damage: Some(damage),
        })
    }
}

impl Iterator for Splitter {
    type Item = RawRecord;

    fn next(&mut self) -> Option<RawRecord> {
        if self.ended {
            return None;
        }
        let cut = match &mut self.format {
            Splitting::Xml(splitter) => splitter.next(&mut self.window),
            Splitting::Lines => lines::next(&mut self.window),
            Splitting::Tagged => tagged::next(&mut self.window),
            Splitting::Array(state) => array::next(&mut self.window, state),
            Splitting::Ris => ris::next(&mut self.window),
            Splitting::Bibtex(known) => bibtex::next(&mut self.window, known),
            Splitting::Nothing => None,
        };
        let cut = cut.or_else(|| self.end())?;
        self.ordinal += 1;
        Some(RawRecord {
            kind: cut.kind,
            offset: cut.offset,
            ordinal: self.ordinal,
            bytes: cut.bytes,
            damage: cut.damage,
        })
    }
}
