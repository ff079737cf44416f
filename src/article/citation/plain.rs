//! A reference as a text to paste.

use super::parts::{authors, identifier, line, page_range, pmid};
use crate::article::{Article, Author};

/// Authors that are named before `et al.`
const NAMED: usize = 6;

/// In the manner of NLM's *Citing Medicine*: authors, title, journal, date,
/// volume, issue, pages and identifiers.
pub fn plain(article: &Article) -> String {
    let mut parts: Vec<String> = Vec::new();
    let names: Vec<String> = authors(article).map(Author::display).collect();
    let mut named: Vec<String> = names.iter().take(NAMED).map(|name| line(name)).collect();
    if names.len() > NAMED || !article.authors_complete {
        named.push("et al".to_owned());
    }
    parts.push(ended(&named.join(", ")));
    parts.push(ended(&line(&article.display_title().plain)));
    parts.push(ended(&source(article)));
    if let Some(doi) = identifier(article, "doi") {
        parts.push(format!("doi: {doi}."));
    }
    if let Some(pmid) = pmid(article) {
        parts.push(format!("PMID: {pmid}."));
    }
    if let Some(pmc) = identifier(article, "pmc") {
        parts.push(format!("PMCID: {pmc}."));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// Where an article was published: `J Samples. 2023 Dec 4;12(3):123-9`.
pub fn source(article: &Article) -> String {
    let mut text = match (&article.journal, &article.book) {
        (Some(journal), _) => ended(&line(journal.short_title())),
        (None, Some(book)) => {
            let parts = [&book.place, &book.publisher].into_iter().flatten();
            let publisher: Vec<String> = parts.map(|part| line(part)).collect();
            let title = if article.title.is_empty() {
                String::new()
            } else {
                format!("In: {}", ended(&line(&book.title.plain)))
            };
            format!("{title} {}", ended(&publisher.join(": ")))
        }
        (None, None) => String::new(),
    };
    if let Some(date) = &article.published {
        text.push_str(&format!(" {date}"));
    }
    let journal = article.journal.as_ref();
    let volume = journal.and_then(|journal| journal.volume.as_deref());
    let issue = journal.and_then(|journal| journal.issue.as_deref());
    if volume.is_some() || issue.is_some() {
        text.push(';');
        text.push_str(volume.unwrap_or_default());
    }
    if let Some(issue) = issue {
        text.push_str(&format!("({issue})"));
    }
    if let Some(pages) = page_range(article) {
        text.push_str(&format!(":{pages}"));
    }
    line(&text)
}

/// With a full stop, unless it ends with a mark already.
fn ended(text: &str) -> String {
    if text.is_empty() || text.ends_with(['.', '?', '!']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}
