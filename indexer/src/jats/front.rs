//! `front`: journal and article metadata.

use super::people::People;
use super::{dates, iso_639_2, journal, links, rich, sections, text};
use crate::pubmed::add_id;
use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{HistoryDate, Journal, Keyword, KeywordList, OtherAbstract, Pages, PubDate};
use serde_json::Value;

pub(super) fn read(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "journal-meta" => journal::read(cursor, article)?,
            "article-meta" => article_meta(cursor, article)?,
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

fn article_meta(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    let mut people = People::default();
    let mut pages = Pages::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "article-id" => article_id(cursor, &element, article)?,
            "title-group" => titles(cursor, article)?,
            "contrib-group" => people.group(cursor)?,
            "aff" => people.affiliation(cursor, &element)?,
            "aff-alternatives" => people.alternatives(cursor, &element)?,
            "pub-date" => pub_date(cursor, &element, article)?,
            "volume" => journal_of(article).volume = cursor.some_text()?,
            "issue" => journal_of(article).issue = cursor.some_text()?,
            "fpage" => pages.start = cursor.some_text()?,
            "lpage" => pages.end = cursor.some_text()?,
            "elocation-id" | "page-range" => pages.medline = cursor.some_text()?,
            "history" | "pub-history" => history(cursor, article)?,
            "permissions" => permissions(cursor, article)?,
            "abstract" | "trans-abstract" => summary(cursor, &element, article)?,
            "kwd-group" => keywords(cursor, &element, article)?,
            "funding-group" => links::funding(cursor, article)?,
            "related-article" => links::related(cursor, &element, article)?,
            "article-categories" => categories(cursor, article)?,
            _ => cursor.skip()?,
        }
    }
    people.finish(article);
    if pages != Pages::default() {
        article.pages = Some(pages);
    }
    Ok(())
}

fn journal_of(article: &mut Article) -> &mut Journal {
    article.journal.get_or_insert_with(Journal::default)
}

/// The names of the PMC id changed in 2025; all are kept as `pmc`.
fn article_id<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    article: &mut Article,
) -> Result<(), Flaw> {
    let kind = element
        .attribute("pub-id-type")?
        .unwrap_or_else(|| "unknown".to_owned());
    let value = cursor.some_text()?;
    let (kind, value) = match kind.as_str() {
        "pmc" | "pmcid" => ("pmc".to_owned(), value.map(|value| pmc_id(&value))),
        _ => (kind, value),
    };
    add_id(&mut article.other_ids, kind, value, true);
    Ok(())
}

/// `3166277` and `PMC3166277` are the same.
pub(super) fn pmc_id(value: &str) -> String {
    match value.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("PMC{value}"),
        false => value.to_owned(),
    }
}

fn titles(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "article-title" => article.title = rich(cursor)?,
            "subtitle" => {
                if let Some(subtitle) = text(cursor)? {
                    let title = &mut article.title.plain;
                    let parted = title.is_empty() || title.ends_with([':', '?', '!', '.']);
                    title.push_str(if parted { " " } else { ": " });
                    title.push_str(&subtitle);
                }
            }
            "trans-title-group" => {
                while let Some(element) = cursor.child()? {
                    match element.name() {
                        "trans-title" => article.vernacular_title = rich(cursor)?,
                        _ => cursor.skip()?,
                    }
                }
            }
            "trans-title" => article.vernacular_title = rich(cursor)?,
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

/// The date of the issue is the article's, else the first; all are kept.
fn pub_date<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    article: &mut Article,
) -> Result<(), Flaw> {
    let mut kind = element.attribute("pub-type")?;
    if kind.is_none() {
        kind = element.attribute("date-type")?;
    }
    let format = element.attribute("publication-format")?;
    let Some(date) = dates::read(cursor)? else {
        return Ok(());
    };
    let kind = kind.unwrap_or_else(|| "pub".to_owned());
    let is_issue = matches!(kind.as_str(), "ppub" | "collection" | "epub-ppub")
        || format.as_deref() == Some("print");
    if is_issue || article.published.is_none() {
        article.published = Some(date.clone());
    }
    let event = match kind.as_str() {
        "epub" => "electronic".to_owned(),
        "pub" if format.as_deref() == Some("electronic") => "electronic".to_owned(),
        _ => kind,
    };
    push_date(article, event, date);
    Ok(())
}

fn push_date(article: &mut Article, event: String, date: PubDate) {
    article.history.push(HistoryDate {
        event,
        date,
        time: None,
    });
}

fn history(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "date" => {
                let event = element.attribute("date-type")?;
                if let Some(date) = dates::read(cursor)? {
                    let event = event.map(|event| {
                        if event == "rev-recd" {
                            "revised".to_owned()
                        } else {
                            event
                        }
                    });
                    push_date(article, event.unwrap_or_else(|| "unknown".to_owned()), date);
                }
            }
            // JATS 1.2: an event holds its dates.
            "event" => history(cursor, article)?,
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

fn permissions(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "copyright-statement" => article.copyright = text(cursor)?,
            "license" => {
                let href = element.attribute("xlink:href")?;
                let words = text(cursor)?;
                if let Some(license) = href.or(words) {
                    article
                        .metadata
                        .insert("license".to_owned(), Value::String(license));
                }
            }
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

/// The abstract without a type is the main one; the others stand beside it.
fn summary<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    article: &mut Article,
) -> Result<(), Flaw> {
    let kind = element.attribute("abstract-type")?;
    let language = element.attribute("xml:lang")?;
    let is_main = element.name() == "abstract" && kind.is_none();
    let mut found = Vec::new();
    sections::all(cursor, &mut found)?;
    // A heading over the whole, mostly `Abstract`, is none of its structure.
    if found.first().is_some_and(|first| first.text.is_empty()) {
        found.remove(0);
    }
    if let [only] = &mut *found {
        let label = only.label.take();
        only.label = label.filter(|label| !label.to_lowercase().starts_with("abstract"));
    }
    if is_main && article.abstract_sections.is_empty() {
        article.abstract_sections = found;
    } else if !found.is_empty() {
        article.other_abstracts.push(OtherAbstract {
            kind,
            language: language.map(|code| iso_639_2(&code)),
            sections: found,
            copyright: None,
        });
    }
    Ok(())
}

fn keywords<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    article: &mut Article,
) -> Result<(), Flaw> {
    let mut list = KeywordList {
        owner: element.attribute("kwd-group-type")?,
        keywords: Vec::new(),
    };
    while let Some(element) = cursor.child()? {
        match element.name() {
            "kwd" | "compound-kwd" => {
                let text = text(cursor)?;
                list.keywords
                    .extend(text.map(|text| Keyword { text, major: false }));
            }
            _ => cursor.skip()?,
        }
    }
    if !list.keywords.is_empty() {
        article.keywords.push(list);
    }
    Ok(())
}

fn categories(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    let mut subjects = Vec::new();
    subject_group(cursor, &mut subjects)?;
    if !subjects.is_empty() {
        article
            .metadata
            .insert("subjects".to_owned(), Value::Array(subjects));
    }
    Ok(())
}

fn subject_group(cursor: &mut Cursor<'_>, subjects: &mut Vec<Value>) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "subj-group" => subject_group(cursor, subjects)?,
            "subject" => subjects.extend(text(cursor)?.map(Value::String)),
            _ => cursor.skip()?,
        }
    }
    Ok(())
}
