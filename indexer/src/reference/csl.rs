//! Items of CSL-JSON (`csl-data.json` of the Citation Style Language 1.0.2),
//! and articles of medsift in an array.

use super::names;
use super::parts::{
    RETRACTED, abstract_text, add_id, bare_doi, book, drop_idle_abbreviation, id, journal, keyword,
    pages, pmid_of_address, publication_type, set,
};
use crate::xml::normalise;
use medsift::Article;
use medsift::article::{ArticleKind, Author, PubDate};
use serde_json::{Map, Value};

/// Reads an object of an array: an item of CSL-JSON has a `type`.
///
/// # Errors
/// Says what is wrong with it.
pub(crate) fn item(text: &str) -> Result<Box<Article>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    match value {
        Value::Object(object) if object.get("type").is_some_and(Value::is_string) => {
            csl(object, text)
        }
        other => crate::jsonl::article_of(other),
    }
}

fn csl(mut object: Map<String, Value>, text: &str) -> Result<Box<Article>, String> {
    let kind = plain(&object.remove("type").unwrap_or_default()).unwrap_or_default();
    let value = |name: &str| object.get(name).and_then(plain);
    let (own, pmid, doi) = (value("id"), value("PMID"), value("DOI"));
    let doi = doi.as_deref().and_then(bare_doi);
    let url = value("URL");
    let pmid = pmid.as_deref().or(url.as_deref().and_then(pmid_of_address));
    let key = id(pmid, &[own.as_deref()], doi, "csl", text);
    let mut article = Box::new(Article::new(key));
    take_kind(&mut article, &kind);
    for (name, value) in object {
        if !take(&mut article, &name, &value) {
            article.metadata.insert(name, value);
        }
    }
    if kind == "book" {
        let title = std::mem::take(&mut article.title);
        book(&mut article).title = title;
    }
    if !matches!(
        kind.as_str(),
        "article-journal" | "article" | "book" | "chapter" | "document"
    ) {
        article.metadata.insert("type".to_owned(), kind.into());
    }
    drop_idle_abbreviation(&mut article);
    Ok(article)
}

/// A value as a text on one line.
fn plain(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => normalise(text),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn take_kind(article: &mut Article, kind: &str) {
    article.kind = match kind {
        "article-journal" | "article-magazine" | "article-newspaper" => ArticleKind::Journal,
        "article" => {
            publication_type(article, "Preprint");
            ArticleKind::Journal
        }
        "book" | "chapter" => {
            book(article);
            ArticleKind::Book
        }
        _ => ArticleKind::Document,
    };
}

/// Puts a value into its place; `false` where it has none.
fn take(article: &mut Article, name: &str, value: &Value) -> bool {
    match (name, value) {
        ("author", Value::Array(people)) => return people_of(people, &mut article.authors),
        ("editor", Value::Array(people)) => return people_of(people, &mut article.editors),
        ("issued", _) => {
            article.published = issued(value);
            return article.published.is_some();
        }
        _ => {}
    }
    let Some(text) = plain(value) else {
        return false;
    };
    let text = text.as_str();
    let of_book = article.kind == ArticleKind::Book;
    match name {
        "id" => return text == article.id.as_str(),
        "PMID" => return text == article.id.as_str(),
        "URL" => return pmid_of_address(text) == Some(article.id.as_str()),
        "title" => article.title = text.into(),
        "abstract" => abstract_text(article, text),
        "DOI" => match bare_doi(text) {
            Some(doi) => add_id(article, "doi", doi),
            None => return false,
        },
        "PMCID" => add_id(article, "pmc", text),
        "language" => article.languages.push(text.to_owned()),
        "keyword" => {
            let between = if text.contains(';') { ';' } else { ',' };
            let words = text.split(between).map(str::trim);
            words
                .filter(|word| !word.is_empty())
                .for_each(|word| keyword(article, word));
        }
        "note" if text == RETRACTED => publication_type(article, "Retracted Publication"),
        "page" => {
            let (start, end) = text.split_once(['-', '–']).unwrap_or((text, ""));
            article.pages = pages(Some(start.trim()), Some(end.trim_matches(['-', ' '])));
            if let Some(pages) = &mut article.pages {
                pages.medline = Some(text.to_owned());
            }
        }
        _ if of_book => return take_book(article, name, text),
        _ => return take_journal(article, name, text),
    }
    true
}

fn take_journal(article: &mut Article, name: &str, text: &str) -> bool {
    if !matches!(
        name,
        "container-title"
            | "container-title-short"
            | "journalAbbreviation"
            | "volume"
            | "issue"
            | "ISSN"
    ) {
        return false;
    }
    let journal = journal(article);
    match name {
        "container-title" => {
            journal.title = text.to_owned();
            true
        }
        "container-title-short" | "journalAbbreviation" => {
            set(&mut journal.medline_abbreviation, text)
        }
        "volume" => set(&mut journal.volume, text),
        "issue" => set(&mut journal.issue, text),
        _ => set(&mut journal.issn, text),
    }
}

fn take_book(article: &mut Article, name: &str, text: &str) -> bool {
    let book = book(article);
    match name {
        "container-title" => {
            book.title = text.into();
            true
        }
        "collection-title" => set(&mut book.collection_title, text),
        "volume" => set(&mut book.volume, text),
        "edition" => set(&mut book.edition, text),
        "publisher" => set(&mut book.publisher, text),
        "publisher-place" => set(&mut book.place, text),
        "ISBN" => {
            book.isbn.push(text.to_owned());
            true
        }
        _ => false,
    }
}

fn people_of(people: &[Value], out: &mut Vec<Author>) -> bool {
    let found: Option<Vec<Author>> = people.iter().map(person).collect();
    let is_known = found.is_some();
    out.extend(found.unwrap_or_default());
    is_known
}

fn person(value: &Value) -> Option<Author> {
    let part = |name: &str| value.get(name).and_then(plain).unwrap_or_default();
    if let Some(group) = value.get("literal").and_then(plain) {
        return Some(names::group(&group));
    }
    let particle = ["dropping-particle", "non-dropping-particle"]
        .map(part)
        .join(" ");
    let last = format!("{} {}", particle.trim(), part("family"));
    let name = names::parted(last.trim(), &part("given"), &part("suffix"));
    (name != Default::default()).then(|| names::person(name))
}

/// `{"date-parts": [[2023, 12, 4]]}`, with a season or a text beside it.
fn issued(value: &Value) -> Option<PubDate> {
    let text = |name: &str| value.get(name).and_then(plain);
    if let Some(text) = text("raw").or_else(|| text("literal")) {
        return Some(crate::nbib::published(&text));
    }
    let parts = value.get("date-parts")?.get(0)?.as_array()?;
    let number = |place: usize| -> Option<i64> {
        let part = parts.get(place)?;
        part.as_i64().or_else(|| part.as_str()?.parse().ok())
    };
    let year = i32::try_from(number(0)?).ok()?;
    let small = |place: usize| number(place).and_then(|number| u8::try_from(number).ok());
    if let Some(season) = text("season") {
        let season = match season.as_str() {
            "1" => "Spring".to_owned(),
            "2" => "Summer".to_owned(),
            "3" => "Autumn".to_owned(),
            "4" => "Winter".to_owned(),
            _ => season,
        };
        return Some(PubDate::Season { year, season });
    }
    PubDate::calendar(year, small(1), small(2)).ok()
}
