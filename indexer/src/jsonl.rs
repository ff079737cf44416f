//! JSON lines in the form of the BEIR benchmark: `_id`, `title`, `text`,
//! `metadata` (Thakur et al. 2021, <https://github.com/beir-cellar/beir>).

use crate::xml::normalise;
use medsift::article::{ArticleKind, Section};
use medsift::{Article, ArticleId};
use serde_json::{Map, Value};

/// Reads one line. Keys other than the four are kept as metadata.
///
/// # Errors
/// Says which key is missing or of the wrong type.
pub(crate) fn document(line: &str) -> Result<Box<Article>, String> {
    let value: Value = serde_json::from_str(line).map_err(|e| format!("not JSON: {e}"))?;
    let Value::Object(mut object) = value else {
        return Err("not a JSON object".to_owned());
    };
    let mut article = Box::new(Article::new(id(&mut object)?));
    article.kind = ArticleKind::Document;
    article.title = text(&mut object, "title")?.into();
    let text = text(&mut object, "text")?;
    if !text.is_empty() {
        article.abstract_sections.push(Section {
            text: text.into(),
            ..Section::default()
        });
    }
    match object.remove("metadata") {
        Some(Value::Object(metadata)) => article.metadata.extend(metadata),
        Some(Value::Null) | None => {}
        Some(other) => {
            article.metadata.insert("metadata".to_owned(), other);
        }
    }
    for (key, value) in object {
        article.metadata.entry(key).or_insert(value);
    }
    Ok(article)
}

fn id(object: &mut Map<String, Value>) -> Result<ArticleId, String> {
    let text = match object.remove("_id") {
        Some(Value::String(text)) => text,
        Some(Value::Number(number)) => number.to_string(),
        Some(_) => return Err("`_id` is neither a text nor a number".to_owned()),
        None => return Err("`_id` is missing".to_owned()),
    };
    ArticleId::new(&text).map_err(|error| format!("`_id`: {error}"))
}

fn text(object: &mut Map<String, Value>, key: &str) -> Result<String, String> {
    match object.remove(key) {
        Some(Value::String(text)) => Ok(normalise(&text)),
        Some(Value::Null) | None => Ok(String::new()),
        Some(_) => Err(format!("`{key}` is not a text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_four_keys_and_others() {
        let line = r#"{"_id": "MED-10", "title": " A\n title", "text": "Text.",
            "metadata": {"url": "u"}, "year": 2001}"#;
        let article = document(line).unwrap();
        assert_eq!(article.id.as_str(), "MED-10");
        assert_eq!(article.kind, ArticleKind::Document);
        assert_eq!(article.title.plain, "A title");
        assert_eq!(article.abstract_sections[0].text.plain, "Text.");
        assert_eq!(article.metadata["url"], json!("u"));
        assert_eq!(article.metadata["year"], json!(2001));
    }

    #[test]
    fn numbers_are_ids_and_texts_may_be_missing() {
        let article = document(r#"{"_id": 7, "title": null}"#).unwrap();
        assert_eq!(article.id.as_str(), "7");
        assert!(article.title.is_empty() && article.abstract_sections.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, what) in [
            ("{", "not JSON"),
            ("[1]", "not a JSON object"),
            ("{\"title\": \"x\"}", "`_id` is missing"),
            ("{\"_id\": \"a b\"}", "white space"),
            ("{\"_id\": []}", "neither"),
            ("{\"_id\": 1, \"text\": 5}", "`text` is not a text"),
        ] {
            let error = document(line).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
