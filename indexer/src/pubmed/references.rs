//! `ReferenceList`: what an article cites.

use super::ids;
use crate::xml::{Cursor, Flaw};
use medsift::article::Reference;

/// Reads a list of references and the lists in it, each under its own title.
pub(super) fn list(
    cursor: &mut Cursor<'_>,
    outer: Option<&str>,
    references: &mut Vec<Reference>,
) -> Result<(), Flaw> {
    let mut title = outer.map(str::to_owned);
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Title" => title = cursor.some_text()?.or(title),
            "Reference" => {
                let mut reference = one(cursor)?;
                if reference != Reference::default() {
                    reference.list_title.clone_from(&title);
                    references.push(reference);
                }
            }
            "ReferenceList" => list(cursor, title.as_deref(), references)?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

fn one(cursor: &mut Cursor<'_>) -> Result<Reference, Flaw> {
    let mut reference = Reference::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Citation" => reference.citation = cursor.text()?,
            "ArticleIdList" => ids::list(cursor, &mut reference.ids)?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(reference)
}
