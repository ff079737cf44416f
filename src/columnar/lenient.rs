//! What other programs write where medsift has lists of structs.

use super::schema::article_fields;
use crate::article::PersonName;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The columns that an article has.
static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    article_fields()
        .iter()
        .map(|field| field.name().clone())
        .collect()
});

/// Those that are lists.
const LISTS: [&str; 8] = [
    "languages",
    "abstract",
    "body",
    "keywords",
    "mesh",
    "publication_types",
    "chemicals",
    "authors",
];

/// Parts the values of a row into the columns of an article, in the form that
/// they have there, and others, which become metadata.
///
/// A text stands for the list that holds it, and for the struct that it would
/// be the main part of: `abstract` may be a text, `authors` a list of names
/// (`Smith JA`), `mesh`, `keywords` and `publication_types` lists of texts. A
/// column `text` is the abstract where there is no other. An `id` may be a
/// number. `name_of` takes the name of a person apart.
pub(super) fn columns(
    row: Map<String, Value>,
    name_of: fn(&str) -> PersonName,
) -> (Map<String, Value>, Map<String, Value>) {
    let (mut known, mut others): (Map<_, _>, Map<_, _>) =
        row.into_iter().partition(|(name, _)| KNOWN.contains(name));
    if !known.contains_key("abstract")
        && let Some(text) = others.remove("text")
    {
        known.insert("abstract".to_owned(), text);
    }
    if let Some(Value::Number(number)) = known.get("id") {
        known.insert("id".to_owned(), number.to_string().into());
    }
    for (name, value) in &mut known {
        let item = |item: Value| match name.as_str() {
            "abstract" | "body" | "keywords" => inner("text", item),
            "mesh" | "publication_types" | "chemicals" => inner("name", item),
            "authors" => author(item, name_of),
            _ => item,
        };
        if !LISTS.contains(&name.as_str()) {
            continue;
        }
        let items = match value.take() {
            Value::Array(items) => items,
            one => vec![one],
        };
        *value = items
            .into_iter()
            .filter(|item| !item.is_null())
            .map(item)
            .collect();
    }
    (known, others)
}

fn inner(name: &str, item: Value) -> Value {
    match item {
        Value::String(text) => json!({ name: text }),
        other => other,
    }
}

fn author(item: Value, name_of: fn(&str) -> PersonName) -> Value {
    match item {
        Value::String(text) => {
            let name = name_of(&text);
            json!({
                "last": name.last, "fore": name.fore,
                "initials": name.initials, "suffix": name.suffix,
            })
        }
        other => other,
    }
}
