//! What the columns cannot say of an article.

use super::row::Row;
use crate::Article;
use serde_json::{Map, Value};

/// The parts of an article that its row does not restore, by their names in
/// the article's JSON; `null` for a part that the row would restore and the
/// article does not have.
///
/// # Errors
/// Where the article cannot be written as JSON.
pub(super) fn beyond(
    article: &Article,
    row: &Row,
) -> Result<Map<String, Value>, serde_json::Error> {
    let mut whole = object(article)?;
    let mut restored = object(&row.article())?;
    whole.retain(|name, value| match restored.remove(name) {
        Some(same) => same != *value,
        None => true,
    });
    whole.extend(restored.into_iter().map(|(name, _)| (name, Value::Null)));
    Ok(whole)
}

/// The article of a row and what its columns cannot say.
///
/// Where the two contradict each other, as in a file of which somebody has
/// changed a column, the column holds.
///
/// # Errors
/// In words, where `more` is no part of an article.
pub(super) fn restore(row: &Row, more: &Map<String, Value>) -> Result<Article, String> {
    let base = row.article();
    if more.is_empty() {
        return Ok(base);
    }
    let mut whole = object(&base).map_err(|error| error.to_string())?;
    let all = overlaid(&whole, more.iter())?;
    if row.disagreements(&all).is_empty() {
        return Ok(all);
    }
    let mut article = base;
    let mut differing = row.disagreements(&article);
    for part in more {
        let tried = overlaid(&whole, [part].into_iter())?;
        let of_tried = row.disagreements(&tried);
        if of_tried.is_subset(&differing) {
            whole = object(&tried).map_err(|error| error.to_string())?;
            (article, differing) = (tried, of_tried);
        }
    }
    Ok(article)
}

fn overlaid<'a>(
    base: &Map<String, Value>,
    parts: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Result<Article, String> {
    let mut whole = base.clone();
    for (name, value) in parts {
        if value.is_null() {
            whole.remove(name);
        } else {
            whole.insert(name.clone(), value.clone());
        }
    }
    serde_json::from_value(Value::Object(whole))
        .map_err(|error| format!("`more` does not fit an article: {error}"))
}

fn object(article: &Article) -> Result<Map<String, Value>, serde_json::Error> {
    match serde_json::to_value(article)? {
        Value::Object(object) => Ok(object),
        _ => Ok(Map::new()),
    }
}
