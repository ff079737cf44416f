//! Settings from environment variables: `MEDSIFT_SEARCH_EF_SEARCH=200` is
//! `ef_search` of `[search]`.

use super::keys::nearest;
use super::{file, settled};
use crate::error::{CliError, Result};
use std::ffi::OsString;
use toml::{Table, Value};

/// What the names begin with.
const PREFIX: &str = "MEDSIFT_";

/// Variables with the prefix that are not settings: where things lie, and
/// what the test suites and container images use.
const NOT_SETTINGS: &[&str] = &[
    "MEDSIFT_CACHE",
    "MEDSIFT_CONFIG",
    "MEDSIFT_DATA",
    "MEDSIFT_LOG",
    "MEDSIFT_LOG_FORMAT",
    "MEDSIFT_MINILM",
];

/// Variables of the test suites.
const TEST_PREFIX: &str = "MEDSIFT_TEST_";

/// Lays the variables over a table, sorted by name so that the outcome does
/// not depend on the order in which the system lists them.
pub(super) fn overlay(
    table: &mut Table,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    known: &[String],
) -> Result<()> {
    let mut variables: Vec<(String, OsString)> = environment
        .into_iter()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, _)| name.starts_with(PREFIX) && !name.starts_with(TEST_PREFIX))
        .filter(|(name, _)| !NOT_SETTINGS.contains(&name.as_str()))
        .collect();
    // A choice of method comes before the values that belong to it.
    variables.sort_by_key(|(name, _)| (!name.ends_with("_METHOD"), name.clone()));
    for (name, value) in variables {
        let key = key_of(&name, known)?;
        let value = value
            .into_string()
            .map_err(|_| CliError::Usage(format!("{name}: the value is not UTF-8")))?;
        set(table, &name, key, &value)?;
    }
    Ok(())
}

/// The variable that sets a key.
fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_uppercase())
}

/// The key that a variable sets.
fn key_of<'a>(name: &str, known: &'a [String]) -> Result<&'a str> {
    if let Some(key) = known.iter().find(|key| variable_of(key) == name) {
        return Ok(key);
    }
    let variables: Vec<String> = known.iter().map(|key| variable_of(key)).collect();
    let others = variables.iter().map(String::as_str);
    let hint = nearest(name, others.chain(NOT_SETTINGS.iter().copied())).map_or_else(
        || String::from("unset it, or see config/index.toml for the keys"),
        |near| format!("did you mean {near}?"),
    );
    Err(CliError::Usage(format!(
        "unknown setting in the environment: {name}: {hint}"
    )))
}

/// Sets a key: the value is read as TOML where that fits (numbers, booleans),
/// else as the text that it is.
fn set(table: &mut Table, name: &str, key: &str, text: &str) -> Result<()> {
    let parsed = format!("value = {text}")
        .parse::<Table>()
        .ok()
        .and_then(|mut line| line.remove("value"));
    let candidates = parsed.into_iter().chain([Value::String(text.to_owned())]);
    let mut complaint = String::new();
    for value in candidates {
        let mut tried = table.clone();
        file::merge(&mut tried, nested(key, value));
        match settled(&tried) {
            Ok(_) => {
                *table = tried;
                return Ok(());
            }
            // The first reading is the likelier one; its complaint is kept.
            Err(message) if complaint.is_empty() => complaint = message,
            Err(_) => {}
        }
    }
    Err(CliError::Usage(format!("{name} ({key}): {complaint}")))
}

/// `a.b.c` and a value as nested tables.
fn nested(key: &str, value: Value) -> Table {
    let (first, rest) = match key.split_once('.') {
        Some((first, rest)) => (first, Value::Table(nested(rest, value))),
        None => (key, value),
    };
    Table::from_iter([(first.to_owned(), rest)])
}
