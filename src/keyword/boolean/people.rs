//! Names of people.

use super::{Documents, Evaluator};
use crate::keyword::analysis::exact_value;
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
        let (value, truncated) = looked_up(field, text);
        if truncated {
            return self.prefix(tagged, &value);
        }
        let mut found = self.term(&Term::from_field_text(tagged, &value))?;
        if !quoted {
            found |= self.prefix(tagged, &continued(&value))?;
        }
        Ok(found)
    }
}

/// The value behind its tag, and whether an asterisk ends it.
fn looked_up(field: Field, text: &str) -> (String, bool) {
    let name = exact_value(&person_value(text));
    (format!("{}:{name}", field.tag()), text.ends_with('*'))
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
    looked_up(Field::Author, text).0
}
