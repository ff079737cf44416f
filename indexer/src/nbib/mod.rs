//! Second stage for MEDLINE tagged text (`.nbib`), as PubMed exports it:
//! four characters of tag, `- `, a value that goes on in indented lines.
//! Tags: <https://www.nlm.nih.gov/bsd/mms/medlineelements.html>.

mod fields;
mod people;
#[cfg(test)]
mod tests;
mod values;

use crate::pubmed::pmid_of;
use crate::xml::normalise;
use medsift::article::ArticleKind;
use medsift::{Article, ArticleId};
use people::People;
pub(crate) use people::split_short;
use serde_json::Value;
pub(crate) use values::published;

/// A tag with its value, continuation lines joined.
#[derive(Debug, PartialEq, Eq)]
struct Field<'a> {
    tag: &'a str,
    value: String,
}

/// Reads one record.
///
/// Tags that have no place in an article are kept as metadata under their
/// names, and lines that are none of both under `unrecognised`.
///
/// # Errors
/// Where there is no PMID, or none that is a number.
pub(crate) fn article(record: &str) -> Result<Box<Article>, String> {
    let (fields, stray) = fields_of(record);
    let pmid = fields.iter().find(|field| field.tag == "PMID");
    let pmid = pmid.ok_or("the record has no PMID")?;
    let id: ArticleId = pmid_of(&pmid.value).map_err(|flaw| flaw.to_string())?;

    let mut article = Box::new(Article::new(id));
    let mut people = People::default();
    for field in fields {
        if field.tag == "PMID" || field.value.is_empty() {
            continue;
        }
        if !people.take(field.tag, &field.value) && !fields::take(&mut article, &field) {
            keep(&mut article, field.tag, field.value);
        }
    }
    people.finish(&mut article);
    if article.book.is_some() {
        article.kind = ArticleKind::Book;
    }
    for line in stray {
        keep(&mut article, "unrecognised", line);
    }
    Ok(article)
}

/// Keeps a value that has no place of its own.
fn keep(article: &mut Article, name: &str, value: String) {
    let values = article.metadata.entry(name.to_owned());
    if let Value::Array(values) = values.or_insert_with(|| Value::Array(Vec::new())) {
        values.push(Value::String(value));
    }
}

/// The fields of a record, and the lines that belong to none.
fn fields_of(record: &str) -> (Vec<Field<'_>>, Vec<String>) {
    let mut fields: Vec<Field<'_>> = Vec::new();
    let mut stray = Vec::new();
    for line in record.split(['\n', '\r']) {
        if let Some((tag, value)) = split_tag(line) {
            fields.push(Field {
                tag,
                value: value.to_owned(),
            });
        } else if let (true, Some(field)) = (line.starts_with([' ', '\t']), fields.last_mut()) {
            field.value.push(' ');
            field.value.push_str(line);
        } else if !line.trim().is_empty() {
            stray.push(normalise(line));
        }
    }
    for field in &mut fields {
        field.value = normalise(&field.value);
    }
    (fields, stray)
}

/// `TI  - A title` is (`TI`, `A title`). The hyphen is the fifth character,
/// except in exports that leave out the padding; a number may follow it at once.
fn split_tag(line: &str) -> Option<(&str, &str)> {
    let (tag, value) = line.split_once('-').filter(|(tag, _)| tag.len() <= 4)?;
    let padded = tag.len() == 4;
    let tag = tag.trim_end();
    let is_tag = (2..=4).contains(&tag.len())
        && tag
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let parted = match value.bytes().next() {
        None | Some(b' ' | b'\t') => true,
        Some(first) => padded && first.is_ascii_digit(),
    };
    (is_tag && parted).then(|| (tag, value.trim()))
}
