use super::*;
use medsift::ArticleId;
use medsift::index::Completeness;
use serde_json::Value;

/// An article with every field set.
fn full() -> Article {
    serde_json::from_str(include_str!("full.json")).unwrap()
}

/// Every text that the stored form holds.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|item| texts(item, found)),
        _ => {}
    }
}

#[test]
fn every_stored_text_is_shown() {
    let article = full();
    let mut expected = Vec::new();
    texts(&serde_json::to_value(&article).unwrap(), &mut expected);
    assert!(expected.len() > 80, "{}", expected.len());
    let stored = StoredArticle {
        article,
        source: "file.xml.gz".into(),
        content: "digest".into(),
        completeness: Completeness::Full,
    };
    let shown = page(&stored, 10_000, Style::new(false));
    for text in expected {
        assert!(shown.contains(&text), "{text:?} is not shown in\n{shown}");
    }
    for text in [
        "version         7",
        "2019 Mar",
        "1901",
        "1902",
        "file.xml.gz",
        "Descriptor (UI-Descriptor)* (Geographic) / qualifier (UI-qualifier)*",
        "whom the source does not list",
        "other grants",
        "other databanks",
        "equal contribution",
        "misspelt",
        "not valid",
    ] {
        assert!(shown.contains(text), "{text:?} is not shown in\n{shown}");
    }
}

#[test]
fn lines_keep_to_the_width() {
    let stored = StoredArticle {
        article: full(),
        source: String::new(),
        content: String::new(),
        completeness: Completeness::Full,
    };
    let shown = page(&stored, 60, Style::new(false));
    for line in shown.lines() {
        assert!(line.chars().count() <= 60, "{line}");
    }
}

#[test]
fn a_retracted_article_says_so_and_an_empty_one_is_no_fault() {
    let mut article = Article::new(ArticleId::new("1").unwrap());
    let stored = |article| StoredArticle {
        article,
        source: "f".into(),
        content: "c".into(),
        completeness: Completeness::Full,
    };
    let style = Style::new(false);
    assert!(!page(&stored(article.clone()), 80, style).contains("RETRACTED"));
    article.publication_types.push(MeshTerm {
        name: "Retracted Publication".into(),
        ui: None,
    });
    assert!(page(&stored(article), 80, style).contains("RETRACTED"));
}
