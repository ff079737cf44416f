//! Settings from a TOML file.

use super::keys::{is_known, leaves, nearest};
use super::settled;
use crate::error::{CliError, Result};
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Lays a file over a table. Unknown keys, values of a wrong type and broken
/// TOML are errors that name the file.
pub(super) fn overlay(table: &mut Table, path: &Path, known: &[String]) -> Result<()> {
    let text = fs::read_to_string(path)
        .map_err(|error| medsift::Error::io("read the configuration", path, error))?;
    let at = |what: String| CliError::Usage(format!("{}: {what}", path.display()));
    let own: Table = text
        .parse()
        .map_err(|error: toml::de::Error| at(error.to_string()))?;
    for name in leaves(&own) {
        if !is_known(&name, known) {
            let hint = nearest(&name, known.iter().map(String::as_str)).map_or_else(
                || String::from("config/index.toml and config/server.toml list the keys"),
                |key| format!("did you mean {key}?"),
            );
            return Err(at(format!("unknown key {name}: {hint}")));
        }
    }
    if let Err(message) = settled(&own) {
        // Read once more from its text, which lets the position be shown.
        let shown = toml::from_str::<super::Settings>(&text).err();
        return Err(at(shown.map_or(message, |error| error.to_string())));
    }
    merge(table, own);
    settled(table).map_err(at)?;
    Ok(())
}

/// Takes over every value; tables are merged, except where another choice of
/// method makes the old values void.
pub(super) fn merge(table: &mut Table, own: Table) {
    for (key, value) in own {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) if same_method(old, &new) => {
                merge(old, new);
            }
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

/// Tagged choices (`fusion = { method = "rrf", k = 60 }`) have keys of their own.
fn same_method(old: &Table, new: &Table) -> bool {
    match (old.get("method"), new.get("method")) {
        (Some(old), Some(new)) => old == new,
        _ => true,
    }
}
