//! `Journal` and `MedlineJournalInfo`.

use super::date;
use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::Journal;

/// `Journal`: title, ISSN, issue and date of the issue.
pub(super) fn read(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        let journal = record.journal.get_or_insert_with(Journal::default);
        match element.name() {
            "ISSN" => {
                journal.issn_type = element.attribute("IssnType")?;
                journal.issn = cursor.some_text()?;
            }
            "JournalIssue" => issue(cursor, record, &element)?,
            "Title" => journal.title = cursor.text()?,
            "ISOAbbreviation" => journal.iso_abbreviation = cursor.some_text()?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

fn issue<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    let journal = record.journal.get_or_insert_with(Journal::default);
    journal.cited_medium = element.attribute("CitedMedium")?;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Volume" => journal.volume = cursor.some_text()?,
            "Issue" => journal.issue = cursor.some_text()?,
            "PubDate" => record.published = date::read(cursor)?.publication(),
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `MedlineJournalInfo`: NLM's own names and numbers of the journal.
pub(super) fn medline_info(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    let journal = record.journal.get_or_insert_with(Journal::default);
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Country" => journal.country = cursor.some_text()?,
            "MedlineTA" => journal.medline_abbreviation = cursor.some_text()?,
            "NlmUniqueID" => journal.nlm_id = cursor.some_text()?,
            "ISSNLinking" => journal.issn_linking = cursor.some_text()?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}
