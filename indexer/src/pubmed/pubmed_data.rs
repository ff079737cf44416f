//! `PubmedData` and `PubmedBookData`: what PubMed adds to a citation.

use super::{Draft, date, ids, references};
use crate::xml::{Cursor, Flaw};
use medsift::Article;
use serde_json::{Map, Value};

pub(super) fn read(cursor: &mut Cursor<'_>, draft: &mut Draft) -> Result<(), Flaw> {
    let record = &mut draft.article;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "History" => history(cursor, record)?,
            "PublicationStatus" => record.publication_status = cursor.some_text()?,
            "ArticleIdList" => ids::list(cursor, &mut record.other_ids)?,
            "ReferenceList" => references::list(cursor, None, &mut record.references)?,
            "ObjectList" => objects(cursor, record)?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

fn history(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "PubMedPubDate" => {
                let event = element.attribute("PubStatus")?;
                date::history(cursor, record, event.as_deref().unwrap_or("unknown"))?;
            }
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `ObjectList`: related objects, each with a type and named parameters.
fn objects(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    let mut objects = Vec::new();
    while let Some(element) = cursor.child()? {
        if element.name() != "Object" {
            cursor.leftover(&element)?;
            continue;
        }
        let mut object = Map::new();
        if let Some(kind) = element.attribute("Type")? {
            object.insert("type".to_owned(), Value::String(kind));
        }
        while let Some(element) = cursor.child()? {
            match element.name() {
                "Param" => {
                    let name = element.attribute("Name")?.unwrap_or_default();
                    object.insert(name, Value::String(cursor.text()?));
                }
                _ => cursor.leftover(&element)?,
            }
        }
        objects.push(Value::Object(object));
    }
    if !objects.is_empty() {
        record
            .metadata
            .insert("objects".to_owned(), Value::Array(objects));
    }
    Ok(())
}
