//! JSON objects of records, in the form of PubMedQA, as tables.

use crate::error::{Error, ErrorKind, Result};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The column of the records' ids.
const ID: &str = "id";

/// The columns of a file of records, and a row for each: the id, then what each
/// key holds. A list of texts is joined with spaces; what is neither text,
/// number nor such a list is empty.
///
/// # Errors
/// When it is no object of objects, or has none.
pub(super) fn table(path: &Path, text: &str) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let faulty = |what: String| {
        Error::new(
            ErrorKind::InvalidInput,
            format!(
                "{}: no object of records by their ids: {what}",
                path.display()
            ),
        )
    };
    let records: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| faulty(error.to_string()))?;
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut objects = Vec::with_capacity(records.len());
    for (id, record) in &records {
        let Value::Object(record) = record else {
            return Err(faulty(format!("{id} is no object")));
        };
        names.extend(record.keys().map(String::as_str));
        objects.push((id, record));
    }
    if objects.is_empty() {
        return Err(faulty("it is empty".to_owned()));
    }
    let rows = objects
        .into_iter()
        .map(|(id, record)| {
            let cells = names.iter().map(|name| cell(record.get(*name)));
            std::iter::once(id.clone()).chain(cells).collect()
        })
        .collect();
    let columns = std::iter::once(ID).chain(names).map(str::to_owned);
    Ok((columns.collect(), rows))
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Array(parts)) => {
            let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            parts.join(" ").trim().to_owned()
        }
        _ => String::new(),
    }
}

/// The ids of a list of records: an object by its keys, or an array of texts.
///
/// # Errors
/// When the file cannot be read or is neither.
pub fn read_ids(path: &Path) -> Result<HashSet<String>> {
    let text = super::sentence::content(path)?;
    let faulty = |what: &str| {
        let what = format!("{}: no list of ids: {what}", path.display());
        Error::new(ErrorKind::InvalidInput, what)
    };
    match serde_json::from_str(&text).map_err(|error| faulty(&error.to_string()))? {
        Value::Object(records) => Ok(records.into_iter().map(|(id, _)| id).collect()),
        Value::Array(ids) => ids
            .into_iter()
            .map(|id| match id {
                Value::String(id) => Ok(id),
                other => Err(faulty(&format!("{other} is no text"))),
            })
            .collect(),
        _ => Err(faulty("it is neither an object nor an array")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_become_rows() {
        let text = r#"{"7": {"Q": " Why? ", "C": ["One.", "Two."], "year": 2001},
                       "8": {"Q": "How?", "L": {"a": 1}}}"#;
        let (columns, rows) = table(Path::new("a.json"), text).unwrap();
        assert_eq!(columns, ["id", "C", "L", "Q", "year"]);
        assert_eq!(rows[0], ["7", "One. Two.", "", "Why?", "2001"]);
        assert_eq!(rows[1], ["8", "", "", "How?", ""]);
        for (text, part) in [
            ("{}", "empty"),
            ("{\"a\": 1}", "a is no object"),
            ("[]", "map"),
        ] {
            let error = table(Path::new("a.json"), text).unwrap_err().to_string();
            assert!(error.contains("a.json") && error.contains(part), "{error}");
        }
    }

    #[test]
    fn ids_are_keys_or_texts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ids.json");
        for text in [r#"{"1": "yes", "2": "no"}"#, r#"["2", "1"]"#] {
            std::fs::write(&path, text).unwrap();
            let mut ids: Vec<String> = read_ids(&path).unwrap().into_iter().collect();
            ids.sort();
            assert_eq!(ids, ["1", "2"]);
        }
        for text in ["[1]", "3", "x"] {
            std::fs::write(&path, text).unwrap();
            assert!(
                read_ids(&path)
                    .unwrap_err()
                    .to_string()
                    .contains("ids.json")
            );
        }
    }
}
