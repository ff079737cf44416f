//! Names of people.

use super::{Documents, Evaluator};
use crate::keyword::analysis::{exact_value, name_words};
use crate::keyword::document::person_value;
use crate::query::pubmed::Field;
use tantivy::Term;

impl Evaluator<'_> {
    /// Documents with a person. As in PubMed, a family name finds every
    /// person of that name, and an initial those who have more of them; in
    /// quotation marks the name must be as it is written.
    pub(super) fn people(
        &mut self,
        field: Field,
        text: &str,
        quoted: bool,
    ) -> tantivy::Result<Documents> {
        let tagged = self.fields().tagged;
        let mut found = Documents::new();
        for value in looked_up(field, text) {
            if text.ends_with('*') {
                found |= self.prefix(tagged, &value)?;
                continue;
            }
            found |= self.term(&Term::from_field_text(tagged, &value))?;
            if !quoted {
                found |= self.prefix(tagged, &continued(&value))?;
            }
        }
        Ok(found)
    }
}

/// The values behind their tag: with the initials at the end in one word, as
/// short names have them (`smith ja`), and as they stand, as full names do
/// (`smith john a b`).
fn looked_up(field: Field, text: &str) -> Vec<String> {
    let value = |name: &str| format!("{}:{}", field.tag(), exact_value(name));
    let mut values = vec![
        value(&person_value(text)),
        value(&name_words(text).join(" ")),
    ];
    values.dedup();
    values
}

/// How names begin that go on after this one: with further initials behind an
/// initial, with another word behind a name.
fn continued(value: &str) -> String {
    let initials = value.rsplit_once(' ').map(|(_, last)| last.chars().count());
    match initials {
        Some(1..=2) => value.to_owned(),
        _ => format!("{value} "),
    }
}

/// How the names of an author begin, for a look at whether there are any.
pub(super) fn author_prefix(text: &str) -> String {
    format!(
        "{}:{}",
        Field::Author.tag(),
        exact_value(&person_value(text))
    )
}
