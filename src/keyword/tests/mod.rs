//! Tests of the keyword side as a whole, on small made-up articles.

mod deadline;
mod facets;
mod filters;
mod golden;
mod lifecycle;
mod pubmed;
mod queries;
mod scoring;

use super::{KeywordIndex, KeywordSnapshot, KeywordWriter};
use crate::ArticleKey;
use crate::article::{Article, ArticleId, Section};
use crate::query::Filter;
use std::path::Path;
use tempfile::TempDir;

/// Memory that the writers of the tests get.
const MEMORY: usize = 15_000_000;

fn id(text: &str) -> ArticleId {
    ArticleId::new(text).unwrap()
}

pub(super) fn article(name: &str, title: &str, text: &str) -> Article {
    let mut article = Article::new(id(name));
    article.title = title.into();
    if !text.is_empty() {
        article.abstract_sections.push(Section {
            text: text.into(),
            ..Section::default()
        });
    }
    article
}

fn writer(dir: &Path) -> KeywordWriter {
    KeywordWriter::open(dir, MEMORY, 1).unwrap()
}

/// An index of articles with the keys 0, 1, 2, …
pub(super) fn index_of(articles: &[Article]) -> (TempDir, KeywordSnapshot) {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    for (article, key) in articles.iter().zip(0..) {
        writer
            .add(ArticleKey(key), article, article.id.as_str().as_bytes())
            .unwrap();
    }
    writer.commit("made").unwrap();
    writer.close().unwrap();
    let snapshot = KeywordIndex::open(dir.path()).unwrap().snapshot().unwrap();
    (dir, snapshot)
}

/// Keys found, best first.
fn found(snapshot: &KeywordSnapshot, query: &str) -> Vec<u32> {
    let matches = snapshot.search(query, &Filter::default(), 100).unwrap();
    assert_eq!(matches.total, matches.hits.len() as u64);
    matches.hits.iter().map(|(key, _)| key.0).collect()
}
