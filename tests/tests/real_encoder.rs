//! The encoder with a real model: all-MiniLM-L6-v2.
//!
//! `MEDSIFT_MINILM` names its directory. `tests/reference/minilm.json` holds
//! what sentence-transformers computes (`make_encoder_reference.sh` made it).

use medsift::encoder::{Encoder, EncoderOptions};
use medsift::passage::{split_passages, whole_article};
use medsift::{Article, ArticleId};
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Expected {
    texts: Vec<String>,
    max_tokens: usize,
    tokens: Vec<usize>,
    passages: Vec<Vec<f32>>,
}

fn expected() -> Expected {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference/minilm.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The folder that a variable names, or the default; where it is missing a
/// test says so and ends, except in CI.
#[allow(clippy::print_stderr)]
fn folder(test: &str, variable: &str, default: Option<PathBuf>) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from).or(default);
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        return Some(folder);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{test} needs the folder that {variable} names"
    );
    eprintln!("ignored: {test}: {variable} names no folder");
    None
}

fn minilm(test: &str) -> Option<Encoder> {
    let dir = folder(test, "MEDSIFT_MINILM", None)?;
    Some(Encoder::open(&dir, EncoderOptions::default()).unwrap())
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    apart.fold(0.0, f32::max)
}

#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn minilm_gives_the_recorded_vectors() {
    let Some(encoder) = minilm("minilm_gives_the_recorded_vectors") else {
        return;
    };
    let expected = expected();
    assert_eq!(encoder.max_tokens(), expected.max_tokens);
    assert_eq!(encoder.dimension(), 384);
    for (text, tokens) in expected.texts.iter().zip(&expected.tokens) {
        assert_eq!(encoder.token_count(text).unwrap(), *tokens, "{text}");
    }
    let together = encoder.encode_passages(&expected.texts).unwrap();
    for (i, text) in expected.texts.iter().enumerate() {
        let off = distance(together.row(i), &expected.passages[i]);
        assert!(off < 1e-5, "{text}: {off}");
        let alone = encoder.encode_query(text).unwrap();
        assert_eq!(alone, together.row(i), "{text}");
        let length: f32 = alone.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5);
    }
}

#[derive(Deserialize)]
struct Line {
    _id: String,
    title: String,
    text: String,
}

/// The first articles of NFCorpus.
fn nfcorpus(data: &Path, count: usize) -> Vec<Article> {
    let file = std::fs::File::open(data.join("retrieval/nfcorpus/corpus.jsonl.gz")).unwrap();
    BufReader::new(flate2::read::MultiGzDecoder::new(file))
        .lines()
        .take(count)
        .map(|line| {
            let line: Line = serde_json::from_str(&line.unwrap()).unwrap();
            let mut article = Article::new(ArticleId::new(&line._id).unwrap());
            article.title = line.title.into();
            article.abstract_sections = vec![medsift::article::Section {
                text: line.text.into(),
                ..Default::default()
            }];
            article
        })
        .collect()
}

#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn passages_of_real_articles_lose_nothing_and_fit() {
    let test = "passages_of_real_articles_lose_nothing_and_fit";
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let (Some(encoder), Some(data)) = (minilm(test), folder(test, "MEDSIFT_DATA", Some(default)))
    else {
        return;
    };
    let mut several = 0;
    for article in nfcorpus(&data, 3700) {
        let running = article.running_text().text;
        let passages = split_passages(&article, &encoder).unwrap();
        several += usize::from(passages.len() > 1);
        let mut done = 0;
        for passage in &passages {
            assert!(encoder.token_count(&passage.text).unwrap() <= encoder.max_tokens());
            let start = passage.range.start as usize;
            assert!(running[done..start].trim().is_empty(), "{}", article.id);
            done = passage.range.end as usize;
        }
        assert!(running[done..].trim().is_empty(), "{}", article.id);
        if passages.len() == 1 {
            assert_eq!(passages[0].text, whole_article(&article)[0].text.trim());
        }
    }
    assert!(several > 1000, "only {several} articles were split");
}
