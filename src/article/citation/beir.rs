//! Lines of a corpus as the BEIR benchmark has them: `_id`, `title`, `text`,
//! `metadata` (Thakur et al. 2021).

use super::parts::{identifier, line, pmid};
use crate::article::{Article, ArticleKind};
use serde_json::{Map, Value, json};

/// An article as one line of a `corpus.jsonl`, with its line end. `text` is
/// the running text: sections behind their labels, then the body.
pub fn beir(article: &Article) -> String {
    let metadata = match article.kind {
        ArticleKind::Document => article.metadata.clone().into_iter().collect(),
        ArticleKind::Journal | ArticleKind::Book => source(article),
    };
    let line = json!({
        "_id": article.id.as_str(),
        "title": article.display_title().plain,
        "text": article.running_text().text,
        "metadata": metadata,
    });
    format!("{line}\n")
}

fn source(article: &Article) -> Map<String, Value> {
    let journal = article.journal.as_ref().map(|found| found.short_title());
    let text = |value: Option<&str>| value.map(line).filter(|value| !value.is_empty());
    let values = [
        ("pmid", text(pmid(article))),
        ("doi", text(identifier(article, "doi"))),
        ("journal", text(journal)),
    ];
    let values = values
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.into())));
    let year = article.year().map(|year| ("year".to_owned(), year.into()));
    values.chain(year).collect()
}
