//! JSON lines: medsift's own articles, and documents in the form of the BEIR
//! benchmark: `_id`, `title`, `text`, `metadata` (Thakur et al. 2021, <https://github.com/beir-cellar/beir>).

use crate::xml::normalise;
use medsift::article::{ArticleKind, Section};
use medsift::{Article, ArticleId};
use serde_json::{Map, Value};

/// Reads one line: with `_id` it is a document, with `id` an article as
/// medsift exports it.
///
/// # Errors
/// Says which key is missing or of the wrong type.
pub(crate) fn article(line: &str) -> Result<Box<Article>, String> {
    article_of(serde_json::from_str(line).map_err(|e| format!("not JSON: {e}"))?)
}

/// [`article`] of a value that is read already.
pub(crate) fn article_of(value: Value) -> Result<Box<Article>, String> {
    let Value::Object(object) = value else {
        return Err("not a JSON object".to_owned());
    };
    if !object.contains_key("_id") && object.contains_key("id") {
        own(object)
    } else {
        document(object)
    }
}

/// An article of medsift. Keys that it does not have are kept as metadata.
fn own(mut object: Map<String, Value>) -> Result<Box<Article>, String> {
    if let Some(Value::Number(number)) = object.get("id") {
        object.insert("id".to_owned(), number.to_string().into());
    }
    let whole = Value::Object(object.clone());
    let mut article: Article = serde_json::from_value(whole)
        .map_err(|error| format!("not an article as medsift exports it: {error}"))?;
    object.retain(|key, _| key != "metadata" && !FIELDS.contains(&key.as_str()));
    for (key, value) in object {
        article.metadata.entry(key).or_insert(value);
    }
    Ok(Box::new(article))
}

/// Reads a document. Keys other than the four are kept as metadata.
fn document(mut object: Map<String, Value>) -> Result<Box<Article>, String> {
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

/// The keys of an article.
const FIELDS: [&str; 43] = [
    "id",
    "version",
    "kind",
    "status",
    "owner",
    "indexing_method",
    "title",
    "vernacular_title",
    "abstract",
    "copyright",
    "other_abstracts",
    "body",
    "authors",
    "authors_complete",
    "editors",
    "investigators",
    "personal_name_subjects",
    "journal",
    "book",
    "pages",
    "published",
    "history",
    "publication_status",
    "publication_model",
    "languages",
    "publication_types",
    "mesh",
    "supplementary_concepts",
    "chemicals",
    "keywords",
    "gene_symbols",
    "databanks",
    "databanks_complete",
    "grants",
    "grants_complete",
    "reference_count",
    "references",
    "links",
    "other_ids",
    "citation_subsets",
    "space_flight_missions",
    "notes",
    "conflict_of_interest",
];

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
        let article = super::article(line).unwrap();
        assert_eq!(article.id.as_str(), "MED-10");
        assert_eq!(article.kind, ArticleKind::Document);
        assert_eq!(article.title.plain, "A title");
        assert_eq!(article.abstract_sections[0].text.plain, "Text.");
        assert_eq!(article.metadata["url"], json!("u"));
        assert_eq!(article.metadata["year"], json!(2001));
    }

    #[test]
    fn numbers_are_ids_and_texts_may_be_missing() {
        let article = super::article(r#"{"_id": 7, "title": null}"#).unwrap();
        assert_eq!(article.id.as_str(), "7");
        assert!(article.title.is_empty() && article.abstract_sections.is_empty());
    }

    #[test]
    fn what_medsift_exports_is_read_back() {
        let line = r#"{"id": "990000001", "title": "A title", "version": 2, "languages": ["eng"],
            "metadata": {"a": 1}, "unheard_of": [2]}"#;
        let article = super::article(line).unwrap();
        assert_eq!(article.id.as_str(), "990000001");
        assert_eq!((article.kind, article.version), (ArticleKind::Journal, 2));
        assert_eq!(article.metadata["a"], json!(1));
        assert_eq!(article.metadata["unheard_of"], json!([2]));
        let error = super::article(r#"{"id": "1", "title": 5}"#).unwrap_err();
        assert!(
            error.contains("not an article as medsift exports it"),
            "{error}"
        );
    }

    /// Whatever an article is written with is no metadata when it comes back.
    #[test]
    fn the_keys_are_those_of_an_article() {
        let full = include_str!("../../cli/src/render/article/full.json");
        let full: Value = serde_json::from_str(full).unwrap();
        let article = super::article_of(full.clone()).unwrap();
        assert_eq!(serde_json::from_value::<Article>(full).unwrap(), *article);
        let written = serde_json::to_value(&*article).unwrap();
        let written = written.as_object().unwrap();
        assert_eq!(written.len(), FIELDS.len() + 1, "{:?}", written.keys());
        for key in written.keys().filter(|key| *key != "metadata") {
            assert!(FIELDS.contains(&key.as_str()), "{key}");
        }
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
            let error = article(line).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
