//! The names of all settings, dotted (`search.query.limit`).

use super::Settings;
use toml::{Table, Value};

/// Keys that the defaults do not show, since they belong to a choice that is
/// not the default or are absent by default.
const BESIDE_THE_DEFAULTS: &[&str] = &[
    "search.query.fusion.k",
    "search.query.fusion.semantic_weight",
];

/// Every setting's dotted name, sorted.
pub(super) fn known() -> Vec<String> {
    let mut names: Vec<String> = BESIDE_THE_DEFAULTS.iter().map(|&key| key.into()).collect();
    if let Ok(Value::Table(defaults)) = Value::try_from(Settings::default()) {
        names.extend(leaves(&defaults));
    }
    names.sort();
    names.dedup();
    names
}

/// The dotted names of a table's values.
pub(super) fn leaves(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) if !inner.is_empty() => {
                names.extend(
                    leaves(inner)
                        .into_iter()
                        .map(|name| format!("{key}.{name}")),
                );
            }
            _ => names.push(key.clone()),
        }
    }
    names
}

/// Whether a name is a setting or, for an empty table, a section of settings.
pub(super) fn is_known(name: &str, known: &[String]) -> bool {
    known.iter().any(|key| {
        key.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// The candidate that takes the fewest edits to reach, if that is near enough
/// to be a slip of the finger.
pub(super) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let (distance, candidate) = candidates
        .into_iter()
        .map(|candidate| (strsim::levenshtein(name, candidate), candidate))
        .min()?;
    (distance <= 2.max(name.chars().count() / 3)).then_some(candidate)
}
