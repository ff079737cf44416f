//! `back`: references, and the sections behind the text.

use super::{front, sections, text};
use crate::pubmed::add_id;
use crate::xml::{Cursor, Element, Flaw, Style, TextBuilder};
use medsift::Article;
use medsift::article::{OtherId, Reference};

pub(super) fn read(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "ref-list" => references(cursor, None, &mut article.references)?,
            "ack" => sections::under(cursor, "Acknowledgements", &mut article.body)?,
            "fn-group" => notes(cursor, article)?,
            "sec" | "app" | "app-group" | "notes" | "glossary" => {
                sections::all(cursor, &mut article.body)?;
            }
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

/// Footnotes; a statement on conflicts of interest has its own place.
fn notes(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        if element.name() != "fn" {
            cursor.skip()?;
            continue;
        }
        let kind = element.attribute("fn-type")?;
        match kind.as_deref() {
            Some("conflict" | "COI-statement" | "coi-statement") => {
                article.conflict_of_interest = text(cursor)?;
            }
            _ => sections::under(cursor, "Note", &mut article.body)?,
        }
    }
    Ok(())
}

fn references(
    cursor: &mut Cursor<'_>,
    outer: Option<&str>,
    references_found: &mut Vec<Reference>,
) -> Result<(), Flaw> {
    let mut title = outer.map(str::to_owned);
    while let Some(element) = cursor.child()? {
        match element.name() {
            // The heading of the only list says nothing.
            "title" if outer.is_some() => title = text(cursor)?.or(title),
            "ref" => reference(cursor, title.as_deref(), references_found)?,
            "ref-list" => {
                references(
                    cursor,
                    Some(title.as_deref().unwrap_or_default()),
                    references_found,
                )?;
            }
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

/// A `ref` holds one citation or several; each is a reference.
fn reference(
    cursor: &mut Cursor<'_>,
    title: Option<&str>,
    found: &mut Vec<Reference>,
) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "citation-alternatives" => reference(cursor, title, found)?,
            "label" => cursor.skip()?,
            _ => {
                // A mixed citation brings its own blanks and punctuation.
                let spaced = element.name() != "mixed-citation";
                let (citation, ids) = citation(cursor, spaced)?;
                if !citation.is_empty() || !ids.is_empty() {
                    found.push(Reference {
                        citation,
                        list_title: title.filter(|title| !title.is_empty()).map(str::to_owned),
                        ids,
                    });
                }
            }
        }
    }
    Ok(())
}

/// The text of a citation, its parts kept apart, and its ids.
fn citation(cursor: &mut Cursor<'_>, spaced: bool) -> Result<(String, Vec<OtherId>), Flaw> {
    let mut builder = TextBuilder::default();
    let mut ids = Vec::new();
    citation_parts(cursor, spaced, &mut builder, &mut ids)?;
    Ok((builder.finish().plain, ids))
}

fn citation_parts(
    cursor: &mut Cursor<'_>,
    spaced: bool,
    builder: &mut TextBuilder,
    ids: &mut Vec<OtherId>,
) -> Result<(), Flaw> {
    while let Some(part) = cursor.child_or_text(builder)? {
        let name = part.name();
        if name == "pub-id" {
            pub_id(cursor, &part, ids)?;
            continue;
        }
        let is_name = matches!(name, "name" | "string-name");
        let is_inline = matches!(
            name,
            "italic" | "bold" | "sup" | "sub" | "underline" | "sc" | "xref" | "monospace"
        );
        let parted = spaced && !is_inline;
        if parted {
            builder.space();
        }
        if is_name || name == "person-group" {
            citation_parts(cursor, spaced || is_name, builder, ids)?;
        } else {
            cursor.read_into(builder, |_| Style::Inline)?;
        }
        if parted {
            builder.space();
        }
    }
    Ok(())
}

fn pub_id<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    ids: &mut Vec<OtherId>,
) -> Result<(), Flaw> {
    let kind = element
        .attribute("pub-id-type")?
        .unwrap_or_else(|| "unknown".to_owned());
    let value = cursor.some_text()?;
    let (kind, value) = match kind.as_str() {
        "pmid" => ("pubmed".to_owned(), value),
        "pmc" | "pmcid" => ("pmc".to_owned(), value.map(|value| front::pmc_id(&value))),
        _ => (kind, value),
    };
    add_id(ids, kind, value, true);
    Ok(())
}
