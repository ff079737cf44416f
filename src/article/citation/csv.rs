//! Rows of a table (RFC 4180).

use super::parts::{abstract_text, authors, identifier, line, page_range, pmid};
use crate::article::{Article, Author};

const COLUMNS: [&str; 18] = [
    "id",
    "pmid",
    "doi",
    "pmc",
    "title",
    "authors",
    "journal",
    "year",
    "published",
    "volume",
    "issue",
    "pages",
    "publication_types",
    "languages",
    "mesh",
    "retracted",
    "source",
    "abstract",
];

/// The head of the table, with its line end.
pub fn csv_head() -> String {
    row(COLUMNS.iter().map(|name| (*name).to_owned()))
}

/// An article as a row, with its line end; lists have semicolons between their
/// values. Values stand as they are, so that programs get what is there: a
/// spreadsheet is to import them as text.
pub fn csv_row(article: &Article) -> String {
    let journal = article.journal.as_ref();
    let list = |values: Vec<String>| values.join("; ");
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    row([
        article.id.as_str().to_owned(),
        text(pmid(article)),
        text(identifier(article, "doi")),
        text(identifier(article, "pmc")),
        line(&article.display_title().plain),
        list(authors(article).map(Author::display).collect()),
        text(journal.map(|journal| journal.short_title())),
        article
            .year()
            .map_or(String::new(), |year| year.to_string()),
        article
            .published
            .as_ref()
            .map_or(String::new(), ToString::to_string),
        text(journal.and_then(|journal| journal.volume.as_deref())),
        text(journal.and_then(|journal| journal.issue.as_deref())),
        page_range(article).unwrap_or_default(),
        list(
            article
                .publication_types
                .iter()
                .map(|kind| kind.name.clone())
                .collect(),
        ),
        list(article.languages.clone()),
        list(
            article
                .mesh
                .iter()
                .map(|heading| heading.descriptor.name.clone())
                .collect(),
        ),
        article.is_retracted().to_string(),
        super::plain::source(article),
        abstract_text(article.display_abstract().0),
    ])
}

fn row(values: impl IntoIterator<Item = String>) -> String {
    let values = values.into_iter().map(|value| {
        if value.contains(['"', ',', '\r', '\n']) || value.trim() != value {
            format!("\"{}\"", value.replace('"', "\"\""))
        } else {
            value
        }
    });
    let mut row = values.collect::<Vec<_>>().join(",");
    row.push_str("\r\n");
    row
}
