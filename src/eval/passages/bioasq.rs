//! BioASQ's golden sets as lines of JSON: questions with the snippets that
//! people marked.
//!
//! The abstracts themselves are no part of a golden set. A document is made of
//! what is known of it: all of its snippets, in their order, those that overlap
//! joined.

use super::{Gold, GoldDocument, GoldPlace, GoldQuestion, PassageSet, settled};
use crate::error::{Error, ErrorKind, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

const NAME: &str = "bioasq";

#[derive(Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    batch: String,
    question: String,
    snippets: Vec<Snippet>,
}

#[derive(Deserialize)]
struct Snippet {
    text: String,
    /// Address of the article, which ends with its PMID.
    document: String,
    section: String,
    /// Its first character; below 0 where whoever marked it left none.
    begin: i64,
}

/// Whether a line is one of such a set.
pub(super) fn is_line(line: &str) -> bool {
    serde_json::from_str::<Line>(line).is_ok()
}

/// Reads the questions whose batch begins with `batch`; those without snippets
/// cannot be measured and are left out.
pub(super) fn read(path: &Path, text: &str, batch: &str) -> Result<PassageSet> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(line).map_err(|error| {
            let what = format!("{}, line {number}: {error}", path.display());
            Error::new(ErrorKind::InvalidInput, what)
        })?;
        if line.batch.starts_with(batch) && !line.snippets.is_empty() {
            lines.push(line);
        }
    }
    let documents = documents(&lines);
    let questions = lines.iter().map(|line| question(line, &documents));
    Ok(PassageSet {
        name: NAME,
        questions: questions.collect::<Result<_>>()?,
        documents: documents.into_values().collect(),
    })
}

/// What is known of each document, by its id.
fn documents(lines: &[Line]) -> BTreeMap<String, GoldDocument> {
    let mut parts: BTreeMap<String, (String, Vec<(i64, String)>)> = BTreeMap::new();
    for snippet in lines.iter().flat_map(|line| &line.snippets) {
        let (title, texts) = parts.entry(id(snippet)).or_default();
        let text = settled(&snippet.text);
        if !is_title(snippet) {
            texts.push((snippet.begin.max(0), text));
        } else if text.chars().count() > title.chars().count() {
            *title = text;
        }
    }
    let one = |(id, (title, texts)): (String, (String, Vec<(i64, String)>))| {
        let text = joined(texts);
        (id.clone(), GoldDocument { id, title, text })
    };
    parts.into_iter().map(one).collect()
}

/// Snippets in their order, each part of the text once.
fn joined(mut snippets: Vec<(i64, String)>) -> String {
    // Of those that begin together the longest first: it holds the others.
    snippets.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.len().cmp(&a.1.len())));
    let mut text = String::new();
    for (_, snippet) in snippets {
        if text.contains(&snippet) {
            continue;
        }
        let overlap = overlap(&text, &snippet);
        if overlap == 0 && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&snippet[overlap..]);
    }
    text
}

/// Fewest bytes in which two snippets overlap: less may be chance.
const LEAST: usize = 20;

/// Bytes of the longest end of a text that a snippet begins with.
fn overlap(text: &str, snippet: &str) -> usize {
    let ends = text.char_indices().map(|(at, _)| &text[at..]);
    let mut ends = ends.skip_while(|end| end.len() > snippet.len());
    let longest = ends
        .find(|end| snippet.starts_with(end))
        .map_or(0, str::len);
    if longest >= LEAST { longest } else { 0 }
}

fn question(line: &Line, documents: &BTreeMap<String, GoldDocument>) -> Result<GoldQuestion> {
    let gold = line.snippets.iter().map(|snippet| {
        let id = id(snippet);
        let text = settled(&snippet.text);
        let place = if is_title(snippet) {
            Some(GoldPlace::Title)
        } else {
            documents
                .get(&id)
                .and_then(|document| place(&document.text, &text))
        };
        let document = id;
        let place = place.ok_or_else(|| {
            let what = format!("question {}: a snippet of {document} is not in it", line.id);
            Error::new(ErrorKind::Internal, what)
        })?;
        Ok(Gold { document, place })
    });
    Ok(GoldQuestion {
        id: line.id.clone(),
        text: settled(&line.question),
        gold: gold.collect::<Result<_>>()?,
    })
}

fn place(text: &str, snippet: &str) -> Option<GoldPlace> {
    let byte = text.find(snippet)?;
    let start = text[..byte].chars().count();
    Some(GoldPlace::Text(start..start + snippet.chars().count()))
}

fn id(snippet: &Snippet) -> String {
    let pmid = snippet.document.rsplit('/').next().unwrap_or_default();
    format!("{NAME}-{pmid}")
}

fn is_title(snippet: &Snippet) -> bool {
    snippet.section == "title"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snippet(section: &str, begin: i64, text: &str) -> String {
        format!(
            r#"{{"text": "{text}", "document": "http://x/pubmed/7", "section": "{section}",
                "begin": {begin}, "end": 0}}"#
        )
        .replace('\n', " ")
    }

    fn line(id: &str, batch: &str, snippets: &[String]) -> String {
        format!(
            r#"{{"id": "{id}", "batch": "{batch}", "question": "Which?", "snippets": [{}]}}"#,
            snippets.join(",")
        )
    }

    #[test]
    fn a_document_is_all_of_its_snippets_once_and_each_is_found_in_it() {
        let first = snippet(
            "abstract",
            10,
            "α-Statins are given to many people. They help.",
        );
        let inner = snippet("abstract", 30, "many people.");
        let over = snippet(
            "abstract",
            20,
            "are given to many people. They help. Often.",
        );
        let apart = snippet("abstract", 200, "They hurt.");
        let title = snippet("title", -1, "On statins");
        let text = [
            line("a", "7B1", &[first, apart, title]),
            line("b", "7B2", &[over, inner]),
            line("c", "8B1", &[]),
        ];
        let set = read(Path::new("x"), &text.join("\n"), "").unwrap();
        assert_eq!(set.documents.len(), 1);
        let document = &set.documents[0];
        assert_eq!(
            (document.id.as_str(), document.title.as_str()),
            ("bioasq-7", "On statins")
        );
        let whole = "α-Statins are given to many people. They help. Often. They hurt.";
        assert_eq!(document.text, whole);
        assert_eq!(set.questions.len(), 2);
        let places: Vec<&GoldPlace> = set.questions[0].gold.iter().map(|one| &one.place).collect();
        assert_eq!(
            places,
            [
                &GoldPlace::Text(0..46),
                &GoldPlace::Text(54..64),
                &GoldPlace::Title
            ]
        );
        let only = read(Path::new("x"), &text.join("\n"), "7B2").unwrap();
        assert_eq!(only.questions[0].id, "b");
        assert_eq!(only.documents[0].title, "");
    }

    #[test]
    fn a_damaged_line_is_named() {
        let good = line("a", "7B1", &[]);
        let error = read(Path::new("x.jsonl"), &format!("{good}\n{{"), "").unwrap_err();
        assert!(error.to_string().contains("x.jsonl, line 2"), "{error}");
    }
}
