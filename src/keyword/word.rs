//! What the words of a plain query are looked up as, for showing it.

use super::plan::{Group, Lookup};
use super::schema::Fields;
use serde::Serialize;
use tantivy::schema::Field;

/// A word of a plain query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueryWord {
    /// As the query has it.
    pub text: String,
    /// What it is looked up as, the best of which counts: stems, the word as
    /// it is written, the parts of a compound; a name with its field behind it.
    pub forms: Vec<String>,
}

impl QueryWord {
    pub(super) fn of(group: &Group, fields: &Fields) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for lookups in &group.alternatives {
            let form = form(lookups, fields);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        Self {
            text: group.written.clone(),
            forms,
        }
    }
}

/// The terms of one alternative. Those of titles repeat those of the text.
fn form(lookups: &[Lookup], fields: &Fields) -> String {
    let shown = lookups
        .iter()
        .filter(|lookup| lookup.term.field() != fields.title);
    let terms: Vec<String> = shown
        .map(|Lookup { term, .. }| {
            let text = term.value().as_str().unwrap_or_default().to_owned();
            match tag(term.field(), fields) {
                Some(tag) => format!("{text}[{tag}]"),
                None => text,
            }
        })
        .collect();
    terms.join(" ")
}

/// The tag of a field that is not the text.
fn tag(field: Field, fields: &Fields) -> Option<&'static str> {
    match field {
        field if field == fields.authors => Some("Author"),
        field if field == fields.journal => Some("Journal"),
        field if field == fields.ids => Some("Article Identifier"),
        _ => None,
    }
}
