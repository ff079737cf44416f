//! `BookDocument`: books of the NCBI Bookshelf and their chapters.

use super::{Draft, abstracts, article, date, funding, ids, person, pmid, references, subject};
use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::Book;
use serde_json::Value;

pub(super) fn read(cursor: &mut Cursor<'_>, draft: &mut Draft) -> Result<(), Flaw> {
    let record = &mut draft.article;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "PMID" if draft.id.is_none() => {
                let (id, version) = pmid(cursor, &element)?;
                record.version = version.unwrap_or(1);
                draft.id = Some(id);
            }
            "ArticleIdList" => ids::list(cursor, &mut record.other_ids)?,
            "Book" => book(cursor, record)?,
            "LocationLabel" => {
                let label = label(cursor, &element)?;
                record
                    .book
                    .get_or_insert_with(Book::default)
                    .location
                    .extend(label);
            }
            "ArticleTitle" => {
                locators(record, &element)?;
                record.title = cursor.rich()?;
            }
            "VernacularTitle" => record.vernacular_title = cursor.rich()?,
            "Pagination" => article::pagination(cursor, record)?,
            "Language" => record.languages.extend(cursor.some_text()?),
            "AuthorList" => person::authors(cursor, record, &element)?,
            "InvestigatorList" => person::named_people(cursor, &mut record.investigators)?,
            "PublicationType" => subject::publication_type(cursor, record, &element)?,
            "Abstract" => abstracts::main(cursor, record)?,
            "OtherAbstract" => abstracts::other(cursor, record, &element)?,
            "Sections" => {
                let book = record.book.get_or_insert_with(Book::default);
                sections(cursor, &mut book.section_titles)?;
            }
            "KeywordList" => subject::keywords(cursor, record, &element)?,
            "ContributionDate" => date::history(cursor, record, "contribution")?,
            "DateRevised" => date::history(cursor, record, "last-revised")?,
            "GrantList" => funding::grants(cursor, record, &element)?,
            "ItemList" => items(cursor, record, &element)?,
            "ReferenceList" => references::list(cursor, None, &mut record.references)?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

fn book(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    let mut book = record.book.take().unwrap_or_default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Publisher" => publisher(cursor, &mut book)?,
            "BookTitle" => {
                locators(record, &element)?;
                book.title = cursor.rich()?;
            }
            "PubDate" => record.published = date::read(cursor)?.publication(),
            "BeginningDate" => book.beginning = date::read(cursor)?.publication(),
            "EndingDate" => book.ending = date::read(cursor)?.publication(),
            "AuthorList" => person::authors(cursor, record, &element)?,
            "InvestigatorList" => person::named_people(cursor, &mut record.investigators)?,
            "Volume" => book.volume = cursor.some_text()?,
            "VolumeTitle" => book.volume_title = cursor.some_text()?,
            "Edition" => book.edition = cursor.some_text()?,
            "CollectionTitle" => book.collection_title = cursor.some_text()?,
            "Isbn" => book.isbn.extend(cursor.some_text()?),
            "ELocationID" => ids::electronic(cursor, record, &element)?,
            "Medium" => book.medium = cursor.some_text()?,
            "ReportNumber" => book.report_number = cursor.some_text()?,
            _ => cursor.leftover(&element)?,
        }
    }
    record.book = Some(book);
    Ok(())
}

fn publisher(cursor: &mut Cursor<'_>, book: &mut Book) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "PublisherName" => book.publisher = cursor.some_text()?,
            "PublisherLocation" => book.place = cursor.some_text()?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `chapter 3`
fn label<'a>(cursor: &mut Cursor<'a>, element: &Element<'a>) -> Result<Option<String>, Flaw> {
    let kind = element.attribute("Type")?;
    let text = cursor.some_text()?;
    Ok(match (kind, text) {
        (Some(kind), Some(text)) => Some(format!("{kind} {text}")),
        (_, text) => text,
    })
}

/// Names of the book, part and section on the Bookshelf.
fn locators(record: &mut Article, element: &Element<'_>) -> Result<(), Flaw> {
    for attribute in ["book", "part", "sec"] {
        if let Some(value) = element.attribute(attribute)? {
            record
                .metadata
                .insert(attribute.to_owned(), Value::String(value));
        }
    }
    Ok(())
}

/// Titles of sections, outer before inner, each behind its label.
fn sections(cursor: &mut Cursor<'_>, titles: &mut Vec<String>) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        if element.name() != "Section" {
            cursor.leftover(&element)?;
            continue;
        }
        section(cursor, titles)?;
    }
    Ok(())
}

fn section(cursor: &mut Cursor<'_>, titles: &mut Vec<String>) -> Result<(), Flaw> {
    let mut label_text: Option<String> = None;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "LocationLabel" => label_text = label(cursor, &element)?,
            "SectionTitle" => {
                let parts = [label_text.take(), cursor.some_text()?];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                if !parts.is_empty() {
                    titles.push(parts.join(": "));
                }
            }
            "Section" => section(cursor, titles)?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `ItemList`, such as the synonyms of a disease.
fn items<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    list: &Element<'a>,
) -> Result<(), Flaw> {
    let name = list
        .attribute("ListType")?
        .unwrap_or_else(|| "items".to_owned());
    let mut items = Vec::new();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Item" => items.extend(cursor.some_text()?.map(Value::String)),
            _ => cursor.leftover(&element)?,
        }
    }
    if !items.is_empty() {
        let lists = record.metadata.entry("item_lists".to_owned());
        if let Value::Object(lists) = lists.or_insert_with(|| Value::Object(Default::default()))
            && let Value::Array(known) = lists
                .entry(name)
                .or_insert_with(|| Value::Array(Vec::new()))
        {
            known.extend(items);
        }
    }
    Ok(())
}
