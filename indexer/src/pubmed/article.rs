//! `Article`: what is printed in the journal.

use super::{abstracts, date, funding, ids, journal, person, subject};
use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{Affiliation, Pages};
use serde_json::Value;

pub(super) fn read<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    record.publication_model = element.attribute("PubModel")?;
    let mut affiliation = None;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Journal" => journal::read(cursor, record)?,
            "ArticleTitle" => record.title = cursor.rich()?,
            "VernacularTitle" => record.vernacular_title = cursor.rich()?,
            "Pagination" => pagination(cursor, record)?,
            "ELocationID" => ids::electronic(cursor, record, &element)?,
            "Abstract" => abstracts::main(cursor, record)?,
            "Affiliation" => affiliation = cursor.some_text()?,
            "AuthorList" => person::authors(cursor, record, &element)?,
            "Language" => record.languages.extend(cursor.some_text()?),
            "DataBankList" => funding::databanks(cursor, record, &element)?,
            "GrantList" => funding::grants(cursor, record, &element)?,
            "PublicationTypeList" => {
                while let Some(element) = cursor.child()? {
                    match element.name() {
                        "PublicationType" => subject::publication_type(cursor, record, &element)?,
                        _ => cursor.leftover(&element)?,
                    }
                }
            }
            "ArticleDate" => {
                let kind = element.attribute("DateType")?;
                let event = kind.map_or("electronic".to_owned(), |kind| kind.to_lowercase());
                date::history(cursor, record, &event)?;
            }
            _ => cursor.leftover(&element)?,
        }
    }
    if let Some(affiliation) = affiliation {
        first_affiliation(record, affiliation);
    }
    Ok(())
}

/// Until 2013 an article had one affiliation, that of its first author.
fn first_affiliation(record: &mut Article, name: String) {
    match record.authors.first_mut() {
        Some(first) => first.affiliations.push(Affiliation {
            name,
            identifiers: Vec::new(),
        }),
        None => {
            let name = Value::String(name);
            record.metadata.insert("affiliation".to_owned(), name);
        }
    }
}

pub(super) fn pagination(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    let pages = record.pages.get_or_insert_with(Pages::default);
    while let Some(element) = cursor.child()? {
        match element.name() {
            "MedlinePgn" => pages.medline = cursor.some_text()?,
            "StartPage" => pages.start = cursor.some_text()?,
            "EndPage" => pages.end = cursor.some_text()?,
            _ => cursor.leftover(&element)?,
        }
    }
    if *pages == Pages::default() {
        record.pages = None;
    }
    Ok(())
}
