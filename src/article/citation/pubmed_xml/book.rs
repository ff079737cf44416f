//! `PubmedBookArticle`: books of the NCBI Bookshelf and their chapters.

use super::{article, data, date, metadata, people, pmid, subject};
use crate::article::{Article, Book, OtherId};
use crate::xml::{Attribute, XmlWriter};
use serde_json::Value;

/// What a place in a book may be called.
const PLACES: [&str; 7] = [
    "part", "chapter", "section", "appendix", "figure", "table", "box",
];

pub(super) fn write(xml: &mut XmlWriter, record: &Article) {
    let none = Book::default();
    let book = record.book.as_ref().unwrap_or(&none);
    xml.inside("PubmedBookArticle", &[], |xml| {
        xml.inside("BookDocument", &[], |xml| {
            pmid(xml, record);
            let valid = record.other_ids.iter().filter(|id| id.valid);
            let ids: Vec<&OtherId> = valid.collect();
            subject::list(xml, "ArticleIdList", &ids, |xml, id| {
                data::article_id(xml, id)
            });
            if record.book.is_some() || record.published.is_some() {
                of_book(xml, record, book);
            }
            for place in &book.location {
                location(xml, place);
            }
            document(xml, record, book);
        });
        data::of_book(xml, record);
    });
}

/// Whether the record is about the book itself.
fn is_whole(record: &Article) -> bool {
    record.title.is_empty()
}

fn of_book(xml: &mut XmlWriter, record: &Article, book: &Book) {
    xml.inside("Book", &[], |xml| {
        if book.publisher.is_some() || book.place.is_some() {
            xml.inside("Publisher", &[], |xml| {
                xml.optional("PublisherName", book.publisher.as_ref());
                xml.optional("PublisherLocation", book.place.as_ref());
            });
        }
        let places = places(record, is_whole(record));
        xml.rich("BookTitle", &places, &book.title);
        date::publication(xml, "PubDate", record.published.as_ref());
        date::publication(xml, "BeginningDate", book.beginning.as_ref());
        date::publication(xml, "EndingDate", book.ending.as_ref());
        people::editors(xml, record);
        if is_whole(record) {
            people::authors(xml, record);
        }
        xml.optional("Volume", book.volume.as_ref());
        xml.optional("VolumeTitle", book.volume_title.as_ref());
        xml.optional("Edition", book.edition.as_ref());
        xml.optional("CollectionTitle", book.collection_title.as_ref());
        for number in &book.isbn {
            xml.leaf("Isbn", number);
        }
        for id in record.other_ids.iter().filter(|id| !id.valid) {
            let attributes = [("EIdType", Some(id.kind.as_str())), ("ValidYN", Some("N"))];
            xml.leaf_with("ELocationID", &attributes, &id.value);
        }
        xml.optional("Medium", book.medium.as_ref());
        xml.optional("ReportNumber", book.report_number.as_ref());
    });
}

/// Where the Bookshelf has it.
fn places(record: &Article, here: bool) -> [Attribute<'_>; 3] {
    ["book", "part", "sec"].map(|key| (key, metadata(record, key).filter(|_| here)))
}

fn location(xml: &mut XmlWriter, place: &str) {
    let typed = place
        .split_once(' ')
        .filter(|(kind, _)| PLACES.contains(kind));
    match typed {
        Some((kind, text)) => xml.leaf_with("LocationLabel", &[("Type", Some(kind))], text),
        None => xml.leaf("LocationLabel", place),
    }
}

fn document(xml: &mut XmlWriter, record: &Article, book: &Book) {
    if !is_whole(record) {
        xml.rich("ArticleTitle", &places(record, true), &record.title);
    }
    if !record.vernacular_title.is_empty() {
        xml.rich("VernacularTitle", &[], &record.vernacular_title);
    }
    article::pages(xml, record.pages.as_ref());
    for language in &record.languages {
        xml.leaf("Language", language);
    }
    // A record without a book has its people here.
    let has_book = record.book.is_some() || record.published.is_some();
    if !has_book {
        people::editors(xml, record);
    }
    if !has_book || !is_whole(record) {
        people::authors(xml, record);
    }
    people::investigators(xml, &record.investigators);
    for kind in &record.publication_types {
        subject::term(xml, "PublicationType", kind);
    }
    subject::main_abstract(xml, record);
    subject::list(xml, "Sections", &book.section_titles, |xml, title| {
        xml.inside("Section", &[], |xml| xml.leaf("SectionTitle", title));
    });
    subject::keywords(xml, &record.keywords);
    for event in &record.history {
        if let Some(name) = data::book_date(event) {
            date::event(xml, name, &[], event);
        }
    }
    subject::grants(xml, record);
    items(xml, record);
    data::references(xml, &record.references);
}

/// `ItemList`, such as the synonyms of a disease.
fn items(xml: &mut XmlWriter, record: &Article) {
    let Some(Value::Object(lists)) = record.metadata.get("item_lists") else {
        return;
    };
    for (name, items) in lists {
        xml.inside("ItemList", &[("ListType", Some(name))], |xml| {
            for item in items.as_array().into_iter().flatten() {
                xml.leaf("Item", item.as_str().unwrap_or_default());
            }
        });
    }
}
