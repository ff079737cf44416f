//! `--set KEY=VALUE`: single keys of a configuration changed.

use crate::error::{CliError, Result};
use std::path::Path;
use toml::{Table, Value};

/// The text of a configuration with keys changed. A key is dotted; a number
/// stands for an element of a list, counted from 0. What is not a TOML value
/// is a text; no value takes the key away.
pub(super) fn apply(text: &str, path: &Path, changes: &[String]) -> Result<String> {
    let table: Table = text
        .parse()
        .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))?;
    let mut whole = Value::Table(table);
    for change in changes {
        let refused = |what: String| CliError::Usage(format!("--set {change}: {what}"));
        let (key, value) = change
            .split_once('=')
            .ok_or_else(|| refused("give KEY=VALUE, such as stage.0.batch=64".to_owned()))?;
        let value = (!value.trim().is_empty()).then(|| parse(value));
        set(&mut whole, key, value).map_err(refused)?;
    }
    let changed = toml::to_string(&whole);
    changed.map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

fn parse(value: &str) -> Value {
    let line = format!("value = {value}");
    let table = line.parse::<Table>().ok();
    table
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(value.to_owned()))
}

fn set(whole: &mut Value, key: &str, value: Option<Value>) -> std::result::Result<(), String> {
    let mut place = whole;
    let mut way = key.split('.').peekable();
    while let Some(name) = way.next() {
        let last = way.peek().is_none();
        place = match place {
            Value::Array(list) => {
                let length = list.len();
                name.parse::<usize>()
                    .ok()
                    .and_then(|at| list.get_mut(at))
                    .ok_or_else(|| {
                        format!("`{name}` is no element of a list of {length} (counted from 0)")
                    })?
            }
            Value::Table(table) if last => {
                match value {
                    Some(value) => drop(table.insert(name.to_owned(), value)),
                    None => drop(table.remove(name)),
                }
                return Ok(());
            }
            Value::Table(table) => table
                .entry(name)
                .or_insert_with(|| Value::Table(Table::new())),
            _ => return Err(format!("there is nothing inside the value before `{name}`")),
        };
    }
    *place = value.ok_or("an element of a list cannot be taken away")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "output = \"a\"\n[[stage]]\nname = \"x\"\nbatch = 4\nbetas = [0.9, 0.99]\n";

    fn changed(change: &str) -> Result<Table> {
        let text = apply(TEXT, Path::new("c.toml"), &[change.to_owned()])?;
        Ok(text.parse().unwrap())
    }

    #[test]
    fn keys_elements_and_new_tables_are_set() {
        let table = changed("stage.0.batch=64").unwrap();
        assert_eq!(table["stage"][0]["batch"].as_integer(), Some(64));
        let table = changed("stage.0.betas.1=0.95").unwrap();
        assert_eq!(table["stage"][0]["betas"][1].as_float(), Some(0.95));
        let table = changed("output=runs/b c").unwrap();
        assert_eq!(table["output"].as_str(), Some("runs/b c"));
        let table = changed("stage.0.objective={ kind = \"cosine\" }").unwrap();
        assert_eq!(
            table["stage"][0]["objective"]["kind"].as_str(),
            Some("cosine")
        );
        let table = changed("stage.0.batch=").unwrap();
        assert!(table["stage"][0].get("batch").is_none());
        let table = changed("model.weights=f16").unwrap();
        assert_eq!(table["model"]["weights"].as_str(), Some("f16"));
    }

    #[test]
    fn places_that_are_not_there_are_named() {
        for (change, what) in [
            ("stage.1.batch=2", "list of 1"),
            ("output.x=2", "before `x`"),
            ("batch", "KEY=VALUE"),
            ("stage.0.betas.1=", "cannot be taken away"),
        ] {
            let message = changed(change).unwrap_err().report().unwrap();
            assert!(message.contains(what), "{message}");
        }
    }
}
