//! Files of queries: BEIR's JSON lines, or an id and a text with a tab between.

use super::sentence::{content, fault};
use crate::error::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::path::Path;

/// A query of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionQuery {
    /// Its id, by which judgements and runs name it.
    #[serde(rename = "_id")]
    pub id: String,
    /// What is asked.
    pub text: String,
    /// What else the file says of it.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// Reads a file of queries in its order, plain or gzip: a JSON object a line
/// (`_id`, `text`), or lines of an id and a text.
///
/// # Errors
/// With file and line, where a line has neither form, an id comes twice, has
/// white space in it or is empty, or there is no query.
pub fn read_queries(path: &Path) -> Result<Vec<CollectionQuery>> {
    let mut queries = Vec::new();
    let mut ids = HashSet::new();
    for (number, line) in (1..).zip(content(path)?.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let query = one(line).map_err(|what| fault(path, number, what))?;
        if query.id.is_empty() || query.id.contains(char::is_whitespace) {
            let what = format!("the id {:?} is empty or has white space in it", query.id);
            return Err(fault(path, number, what));
        }
        if !ids.insert(query.id.clone()) {
            let what = format!("the query {} is there already", query.id);
            return Err(fault(path, number, what));
        }
        queries.push(query);
    }
    match queries.is_empty() {
        true => Err(fault(path, 1, "there is no query")),
        false => Ok(queries),
    }
}

fn one(line: &str) -> std::result::Result<CollectionQuery, String> {
    if line.trim_start().starts_with('{') {
        return serde_json::from_str(line).map_err(|error| error.to_string());
    }
    let (id, text) = line
        .split_once('\t')
        .ok_or("neither a JSON object nor an id, a tab and a text")?;
    Ok(CollectionQuery {
        id: id.trim().to_owned(),
        text: text.trim().to_owned(),
        metadata: Map::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<CollectionQuery>> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("queries");
        std::fs::write(&path, text).unwrap();
        read_queries(&path)
    }

    #[test]
    fn both_forms_are_read_in_their_order() {
        let lines = "{\"_id\": \"q2\", \"text\": \"b c\", \"metadata\": {\"n\": 1}}\n\n\
            {\"_id\":\"q1\",\"text\":\"a\"}\n";
        let queries = read(lines).unwrap();
        let found: Vec<(&str, &str)> = queries.iter().map(|q| (&q.id[..], &q.text[..])).collect();
        assert_eq!(found, [("q2", "b c"), ("q1", "a")]);
        assert_eq!(queries[0].metadata["n"], 1);
        let again = queries
            .iter()
            .map(|query| serde_json::to_string(query).unwrap());
        assert_eq!(
            read(&again.collect::<Vec<_>>().join("\n")).unwrap(),
            queries
        );
        let table = read("q2\tb c\nq1\ta\n").unwrap();
        assert_eq!(table[0].text, "b c");
        assert_eq!(table[1], queries[1]);
    }

    #[test]
    fn faults_name_file_and_line() {
        for (text, part) in [
            ("", "no query"),
            ("q1\ta\nq1\tb\n", "line 2: the query q1"),
            ("q 1\ta\n", "white space"),
            ("{\"_id\": \"q\"}\n", "line 1: missing field"),
            ("word\n", "neither"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
