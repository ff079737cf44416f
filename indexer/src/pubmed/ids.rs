//! Identifiers of an article.

use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::OtherId;

/// `ArticleIdList`.
pub(super) fn list(cursor: &mut Cursor<'_>, ids: &mut Vec<OtherId>) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "ArticleId" => {
                // `pubmed` is the DTD's default.
                let kind = element.attribute("IdType")?.unwrap_or("pubmed".to_owned());
                add(ids, kind, cursor.some_text()?, true);
            }
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `ELocationID`.
pub(super) fn electronic<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    let kind = element.attribute("EIdType")?.unwrap_or_default();
    let valid = element.is_yes("ValidYN", true)?;
    add(&mut record.other_ids, kind, cursor.some_text()?, valid);
    Ok(())
}

/// `OtherID`.
pub(super) fn other<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    let kind = element.attribute("Source")?.unwrap_or_default();
    add(&mut record.other_ids, kind, cursor.some_text()?, true);
    Ok(())
}

/// Adds an identifier unless it is there: a DOI stands in two places.
pub(crate) fn add(ids: &mut Vec<OtherId>, kind: String, value: Option<String>, valid: bool) {
    let Some(value) = value else {
        return;
    };
    match ids
        .iter_mut()
        .find(|id| id.kind == kind && id.value == value)
    {
        // Where the two disagree, the mark that something is wrong stays.
        Some(known) => known.valid &= valid,
        None => ids.push(OtherId { kind, value, valid }),
    }
}
