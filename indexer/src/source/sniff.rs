//! What format a file has, by its content.

use medsift::columnar::ColumnFormat;
use medsift::index::Completeness;
use std::fmt;

/// Format of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// PubMed or MEDLINE XML: `PubmedArticleSet`, `PubmedBookArticleSet`,
    /// `MedlineCitationSet`, or a single record of those.
    PubmedXml,
    /// JATS: `article`, `pmc-articleset`, or either in an OAI-PMH response.
    Jats,
    /// MEDLINE tagged text (`PMID- 1`), as `.nbib` or `.txt`.
    Nbib,
    /// One JSON object a line: medsift's own articles, or documents with
    /// `_id`, `title`, `text`, `metadata` (BEIR).
    Jsonl,
    /// An array of JSON objects: items of CSL-JSON, or articles.
    JsonArray,
    /// RIS.
    Ris,
    /// BibTeX.
    Bibtex,
    /// Columns: Parquet, Arrow.
    Columns(ColumnFormat),
}

impl Format {
    /// The container, where the format is one of columns.
    pub fn columns(self) -> Option<ColumnFormat> {
        match self {
            Self::Columns(format) => Some(format),
            _ => None,
        }
    }

    /// How much of an article the format can say.
    pub fn completeness(self) -> Completeness {
        match self {
            Self::PubmedXml | Self::Jats | Self::Columns(_) | Self::Jsonl => Completeness::Full,
            Self::Nbib => Completeness::Tagged,
            Self::Ris | Self::Bibtex | Self::JsonArray => Completeness::Citation,
        }
    }
}

/// `PubMed XML`, …
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PubmedXml => "PubMed XML",
            Self::Jats => "JATS XML",
            Self::Nbib => "MEDLINE text",
            Self::Jsonl => "JSON lines",
            Self::JsonArray => "JSON array",
            Self::Ris => "RIS",
            Self::Bibtex => "BibTeX",
            Self::Columns(ColumnFormat::Parquet) => "Parquet",
            Self::Columns(ColumnFormat::ArrowFile) => "Arrow file",
            Self::Columns(ColumnFormat::ArrowStream) => "Arrow stream",
        })
    }
}

/// How many bytes are looked at.
pub(crate) const SNIFF_BYTES: usize = 1 << 18;

const PUBMED_ROOTS: [&[u8]; 9] = [
    b"PubmedArticleSet",
    b"PubmedBookArticleSet",
    b"MedlineCitationSet",
    b"BookDocumentSet",
    b"PubmedArticle",
    b"PubmedBookArticle",
    b"MedlineCitation",
    b"BookDocument",
    b"DeleteCitation",
];
const JATS_ROOTS: [&[u8]; 3] = [b"article", b"pmc-articleset", b"OAI-PMH"];

/// Finds the format from the beginning of the decompressed stream.
///
/// # Errors
/// Says in words what was found instead.
pub(crate) fn sniff(beginning: &[u8]) -> Result<Format, String> {
    let mut containers = ColumnFormat::ALL.into_iter();
    if let Some(format) = containers.find(|format| beginning.starts_with(format.magic())) {
        return Ok(Format::Columns(format));
    }
    if beginning.starts_with(b"FEA1") {
        return Err("is Feather of version 1; write it as version 2 (Arrow)".to_owned());
    }
    if beginning.starts_with(&[0xff, 0xfe]) || beginning.starts_with(&[0xfe, 0xff]) {
        return Err("is UTF-16 text; convert it to UTF-8 first".to_owned());
    }
    let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
    let text = text.trim_ascii_start();
    match text {
        [] => Err("is empty".to_owned()),
        [b'<', ..] => sniff_xml(text),
        [b'{', ..] => Ok(Format::Jsonl),
        [b'[', rest @ ..] => match rest.trim_ascii_start() {
            [b'{' | b']', ..] => Ok(Format::JsonArray),
            _ => Err("is a JSON array of something else than objects".to_owned()),
        },
        [b'@' | b'%', ..] if is_bibtex(text) => Ok(Format::Bibtex),
        [b'P', b'K', 3, 4, ..] => Err("is a zip archive; unpack it first".to_owned()),
        _ if text.starts_with(b"%PDF") => Err("is a PDF document".to_owned()),
        _ if is_ris(text) => Ok(Format::Ris),
        _ if is_tag_line(text) => Ok(Format::Nbib),
        _ => Err(format!(
            "is neither XML, MEDLINE text, JSON, RIS, BibTeX, Parquet nor Arrow; it begins with {:?}",
            excerpt(text)
        )),
    }
}

/// `TY  - JOUR` before any other tag: some exports have lines about themselves
/// above it.
fn is_ris(text: &[u8]) -> bool {
    const LINES_BEFORE: usize = 20;
    let lines = text.split(|&b| b == b'\n').take(LINES_BEFORE);
    let mut tags = lines.filter(|line| crate::reference::ris_tag(line).is_some());
    tags.next().is_some_and(|line| line.starts_with(b"TY"))
}

/// `@article{key,` below comments, or a comment above something else.
fn is_bibtex(text: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', text) else {
        return false;
    };
    let name = text[at + 1..].trim_ascii_start();
    let letters = name.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let before = text[..at].trim_ascii();
    let is_comment = |line: &[u8]| {
        let line = line.trim_ascii_start();
        line.is_empty() || line.starts_with(b"%")
    };
    letters > 0
        && matches!(name[letters..].trim_ascii_start(), [b'{' | b'(', ..])
        && before.split(|&b| b == b'\n').all(is_comment)
}

/// `TI  - Title`: two to four capitals or digits, blanks up to the fifth place, a hyphen.
fn is_tag_line(text: &[u8]) -> bool {
    let Some((tag, rest)) = text.split_at_checked(4) else {
        return false;
    };
    let named = tag.trim_ascii_end();
    named.len() >= 2
        && named
            .iter()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && rest.first() == Some(&b'-')
        && rest
            .get(1)
            .is_none_or(|b| b.is_ascii_whitespace() || b.is_ascii_digit())
}

fn sniff_xml(text: &[u8]) -> Result<Format, String> {
    if let Some(declared) = declared_encoding(text)
        && !["utf-8", "utf8", "us-ascii", "ascii"].contains(&&*declared)
    {
        return Err(format!(
            "declares the encoding {declared}; convert it to UTF-8 first"
        ));
    }
    match root(text) {
        Some(name) if PUBMED_ROOTS.contains(&name) => Ok(Format::PubmedXml),
        Some(name) if JATS_ROOTS.contains(&name) => Ok(Format::Jats),
        Some(name) if name.eq_ignore_ascii_case(b"html") => {
            Err("is an HTML page, not PubMed data".to_owned())
        }
        Some(name) => Err(format!(
            "has the root element <{}>; expected PubmedArticleSet, PubmedBookArticleSet, \
             MedlineCitationSet or a JATS article",
            excerpt(name)
        )),
        None => Err("is XML without a root element".to_owned()),
    }
}

fn declared_encoding(text: &[u8]) -> Option<String> {
    let declaration = text.strip_prefix(b"<?xml")?;
    let end = declaration.windows(2).position(|w| w == b"?>")?;
    let declaration = String::from_utf8_lossy(&declaration[..end]).to_lowercase();
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_owned)
}

/// Name of the first element, after declarations and comments.
fn root(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = &text[memchr::memchr(b'<', text)?..];
        let (start, end): (usize, &[u8]) = if text.starts_with(b"<!--") {
            (4, b"-->")
        } else if text.starts_with(b"<?") {
            (2, b"?>")
        } else if text.starts_with(b"<!") {
            text = &text[crate::split::doctype_end(text)?..];
            continue;
        } else {
            let name = &text[1..];
            let length = name
                .iter()
                .position(|&b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/' | b'<'))?;
            return Some(&name[..length]);
        };
        text = &text[start + memchr::memmem::find(&text[start..], end)? + end.len()..];
    }
}

/// The first characters of a text, for a message.
fn excerpt(text: &[u8]) -> String {
    let start = &text[..text.len().min(60)];
    let line = start.split(|&b| b == b'\n').next().unwrap_or(start);
    String::from_utf8_lossy(line).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        let cases: [(&str, Format); 17] = [
            (
                "<?xml version='1.0'?>\n<!-- <html> --><!DOCTYPE PubmedArticleSet [<!ENTITY a '>'>]>\n<PubmedArticleSet>",
                Format::PubmedXml,
            ),
            ("\u{feff}\n<MedlineCitationSet >", Format::PubmedXml),
            ("<PubmedBookArticle/>", Format::PubmedXml),
            ("<article xmlns='x'>", Format::Jats),
            ("<OAI-PMH xmlns='x'>", Format::Jats),
            ("\r\nPMID- 1\r\n", Format::Nbib),
            ("TI  - A title", Format::Nbib),
            ("TY  - JOUR\r\nTI  - A title\r\n", Format::Ris),
            (
                "Provider: Sample\nContent: text\n\n\nTY  - JOUR\n",
                Format::Ris,
            ),
            ("% made by hand\n\n@article{a,\n", Format::Bibtex),
            ("@STRING{ j = \"J\" }", Format::Bibtex),
            ("[\n {\"id\": 1}]", Format::JsonArray),
            ("[]", Format::JsonArray),
            ("PAR1\u{15}", Format::Columns(ColumnFormat::Parquet)),
            ("ARROW1\0\0", Format::Columns(ColumnFormat::ArrowFile)),
            ("{\"_id\": 1}", Format::Jsonl),
            (
                "<?xml version=\"1.0\" encoding='UTF-8'?><pmc-articleset>",
                Format::Jats,
            ),
        ];
        for (text, format) in cases {
            assert_eq!(sniff(text.as_bytes()), Ok(format), "{text}");
        }
    }

    #[test]
    fn what_it_is_not_is_said() {
        let cases: [(&[u8], &str); 11] = [
            (b"", "is empty"),
            (b" \n", "is empty"),
            (b"<eSearchResult><Count>1</Count>", "<eSearchResult>"),
            (b"<!DOCTYPE html><html>", "HTML page"),
            (b"<?xml version='1.0'?>", "without a root"),
            (b"Dear all,", "\"Dear all,\""),
            (b"%PDF-1.7", "PDF"),
            (b"[1]", "JSON array"),
            (b"FEA1....", "version 1"),
            (b"@ the office", "begins with"),
            (
                b"<?xml version='1.0' encoding='ISO-8859-1'?><PubmedArticleSet>",
                "iso-8859-1",
            ),
        ];
        for (text, what) in cases {
            let said = sniff(text).unwrap_err();
            assert!(said.contains(what), "{said}");
        }
    }
}
