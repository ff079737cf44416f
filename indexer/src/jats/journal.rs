//! `journal-meta`.

use super::text;
use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::Journal;
use serde_json::Value;

pub(super) fn read(cursor: &mut Cursor<'_>, article: &mut Article) -> Result<(), Flaw> {
    let mut journal = article.journal.take().unwrap_or_default();
    journal_parts(cursor, &mut journal, article)?;
    article.journal = Some(journal);
    Ok(())
}

fn journal_parts(
    cursor: &mut Cursor<'_>,
    journal: &mut Journal,
    article: &mut Article,
) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "journal-title-group" | "publisher" => journal_parts(cursor, journal, article)?,
            "journal-id" => match element.attribute("journal-id-type")?.as_deref() {
                Some("nlm-ta") => journal.medline_abbreviation = cursor.some_text()?,
                Some("iso-abbrev") => journal.iso_abbreviation = cursor.some_text()?,
                Some("nlm-journal-id") => journal.nlm_id = cursor.some_text()?,
                _ => cursor.skip()?,
            },
            "journal-title" => journal.title = text(cursor)?.unwrap_or_default(),
            "abbrev-journal-title" if journal.iso_abbreviation.is_none() => {
                journal.iso_abbreviation = text(cursor)?;
            }
            "issn" => issn(cursor, &element, journal)?,
            "issn-l" => journal.issn_linking = cursor.some_text()?,
            "publisher-name" => {
                if let Some(name) = text(cursor)? {
                    article
                        .metadata
                        .insert("publisher".to_owned(), Value::String(name));
                }
            }
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

/// The print ISSN where there is one, since there is place for one.
fn issn<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    journal: &mut Journal,
) -> Result<(), Flaw> {
    let kind = match element.attribute("pub-type")? {
        Some(kind) => Some(kind),
        None => element.attribute("publication-format")?,
    };
    let is_print = matches!(kind.as_deref(), Some("ppub" | "print"));
    let value = cursor.some_text()?;
    if value.is_some() && (journal.issn.is_none() || is_print) {
        journal.issn = value;
        journal.issn_type = kind.map(|_| if is_print { "Print" } else { "Electronic" }.to_owned());
    }
    Ok(())
}
