use super::super::html::Html;
use super::super::language;
use medsift::article::{Article, Grant, Note, OtherId};
use medsift::index::StoredArticle;

/// Statements, dates and everything else that a record carries.
pub(super) fn write(html: &mut Html, stored: &StoredArticle) {
    let article = &stored.article;
    if let Some(statement) = &article.conflict_of_interest {
        html.raw("<section class=\"links\"><h2>Conflict of interest</h2>");
        html.leaf("p", &[], statement).raw("</section>");
    }
    html.element("details", &[("class", "record")], |html| {
        html.raw("<summary>Record</summary><dl>");
        publication(html, article);
        book(html, article);
        for grant in &article.grants {
            row(html, "Grant", &grant_in_words(grant));
        }
        dates(html, article);
        for id in &article.other_ids {
            row(html, "Identifier", &id_in_words(id));
        }
        for note in &article.notes {
            row(html, "Note", &note_in_words(note));
        }
        for (name, value) in &article.metadata {
            row(html, name, &metadata_in_words(value));
        }
        row(html, "Source file", &stored.source);
        html.raw("</dl>");
        let address = format!(
            "/v1{}",
            super::super::citation::article_address(article.id.as_str(), "")
        );
        html.element("p", &[], |html| {
            html.leaf("a", &[("href", &address)], "The whole record as JSON");
        });
    });
}

fn row(html: &mut Html, name: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    html.element("div", &[], |html| {
        html.leaf("dt", &[], name).leaf("dd", &[], value);
    });
}

fn publication(html: &mut Html, article: &Article) {
    let kinds: Vec<&str> = article
        .publication_types
        .iter()
        .map(|kind| kind.name.as_str())
        .collect();
    row(html, "Publication types", &kinds.join(", "));
    let languages: Vec<String> = article
        .languages
        .iter()
        .map(|code| language::label(code))
        .collect();
    row(html, "Languages", &languages.join(", "));
    if let Some(journal) = &article.journal {
        row(html, "Journal", &journal.title);
        let optional = [
            ("Cited medium", &journal.cited_medium),
            ("ISSN", &journal.issn),
            ("Linking ISSN", &journal.issn_linking),
            ("NLM id", &journal.nlm_id),
            ("Country", &journal.country),
        ];
        for (name, value) in optional {
            row(html, name, value.as_deref().unwrap_or_default());
        }
    }
    let version = if article.version > 1 {
        article.version.to_string()
    } else {
        String::new()
    };
    row(html, "Version", &version);
    let optional = [
        ("Status", &article.status),
        ("Owner", &article.owner),
        ("Indexing method", &article.indexing_method),
        ("Publication status", &article.publication_status),
        ("Publication model", &article.publication_model),
        ("References counted", &article.reference_count),
    ];
    for (name, value) in optional {
        row(html, name, value.as_deref().unwrap_or_default());
    }
    row(
        html,
        "Citation subsets",
        &article.citation_subsets.join(", "),
    );
}

fn book(html: &mut Html, article: &Article) {
    let Some(book) = &article.book else { return };
    row(html, "Book", &book.title.plain);
    let optional = [
        ("Publisher", &book.publisher),
        ("Place", &book.place),
        ("Volume", &book.volume),
        ("Volume title", &book.volume_title),
        ("Edition", &book.edition),
        ("Series", &book.collection_title),
        ("Medium", &book.medium),
        ("Report number", &book.report_number),
    ];
    for (name, value) in optional {
        row(html, name, value.as_deref().unwrap_or_default());
    }
    row(html, "ISBN", &book.isbn.join(", "));
    row(html, "In the book", &book.location.join(", "));
    row(html, "Sections", &book.section_titles.join(" · "));
    let dates = [("Begun", &book.beginning), ("Ended", &book.ending)];
    for (name, date) in dates {
        row(
            html,
            name,
            &date.as_ref().map(ToString::to_string).unwrap_or_default(),
        );
    }
}

fn dates(html: &mut Html, article: &Article) {
    for event in &article.history {
        let time = event.time.as_deref().unwrap_or_default();
        let name = format!("Date: {}", event.event);
        row(html, &name, format!("{} {time}", event.date).trim());
    }
}

fn grant_in_words(grant: &Grant) -> String {
    let parts = [&grant.id, &grant.acronym, &grant.agency, &grant.country];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn note_in_words(note: &Note) -> String {
    match &note.owner {
        Some(owner) => format!("{} ({owner})", note.text),
        None => note.text.clone(),
    }
}

fn id_in_words(id: &OtherId) -> String {
    let doubt = if id.valid { "" } else { " (not valid)" };
    format!("{} {}{doubt}", id.kind, id.value)
}

/// A text without its quotation marks, anything else as JSON.
fn metadata_in_words(value: &serde_json::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
