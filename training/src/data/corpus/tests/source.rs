use super::*;
use crate::data::Exclusions;
use medsift::{Article, ArticleId};
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;

fn open(dir: &TempDir, name: &str, content: &str) -> Documents {
    let path = dir.path().join(name);
    fs::write(&path, content).unwrap();
    let files = vec![path.to_string_lossy().into_owned()];
    Documents::open(&CorpusSpec {
        files,
        exclude: Vec::new(),
    })
    .unwrap()
}

#[test]
fn plain_text_has_blank_lines_between_documents() {
    let dir = TempDir::new().unwrap();
    let mut source = open(&dir, "corpus.txt", "One here. Two\nthere.\n\n \nNext one.");
    let documents: Vec<Document> = source.by_ref().collect::<Result<_, _>>().unwrap();
    assert_eq!(documents[0].sentences, ["One here.", "Two", "there."]);
    assert_eq!(documents[1].id, "corpus.txt:2");
    assert_eq!(source.counts().given, 2);
}

#[test]
fn json_lines_of_several_makes_are_read() {
    let dir = TempDir::new().unwrap();
    let lines = [
        r#"{"_id": "7", "title": "T", "text": "A bee. See dots.", "metadata": {"pmid": "12", "ref_pmids": ["3"]}}"#,
        r###"{"_id": "8", "paragraphs": ["## Methods", "Ear five.", "Go home."]}"###,
        r#"{"text": ""}"#,
        r#"{"pmid": 9, "title": "Only a title", "text": null}"#,
    ];
    let mut source = open(&dir, "corpus.jsonl", &lines.join("\n"));
    let documents: Vec<Document> = source.by_ref().collect::<Result<_, _>>().unwrap();
    assert_eq!(documents[0].sentences, ["A bee.", "See dots."]);
    assert_eq!(
        (documents[0].pmid, &documents[0].cites[..]),
        (Some(12), &[3][..])
    );
    assert_eq!(documents[1].sentences, ["Ear five.", "Go home."]);
    assert_eq!(documents[2].pmid, Some(9));
    let counts = source.counts();
    assert_eq!((counts.read, counts.given, counts.empty), (4, 3, 1));
}

#[test]
fn a_bad_line_of_a_corpus_is_named() {
    let dir = TempDir::new().unwrap();
    for (line, what) in [
        (r#"{"abstract": "x"}"#, "none of `text`"),
        (r#"{"text": 5}"#, "neither a text nor a list"),
        (r#"{"_id": "MED-10", "text": "x"}"#, "NFCorpus"),
    ] {
        let source = open(
            &dir,
            "corpus.jsonl",
            &format!("{{\"text\": \"fine\"}}\n{line}\n{line}\n"),
        );
        let read: Vec<_> = source.collect();
        assert_eq!(read.len(), 2, "it ends after the error");
        let message = read[1].as_ref().unwrap_err().to_string();
        assert!(
            message.contains("line 2") && message.contains(what),
            "{message}"
        );
    }
}

#[test]
fn held_out_documents_are_left_out_and_counted() {
    let dir = TempDir::new().unwrap();
    let held = dir.path().join("held.jsonl");
    let line = r#"{"_id": "1", "title": "Held", "text": "x", "metadata": {"pmid": "12"}}"#;
    fs::write(&held, line).unwrap();
    let path = dir.path().join("corpus.jsonl");
    let lines = [
        r#"{"title": "Other", "text": "By its PMID.", "pmid": 12}"#,
        r#"{"title": "held", "text": "By its title."}"#,
        r#"{"title": "Free", "text": "Stays."}"#,
    ];
    fs::write(&path, lines.join("\n")).unwrap();
    let name = |path: &std::path::Path| vec![path.to_string_lossy().into_owned()];
    let spec = CorpusSpec {
        files: name(&path),
        exclude: name(&held),
    };
    let mut source = Documents::open(&spec).unwrap();
    let titles: Vec<String> = source
        .by_ref()
        .map(|document| document.unwrap().title)
        .collect();
    assert_eq!(titles, ["Free"]);
    let counts = source.counts();
    assert_eq!((counts.read, counts.given, counts.excluded), (3, 1, 2));

    let articles = [("12", "Other"), ("13", "Free"), ("14", "HELD")].map(|(id, title)| {
        let mut article = Article::new(ArticleId::new(id).unwrap());
        article.title = title.into();
        Ok(article)
    });
    let exclusions = Arc::new(Exclusions::read(&spec.exclude).unwrap());
    let documents: Vec<_> = documents_of(articles, exclusions)
        .map(Result::unwrap)
        .collect();
    assert_eq!(documents.len(), 1);
    assert_eq!(
        (documents[0].id.as_str(), documents[0].pmid),
        ("13", Some(13))
    );
}

#[test]
fn a_corpus_for_measuring_or_of_another_form_is_refused() {
    let dir = TempDir::new().unwrap();
    for (name, what) in [
        ("scifact.jsonl", "for measuring only"),
        ("table.tsv", "not a corpus"),
        ("articles.xml", "neither .jsonl nor .txt"),
    ] {
        let path = dir.path().join(name);
        fs::write(&path, "x").unwrap();
        let spec = CorpusSpec {
            files: vec![path.to_string_lossy().into_owned()],
            exclude: Vec::new(),
        };
        let error = Documents::open(&spec).map_or_else(Err, |mut read| read.next().unwrap());
        let message = error.unwrap_err().to_string();
        assert!(message.contains(what), "{message}");
    }
}
