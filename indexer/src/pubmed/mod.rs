//! Second stage for PubMed XML: one record's elements into an article.
//!
//! The structure is that of NLM's PubMed DTD of 2025 and of its predecessors
//! since 2009, described at <https://www.nlm.nih.gov/bsd/licensee/data_elements_doc.html>.
//! An element that none of them has is not dropped: its text goes into the
//! article's metadata under `unrecognised`.

mod abstracts;
mod article;
mod book;
mod citation;
mod corrections;
mod date;
mod deletion;
mod funding;
mod ids;
mod journal;
mod person;
mod pubmed_data;
mod references;
mod subject;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod written;

pub(crate) use date::month_number;
pub(crate) use deletion::deletions;
pub(crate) use ids::add as add_id;

use crate::xml::{Cursor, Element, Flaw};
use medsift::article::ArticleKind;
use medsift::{Article, ArticleId};
use serde_json::Value;

/// Reads a `PubmedArticle` or a bare `MedlineCitation`.
pub(crate) fn article(record: &str) -> Result<Box<Article>, Flaw> {
    read(record, |cursor, draft, root| match root.name() {
        "MedlineCitation" => citation::read(cursor, draft, &root),
        _ => {
            while let Some(element) = cursor.child()? {
                match element.name() {
                    "MedlineCitation" => citation::read(cursor, draft, &element)?,
                    "PubmedData" => pubmed_data::read(cursor, draft)?,
                    _ => cursor.leftover(&element)?,
                }
            }
            Ok(())
        }
    })
}

/// Reads a `PubmedBookArticle` or a bare `BookDocument`.
pub(crate) fn book(record: &str) -> Result<Box<Article>, Flaw> {
    let mut book = read(record, |cursor, draft, root| match root.name() {
        "BookDocument" => book::read(cursor, draft),
        _ => {
            while let Some(element) = cursor.child()? {
                match element.name() {
                    "BookDocument" => book::read(cursor, draft)?,
                    "PubmedBookData" => pubmed_data::read(cursor, draft)?,
                    _ => cursor.leftover(&element)?,
                }
            }
            Ok(())
        }
    })?;
    book.kind = ArticleKind::Book;
    Ok(book)
}

/// An article whose id may not have been read yet.
struct Draft {
    id: Option<ArticleId>,
    article: Box<Article>,
}

fn read(
    record: &str,
    content: impl for<'a> FnOnce(&mut Cursor<'a>, &mut Draft, Element<'a>) -> Result<(), Flaw>,
) -> Result<Box<Article>, Flaw> {
    let mut cursor = Cursor::new(record);
    let root = cursor.child()?.ok_or_else(|| Flaw::new("no element"))?;
    let unnamed = ArticleId::new("0").map_err(|error| Flaw::new(error.to_string()))?;
    let mut draft = Draft {
        id: None,
        article: Box::new(Article::new(unnamed)),
    };
    content(&mut cursor, &mut draft, root)?;

    let mut article = draft.article;
    article.id = draft
        .id
        .ok_or_else(|| Flaw::new("the record has no PMID"))?;
    let own = article.id.as_str();
    let is_own = |kind: &str, value: &str| kind == "pubmed" && value == own;
    article.other_ids.retain(|id| !is_own(&id.kind, &id.value));
    let leftover = cursor.into_leftover();
    if !leftover.is_empty() {
        let leftover = Value::Object(leftover.into_iter().collect());
        article.metadata.insert("unrecognised".to_owned(), leftover);
    }
    Ok(article)
}

/// Reads a `PMID` element; its version, if any, beside it.
fn pmid(cursor: &mut Cursor<'_>, element: &Element<'_>) -> Result<(ArticleId, Option<u32>), Flaw> {
    let version = element
        .attribute("Version")?
        .map(|text| {
            let number = text.parse().ok().filter(|&number: &u32| number > 0);
            number.ok_or_else(|| Flaw::new(format!("the version {text:?} is not a number")))
        })
        .transpose()?;
    Ok((pmid_of(&cursor.text()?)?, version))
}

/// A PMID: a number, which leading zeros do not change.
///
/// Ids that are no numbers are taken as they are, since collections beside
/// PubMed use its format with ids of their own; one with white space inside is
/// a flaw.
pub(crate) fn pmid_of(text: &str) -> Result<ArticleId, Flaw> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Flaw::new("the PMID is empty"));
    }
    let significant = match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.trim_start_matches('0'),
        false => text,
    };
    if significant.is_empty() {
        return Err(Flaw::new("the PMID is zero"));
    }
    ArticleId::new(significant).map_err(|error| Flaw::new(format!("the PMID: {error}")))
}
