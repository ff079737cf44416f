//! Second stage for JATS (NISO Z39.96, <https://jats.nlm.nih.gov/archiving/>),
//! the XML of PubMed Central.
//!
//! Read are the front matter, the abstract, the text of all sections with
//! their headings, captions of figures and tables, keywords, funding and
//! references. Not read are the cells of tables, TeX formulas (MathML beside
//! them is), supplementary files and reviews or replies in sub-articles, whose
//! number is kept.

mod back;
mod dates;
mod front;
mod journal;
mod links;
mod people;
mod sections;
#[cfg(test)]
mod tests;

use crate::pubmed::pmid_of;
use crate::xml::{Cursor, Element, Flaw, TextBuilder};
use medsift::article::{RichText, Section};
use medsift::{Article, ArticleId};
use serde_json::Value;

/// Reads an `article`.
///
/// Its id is the PMID where there is one, so that full text and citation are
/// one article; else the PMC id, else the DOI.
pub(crate) fn article(record: &str) -> Result<Box<Article>, Flaw> {
    let mut cursor = Cursor::new(record);
    let root = cursor.child()?.ok_or_else(|| Flaw::new("no element"))?;
    let unnamed = ArticleId::new("0").map_err(|error| Flaw::new(error.to_string()))?;
    let mut article = Box::new(Article::new(unnamed));
    attributes(&mut article, &root)?;

    let mut sub_articles = 0u64;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "front" => front::read(&mut cursor, &mut article)?,
            "body" => sections::all(&mut cursor, &mut article.body)?,
            "back" => back::read(&mut cursor, &mut article)?,
            "floats-group" => sections::floats(&mut cursor, &mut article.body)?,
            "sub-article" | "response" => {
                sub_articles += 1;
                sub_article(&mut cursor, &mut article)?;
            }
            _ => cursor.skip()?,
        }
    }
    if sub_articles > 0 {
        article
            .metadata
            .insert("sub_articles".to_owned(), sub_articles.into());
    }
    article.id = id(&article)?;
    Ok(article)
}

/// A contribution with front matter of its own, such as an abstract of a
/// meeting, is a part of the text under its title. One with a `front-stub`
/// (a review, a reply, a translation) is not.
fn sub_article(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    let mut own = Article::new(article.id.clone());
    let mut has_front = false;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "front" => {
                has_front = true;
                front::read(cursor, &mut own)?;
            }
            "body" if has_front => sections::all(cursor, &mut own.body)?,
            "back" if has_front => back::read(cursor, &mut own)?,
            _ => cursor.skip()?,
        }
    }
    if has_front {
        article.body.push(Section {
            text: own.title,
            ..Section::default()
        });
        article.body.extend(own.abstract_sections);
        article.body.extend(own.body);
        article.references.extend(own.references);
    }
    Ok(())
}

fn attributes(article: &mut Article, root: &Element<'_>) -> Result<(), Flaw> {
    if let Some(language) = root.attribute("xml:lang")? {
        article.languages.push(iso_639_2(&language));
    }
    if let Some(kind) = root.attribute("article-type")? {
        article
            .metadata
            .insert("article_type".to_owned(), Value::String(kind));
    }
    Ok(())
}

fn id(article: &Article) -> Result<ArticleId, Flaw> {
    if let Some(pmid) = article.other_id("pmid") {
        return pmid_of(pmid);
    }
    let other = article.other_id("pmc").or_else(|| article.other_id("doi"));
    let other = other.ok_or_else(|| Flaw::new("the article has no PMID, PMC id or DOI"))?;
    ArticleId::new(other).map_err(|error| Flaw::new(error.to_string()))
}

/// MEDLINE's three letters for a two-letter language code; others as they are.
fn iso_639_2(code: &str) -> String {
    const CODES: [(&str, &str); 16] = [
        ("en", "eng"),
        ("fr", "fre"),
        ("de", "ger"),
        ("es", "spa"),
        ("pt", "por"),
        ("it", "ita"),
        ("ru", "rus"),
        ("zh", "chi"),
        ("ja", "jpn"),
        ("pl", "pol"),
        ("nl", "dut"),
        ("ko", "kor"),
        ("tr", "tur"),
        ("cs", "cze"),
        ("sv", "swe"),
        ("hu", "hun"),
    ];
    let lower = code.to_lowercase();
    let primary = lower.split(['-', '_']).next().unwrap_or(&lower);
    let known = CODES.iter().find(|(two, _)| *two == primary);
    known.map_or_else(|| primary.to_owned(), |(_, three)| (*three).to_owned())
}

/// Text of the current element with its markup.
fn rich(cursor: &mut Cursor<'_>) -> Result<RichText, Flaw> {
    let mut builder = TextBuilder::default();
    cursor.read_into(&mut builder, sections::style)?;
    Ok(builder.finish())
}

/// Text of the current element; `None` where there is none.
fn text(cursor: &mut Cursor<'_>) -> Result<Option<String>, Flaw> {
    Ok(Some(rich(cursor)?.plain).filter(|text| !text.is_empty()))
}
