//! `PubmedData`: history, identifiers, references; and which of the DTD's
//! places an event or an identifier has.

use super::date;
use crate::article::{Article, ArticleKind, HistoryDate, OtherId, Reference};
use crate::xml::XmlWriter;
use serde_json::Value;

/// `PubmedData`.
pub(super) fn of_article(xml: &mut XmlWriter, article: &Article) {
    xml.inside("PubmedData", &[], |xml| {
        around(xml, article);
        references(xml, &article.references);
    });
}

/// `PubmedBookData`, which has no references.
pub(super) fn of_book(xml: &mut XmlWriter, article: &Article) {
    xml.inside("PubmedBookData", &[], |xml| around(xml, article));
}

fn around(xml: &mut XmlWriter, article: &Article) {
    history(xml, article);
    xml.optional("PublicationStatus", article.publication_status.as_ref());
    xml.inside("ArticleIdList", &[], |xml| {
        xml.leaf_with(
            "ArticleId",
            &[("IdType", Some("pubmed"))],
            article.id.as_str(),
        );
        for id in article
            .other_ids
            .iter()
            .filter(|id| id.valid && !is_of_library(id))
        {
            article_id(xml, id);
        }
    });
    objects(xml, article);
}

/// Element of an event that is about the record, where it has one.
pub(super) fn record_date(event: &HistoryDate) -> Option<&'static str> {
    match event.event.as_str() {
        "completed" if date::is_day(event) => Some("DateCompleted"),
        "last-revised" if date::is_day(event) => Some("DateRevised"),
        _ => None,
    }
}

/// Whether an event is the day of the electronic edition.
pub(super) fn is_article_date(event: &HistoryDate) -> bool {
    event.event == "electronic" && date::is_day(event)
}

/// Element of an event of a book.
pub(super) fn book_date(event: &HistoryDate) -> Option<&'static str> {
    match event.event.as_str() {
        "contribution" if date::is_day(event) => Some("ContributionDate"),
        "last-revised" if date::is_day(event) => Some("DateRevised"),
        _ => None,
    }
}

fn history(xml: &mut XmlWriter, article: &Article) {
    let stands_elsewhere = |event: &HistoryDate| match article.kind {
        ArticleKind::Book => book_date(event).is_some(),
        _ => record_date(event).is_some() || is_article_date(event),
    };
    let rest = article
        .history
        .iter()
        .filter(|event| !stands_elsewhere(event));
    let rest: Vec<&HistoryDate> = rest.collect();
    if rest.is_empty() {
        return;
    }
    xml.inside("History", &[], |xml| {
        for event in rest {
            date::named_event(xml, event);
        }
    });
}

/// Identifiers of other libraries are named in capitals (`NASA`, `KIE`).
fn is_of_library(id: &OtherId) -> bool {
    id.kind.is_empty() || id.kind.chars().any(char::is_uppercase)
}

/// `ELocationID`: the DOI and the publisher's number before any other
/// identifier, and whatever is marked as wrong, which no other place can say.
pub(super) fn electronic(xml: &mut XmlWriter, article: &Article) {
    let mut leading = true;
    for id in &article.other_ids {
        leading &= !id.valid || matches!(id.kind.as_str(), "doi" | "pii");
        if leading || !id.valid {
            let valid = super::yes_or_no(id.valid);
            let attributes = [("EIdType", Some(id.kind.as_str())), ("ValidYN", valid)];
            xml.leaf_with("ELocationID", &attributes, &id.value);
        }
    }
}

/// `OtherID`.
pub(super) fn other_ids(xml: &mut XmlWriter, article: &Article) {
    for id in article
        .other_ids
        .iter()
        .filter(|id| id.valid && is_of_library(id))
    {
        xml.leaf_with("OtherID", &[("Source", Some(&id.kind))], &id.value);
    }
}

/// `ArticleId`.
pub(super) fn article_id(xml: &mut XmlWriter, id: &OtherId) {
    xml.leaf_with("ArticleId", &[("IdType", Some(&id.kind))], &id.value);
}

/// `ReferenceList`: one for each run of references under the same heading.
pub(super) fn references(xml: &mut XmlWriter, references: &[Reference]) {
    for run in references.chunk_by(|one, next| one.list_title == next.list_title) {
        xml.inside("ReferenceList", &[], |xml| {
            xml.optional(
                "Title",
                run.first().and_then(|first| first.list_title.as_ref()),
            );
            for reference in run {
                xml.inside("Reference", &[], |xml| {
                    xml.leaf("Citation", &reference.citation);
                    super::subject::list(xml, "ArticleIdList", &reference.ids, article_id);
                });
            }
        });
    }
}

/// `ObjectList`: each object has a type and named parameters.
fn objects(xml: &mut XmlWriter, article: &Article) {
    let Some(Value::Array(objects)) = article.metadata.get("objects") else {
        return;
    };
    super::subject::list(xml, "ObjectList", objects, |xml, object| {
        let kind = object["type"].as_str();
        xml.inside("Object", &[("Type", kind)], |xml| {
            for (name, value) in object.as_object().into_iter().flatten() {
                if let (true, Some(value)) = (name != "type", value.as_str()) {
                    xml.leaf_with("Param", &[("Name", Some(name))], value);
                }
            }
        });
    });
}
