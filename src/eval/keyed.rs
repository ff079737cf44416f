//! Records in JSON as tables: an object of them by their ids, in the form of
//! PubMedQA, or one a line, in that of BioASQ.

use super::sentence::fault;
use crate::error::{Error, ErrorKind, Result};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The column of the records' ids.
const ID: &str = "id";

type Record = (String, Map<String, Value>);

/// The columns of a file of records, and a row for each: the id, then what each
/// key holds. A list of texts, or of objects with a `text`, is joined with spaces;
/// what is neither text, number nor such a list is empty.
///
/// # Errors
/// When it is neither an object of objects nor one a line, or has none.
pub(super) fn table(path: &Path, text: &str) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    // A line of its own may be a whole object: then there is one record a line,
    // unless it is the only one and all that it holds are records.
    let first = text.trim_start().lines().next().unwrap_or_default();
    let records = match serde_json::from_str::<Map<String, Value>>(first) {
        Ok(only) if first.len() == text.trim().len() && only.values().all(Value::is_object) => {
            object(path, text)?
        }
        Ok(_) => lines(path, text)?,
        Err(_) => object(path, text)?,
    };
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (_, record) in &records {
        names.extend(record.keys().cloned());
    }
    names.remove(ID);
    let rows = records
        .into_iter()
        .map(|(id, record)| {
            let cells = names.iter().map(|name| cell(record.get(name)));
            std::iter::once(id).chain(cells).collect()
        })
        .collect();
    let columns = std::iter::once(ID.to_owned()).chain(names.iter().cloned());
    Ok((columns.collect(), rows))
}

fn object(path: &Path, text: &str) -> Result<Vec<Record>> {
    let faulty = |what: String| {
        Error::new(
            ErrorKind::InvalidInput,
            format!(
                "{}: no object of records by their ids, nor one record a line: {what}",
                path.display()
            ),
        )
    };
    let records: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| faulty(error.to_string()))?;
    if records.is_empty() {
        return Err(faulty("it is empty".to_owned()));
    }
    records
        .into_iter()
        .map(|(id, record)| match record {
            Value::Object(record) => Ok((id, record)),
            _ => Err(faulty(format!("{id} is no object"))),
        })
        .collect()
}

/// One object a line; the id is what its key `id` holds, or the line's number.
fn lines(path: &Path, text: &str) -> Result<Vec<Record>> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let record: Map<String, Value> = serde_json::from_str(line)
                .map_err(|error| fault(path, number, error.to_string()))?;
            let id = match cell(record.get(ID)) {
                id if id.is_empty() => number.to_string(),
                id => id,
            };
            Ok((id, record))
        })
        .collect()
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| match part {
                Value::Object(part) => part.get("text").and_then(Value::as_str),
                part => part.as_str(),
            });
            let texts: Vec<&str> = texts.map(str::trim).collect();
            texts.join(" ").trim().to_owned()
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
            ("{\"a\":\n1}", "a is no object"),
            ("[]", "map"),
        ] {
            let error = table(Path::new("a.json"), text).unwrap_err().to_string();
            assert!(error.contains("a.json") && error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_record_may_stand_on_each_line() {
        let text = "{\"id\": \"a\", \"q\": \"Why?\", \"s\": [{\"text\": \"One. \"}, {\"text\": \"Two.\"}]}\n\n\
                    {\"q\": \"How?\", \"label\": [[\"x\"]]}\n";
        let (columns, rows) = table(Path::new("a.jsonl"), text).unwrap();
        assert_eq!(columns, ["id", "label", "q", "s"]);
        assert_eq!(rows[0], ["a", "", "Why?", "One. Two."]);
        assert_eq!(rows[1], ["3", "", "How?", ""]);
        let (_, rows) = table(Path::new("a.jsonl"), "{\"q\": {}}\n{\"q\": {}}\n").unwrap();
        assert_eq!(rows, [["1", ""], ["2", ""]]);
        let faulty = text.replace("[[\"x\"]]", "[[");
        let error = table(Path::new("a.jsonl"), &faulty).unwrap_err();
        assert!(error.to_string().contains("a.jsonl, line 3"), "{error}");
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
