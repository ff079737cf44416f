//! RIS: a tag of two characters, two blanks, a hyphen, a value. Tags as in the
//! specification of Research Information Systems (2001 and 2012), and as other
//! programs use them.

use super::names;
use super::parts::{
    RETRACTED, abstract_text, add_id, bare_doi, book, drop_idle_abbreviation, id, is_pmid, journal,
    keep, keyword, pages, pmid_of_address, publication_type, set,
};
use crate::xml::normalise;
use medsift::Article;
use medsift::article::{ArticleKind, Note, PubDate};

/// The tag of a line and its value.
pub(crate) fn tag(line: &[u8]) -> Option<(&[u8; 2], &[u8])> {
    let (tag, rest) = line.split_first_chunk::<2>()?;
    let is_tag =
        tag[0].is_ascii_uppercase() && (tag[1].is_ascii_uppercase() || tag[1].is_ascii_digit());
    let value = rest.trim_ascii_start().strip_prefix(b"-")?;
    // Without a blank before the hyphen it is a word.
    let is_parted = rest.starts_with(b" ") && (value.is_empty() || value[0].is_ascii_whitespace());
    (is_tag && is_parted).then(|| (tag, value.trim_ascii()))
}

/// A tag with its value, lines without a tag joined to it.
struct Field {
    tag: String,
    value: String,
}

/// Reads one reference.
///
/// # Errors
/// Where there is nothing in it.
pub(crate) fn article(record: &str) -> Result<Box<Article>, String> {
    let fields = fields_of(record);
    let first = |tag: &str| {
        let mut fields = fields.iter();
        fields
            .find(|field| field.tag == tag)
            .map(|field| field.value.as_str())
    };
    let kind = first("TY").unwrap_or_default();
    if fields
        .iter()
        .all(|field| matches!(field.tag.as_str(), "TY" | "ER"))
    {
        return Err("the reference is empty".to_owned());
    }
    let doi = ["DO", "M3", "L3"]
        .iter()
        .find_map(|tag| bare_doi(first(tag)?));
    let pmid = fields.iter().filter(|field| field.tag == "UR");
    let pmid = pmid
        .filter_map(|field| pmid_of_address(&field.value))
        .next();
    let accession = accession(first("AN"), first("DB").or(first("DP")));
    let key = id(
        pmid.filter(|_| accession.is_none()),
        &[accession.as_deref(), first("ID")],
        doi,
        "ris",
        record.trim(),
    );
    let mut article = Box::new(Article::new(key));
    take_kind(&mut article, kind);
    for field in fields.iter().filter(|field| !field.value.is_empty()) {
        if !take(&mut article, kind, &field.tag, &field.value) {
            keep(&mut article, &field.tag, &field.value);
        }
    }
    article.pages = pages(first("SP"), first("EP"));
    article.published = date(first("PY").or(first("Y1")), first("DA"));
    drop_idle_abbreviation(&mut article);
    Ok(article)
}

/// The accession number. A bare number of another database than PubMed is no
/// PMID, and must not look like one.
fn accession(number: Option<&str>, database: Option<&str>) -> Option<String> {
    let number = number.filter(|number| !number.contains(char::is_whitespace))?;
    let is_other = database.is_some_and(|name| {
        let name = name.to_lowercase();
        !["pubmed", "medline", "nlm"]
            .iter()
            .any(|known| name.contains(known))
    });
    if !(is_other && is_pmid(number)) {
        return Some(number.to_owned());
    }
    let letters = database
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric());
    Some(format!(
        "{}:{number}",
        letters.collect::<String>().to_lowercase()
    ))
}

fn fields_of(record: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for line in record.split(['\n', '\r']) {
        let found = tag(line.as_bytes());
        // What lies before a place in the text that is ASCII is a text.
        let parts = found.and_then(|(tag, value)| {
            Some((
                std::str::from_utf8(tag).ok()?,
                std::str::from_utf8(value).ok()?,
            ))
        });
        match (parts, fields.last_mut()) {
            (Some((tag, value)), _) => fields.push(Field {
                tag: tag.to_owned(),
                value: value.to_owned(),
            }),
            (None, Some(field)) if !line.trim().is_empty() => {
                field.value.push(' ');
                field.value.push_str(line);
            }
            _ => {}
        }
    }
    for field in &mut fields {
        field.value = normalise(&field.value);
    }
    fields
}

fn take_kind(article: &mut Article, kind: &str) {
    article.kind = match kind {
        "JOUR" | "JFULL" | "EJOUR" | "MGZN" | "INPR" | "ABST" => ArticleKind::Journal,
        "UNPB" | "UNPD" => {
            publication_type(article, "Preprint");
            ArticleKind::Journal
        }
        "BOOK" | "EBOOK" | "EDBOOK" | "CHAP" | "ECHAP" => {
            book(article);
            ArticleKind::Book
        }
        _ => ArticleKind::Document,
    };
    if article.kind == ArticleKind::Document && !matches!(kind, "" | "GEN") {
        keep(article, "TY", kind);
    }
}

/// Puts a field into its place; `false` where it has none.
fn take(article: &mut Article, kind: &str, tag: &str, value: &str) -> bool {
    let of_book = article.kind == ArticleKind::Book;
    let is_chapter = matches!(kind, "CHAP" | "ECHAP");
    match tag {
        "TY" | "ER" | "SP" | "EP" | "PY" | "Y1" | "DA" | "AN" | "ID" => {}
        "TI" | "T1" | "CT" | "BT" if of_book && !is_chapter => {
            if !book(article).title.is_empty() {
                return false;
            }
            book(article).title = value.into();
        }
        "TI" | "T1" if article.title.is_empty() => article.title = value.into(),
        "T2" | "BT" if of_book && book(article).title.is_empty() => {
            book(article).title = value.into();
        }
        "TT" if article.vernacular_title.is_empty() => article.vernacular_title = value.into(),
        "AU" | "A1" => article.authors.push(names::author(value)),
        "ED" | "A2" | "A3" => article.editors.push(names::author(value)),
        "AB" | "N2" => {
            // Some programs write the same text under both.
            let mut texts = article.abstract_sections.iter();
            if !texts.any(|section| section.text.plain == value) {
                abstract_text(article, value);
            }
        }
        "KW" => keyword(article, value),
        "LA" => article.languages.push(value.to_owned()),
        "DO" => match bare_doi(value) {
            Some(doi) => add_id(article, "doi", doi),
            None => return false,
        },
        "C2" if value.starts_with("PMC") => add_id(article, "pmc", value),
        "UR" if pmid_of_address(value) == Some(article.id.as_str()) => {}
        "N1" if value == RETRACTED => publication_type(article, "Retracted Publication"),
        "N1" => article.notes.push(Note {
            owner: None,
            text: value.to_owned(),
        }),
        _ if of_book => return take_book(article, tag, value),
        _ => return take_journal(article, tag, value),
    }
    true
}

fn take_journal(article: &mut Article, tag: &str, value: &str) -> bool {
    if !matches!(
        tag,
        "JO" | "JF" | "T2" | "J2" | "JA" | "J1" | "VL" | "IS" | "SN"
    ) {
        return false;
    }
    let journal = journal(article);
    match tag {
        "JO" | "JF" | "T2" if journal.title.is_empty() => journal.title = value.to_owned(),
        // The same title under several tags.
        "JO" | "JF" | "T2" => return journal.title == value,
        "J2" | "JA" | "J1" => {
            let same = journal.medline_abbreviation.as_deref() == Some(value);
            return same || set(&mut journal.medline_abbreviation, value);
        }
        "VL" => return set(&mut journal.volume, value),
        "IS" => return set(&mut journal.issue, value),
        _ => return set(&mut journal.issn, value),
    }
    true
}

fn take_book(article: &mut Article, tag: &str, value: &str) -> bool {
    let book = book(article);
    match tag {
        "T3" => set(&mut book.collection_title, value),
        "VL" => set(&mut book.volume, value),
        "ET" => set(&mut book.edition, value),
        "PB" => set(&mut book.publisher, value),
        "CY" | "PP" => set(&mut book.place, value),
        "SN" => {
            book.isbn.push(value.to_owned());
            true
        }
        _ => false,
    }
}

/// `2023` and `2023/12/04/`, or `2003///Winter`; either may be missing.
fn date(year: Option<&str>, day: Option<&str>) -> Option<PubDate> {
    let text = day.or(year).filter(|text| !text.is_empty())?;
    let mut parts = text.split('/').map(str::trim);
    let year = parts.next().unwrap_or_default();
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u8>().ok());
    let (month, day) = (number(parts.next()), number(parts.next()));
    let rest = parts.collect::<Vec<_>>().join("/");
    if !rest.is_empty() && month.is_none() {
        return Some(crate::nbib::published(&format!("{year} {rest}")));
    }
    let numbered = year.parse().ok().and_then(|year| {
        let day = day.filter(|_| month.is_some());
        PubDate::calendar(year, month, day).ok()
    });
    Some(numbered.unwrap_or_else(|| crate::nbib::published(&normalise(text))))
}
