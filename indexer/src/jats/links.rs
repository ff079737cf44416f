//! Funding and related articles.

use super::text;
use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{CorrectionKind, Grant, Link};

pub(super) fn funding(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        if element.name() != "award-group" {
            cursor.skip()?;
            continue;
        }
        let mut agency = None;
        let mut ids = Vec::new();
        while let Some(element) = cursor.child()? {
            match element.name() {
                "funding-source" => agency = text(cursor)?,
                "award-id" => ids.extend(text(cursor)?),
                _ => cursor.skip()?,
            }
        }
        let grant = |id| Grant {
            id,
            agency: agency.clone(),
            ..Grant::default()
        };
        if ids.is_empty() && agency.is_some() {
            article.grants.push(grant(None));
        }
        article
            .grants
            .extend(ids.into_iter().map(|id| grant(Some(id))));
    }
    Ok(())
}

pub(super) fn related<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    article: &mut Article,
) -> Result<(), Flaw> {
    let kind = match element.attribute("related-article-type")?.as_deref() {
        Some("corrected-article") => CorrectionKind::ErratumFor,
        Some("correction-forward") => CorrectionKind::ErratumIn,
        Some("retracted-article") => CorrectionKind::RetractionOf,
        Some("retraction-forward") => CorrectionKind::RetractionIn,
        Some("commentary-article") => CorrectionKind::CommentOn,
        Some("commentary") => CorrectionKind::CommentIn,
        Some("update") => CorrectionKind::UpdateIn,
        other => CorrectionKind::Other(other.unwrap_or("related").to_owned()),
    };
    let target = element.attribute("xlink:href")?.unwrap_or_default();
    let link_type = element.attribute("ext-link-type")?;
    let words = text(cursor)?.unwrap_or_default();
    let is_pmid = matches!(link_type.as_deref(), Some("pubmed" | "pmid"));
    let source = match words.is_empty() {
        true => target.clone(),
        false => words,
    };
    article.links.push(Link {
        kind,
        source,
        pmid: is_pmid.then_some(target),
        note: None,
    });
    Ok(())
}
