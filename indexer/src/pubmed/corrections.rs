//! `CommentsCorrections`: comments, errata, retractions, other versions.

use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{CorrectionKind, Link};

/// `CommentsCorrectionsList`.
pub(super) fn list(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "CommentsCorrections" => one(cursor, record, &element)?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `CommentsCorrections`: one link with its `RefType`, or, until 2009, any
/// number of elements that are named by their type.
pub(super) fn one<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    let kind = element.attribute("RefType")?;
    let mut link = Parts::default();
    while let Some(element) = cursor.child()? {
        if link.part(cursor, &element)? {
            continue;
        }
        let mut named = Parts::default();
        while let Some(part) = cursor.child()? {
            if !named.part(cursor, &part)? {
                cursor.leftover(&part)?;
            }
        }
        record.links.extend(named.link(element.name()));
    }
    record
        .links
        .extend(link.link(kind.as_deref().unwrap_or_default()));
    Ok(())
}

#[derive(Default)]
struct Parts {
    source: String,
    pmid: Option<String>,
    note: Option<String>,
}

impl Parts {
    /// Reads an element, if it is a part of a link.
    fn part(&mut self, cursor: &mut Cursor<'_>, element: &Element<'_>) -> Result<bool, Flaw> {
        match element.name() {
            "RefSource" => self.source = cursor.text()?,
            "PMID" => self.pmid = cursor.some_text()?,
            "Note" => self.note = cursor.some_text()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn link(self, kind: &str) -> Option<Link> {
        let is_empty = self.source.is_empty() && self.pmid.is_none() && self.note.is_none();
        (!is_empty).then(|| Link {
            kind: kind_of(kind),
            source: self.source,
            pmid: self.pmid,
            note: self.note,
        })
    }
}

/// The kinds by name; thousands of `Cites` make this a hot path.
fn kind_of(name: &str) -> CorrectionKind {
    match name {
        "Cites" => CorrectionKind::Cites,
        _ => CorrectionKind::parse(name),
    }
}
