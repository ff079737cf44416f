//! Heads beside the fixture model, and the offsets of what they find.

pub(crate) mod answer;
mod enricher;
mod text;

use super::*;
use crate::encoder::{Encoder, EncoderOptions};
use crate::error::{ErrorKind, Result};
use candle_core::{Device, Tensor};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// Numbers in a state of the fixture model.
const HIDDEN: usize = 32;

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models/bert-mean")
}

/// A copy of the fixture model.
fn model() -> TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let to = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &to);
            } else {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
    let dir = tempfile::tempdir().unwrap();
    copy(&fixture(), dir.path());
    dir
}

fn encoder(dir: &Path) -> Arc<Encoder> {
    let options = EncoderOptions {
        threads: Some(2),
        ..EncoderOptions::default()
    };
    Arc::new(Encoder::open(dir, options).unwrap())
}

fn types() -> Vec<String> {
    vec!["Disease".to_owned(), "Gene".to_owned()]
}

/// Weights that look random, `5 × HIDDEN`.
fn weights() -> Vec<f32> {
    let number = |at: u32| {
        let mixed = (at + 1).wrapping_mul(0x9e37_79b9);
        let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as f32 / 8192.0 - 4.0
    };
    (0..5 * HIDDEN as u32).map(number).collect()
}

/// A bias with which no tag is more frequent than the others by itself: else
/// one would be found everywhere, and the tests would look at nothing.
fn bias(encoder: &Encoder) -> Vec<f32> {
    let text = "Statins and muscle pain: IL-2 and TNF-α in T cells (p < 0.001).";
    let tokens = vec![encoder.tokenizer().encode(text, 40).unwrap()];
    let sums = encoder.map_states(&tokens, None, |_, states| {
        // Without the special tokens.
        let rows = HIDDEN..states.len() - HIDDEN;
        let count = (rows.len() / HIDDEN) as f32;
        let mut mean = [0.0; HIDDEN];
        for row in states[rows].chunks_exact(HIDDEN) {
            for (sum, value) in mean.iter_mut().zip(row) {
                *sum += value / count;
            }
        }
        let logit = |row: &[f32]| row.iter().zip(&mean).map(|(w, x)| w * x).sum::<f32>();
        weights()
            .chunks_exact(HIDDEN)
            .map(|row| -logit(row))
            .collect::<Vec<f32>>()
    });
    sums.into_iter().flatten().collect()
}

/// Writes a head for the fixture model that says it is for the encoder `sum`.
fn write_head(dir: &Path, name: &str, max_tokens: usize, bias: &[f32], sum: &str) -> Result<()> {
    let config = TokenHeadConfig::new(&types(), HIDDEN, max_tokens, sum.to_owned());
    let weight = Tensor::from_vec(weights(), (5, HIDDEN), &Device::Cpu).unwrap();
    let bias = Tensor::new(bias, &Device::Cpu).unwrap();
    TokenHead::write(dir, name, &config, (&weight, &bias), None)
}

/// A tagger that reads so many tokens at a time.
pub(crate) fn tagger(max_tokens: usize) -> Tagger {
    static MODEL: OnceLock<(TempDir, Arc<Encoder>)> = OnceLock::new();
    let (dir, encoder) = MODEL.get_or_init(|| {
        let dir = model();
        let encoder = encoder(dir.path());
        let (bias, sum) = (bias(&encoder), &encoder.fingerprint().sha256);
        for tokens in [12, 20, 48] {
            write_head(dir.path(), &format!("t{tokens}"), tokens, &bias, sum).unwrap();
        }
        (dir, encoder)
    });
    let name = format!("t{max_tokens}");
    Tagger::open(Arc::clone(encoder), dir.path(), Some(&name)).unwrap()
}

/// What holds of all entities of a text.
fn check(text: &str, entities: &[Entity]) {
    let characters: Vec<char> = text.chars().collect();
    let mut end = 0;
    for entity in entities {
        assert!(
            end <= entity.start && entity.start < entity.end,
            "{entities:?}"
        );
        let mention: String = characters[entity.start..entity.end].iter().collect();
        assert_eq!(mention, entity.text);
        assert_eq!(mention.trim(), mention);
        assert!((0.0..=1.0).contains(&entity.score));
        end = entity.end;
    }
}

#[test]
fn mentions_are_what_stands_between_their_offsets() {
    let texts = [
        "Statins and muscle pain in patients.",
        "IL-2 and TNF-α in CD4+ T cells (p < 0.001). β-catenin in the tumour.",
        "  Sjo\u{308}gren’s syndrome — naïve 𝛼-cells\u{200b}and İstanbul criteria.\n",
        // As the parser leaves <i>, <sup> and <sub>: nothing but their text.
        "Ca2+ and CO2 in Escherichia coli; 99mTc, H2O2. 東京 cells 🧬 DNA",
        "",
        "   ",
    ];
    let tagger = tagger(48);
    let found = tagger.annotate(&texts).unwrap();
    assert_eq!(found.len(), texts.len());
    for (text, entities) in texts.iter().zip(&found) {
        check(text, entities);
        // Alone as among others.
        assert_eq!(&tagger.annotate(&[text]).unwrap()[0], entities);
    }
    assert!(found.iter().flatten().count() > 5, "{found:?}");
}

#[test]
fn inline_markup_leaves_offsets_of_the_plain_text() {
    use crate::article::{Markup, MarkupSpan, RichText};
    let title = RichText {
        plain: "Effects of Ca2+ on Escherichia coli".to_owned(),
        markup: vec![
            MarkupSpan {
                start: 13,
                end: 15,
                kind: Markup::Sup,
            },
            MarkupSpan {
                start: 19,
                end: 35,
                kind: Markup::I,
            },
        ],
    };
    let found = tagger(48).annotate(&[&title.plain]).unwrap();
    check(&title.plain, &found[0]);
}

#[test]
fn windows_lose_and_double_nothing() {
    let sentence = "muscle pain and TNF-α in patients with weakness of the cells ".repeat(12);
    for max_tokens in [12, 20] {
        let tagger = tagger(max_tokens);
        let found = &tagger.annotate(&[&sentence]).unwrap()[0];
        check(&sentence, found);
        assert!(found.len() > 5, "{found:?}");
        let words: Vec<&str> = words(&sentence).into_iter().map(|w| &sentence[w]).collect();
        let count = words.len();
        let tags = &tagger.tag(&[words]).unwrap()[0];
        assert_eq!(tags.len(), count);
        let begun = tags
            .iter()
            .filter(|&&tag| tag != 0 && TagSet::is_begin(tag))
            .count();
        assert_eq!(begun, found.len(), "as many entities as beginnings");
        let mut before = None;
        for &tag in tags {
            assert!(TagSet::follows(before, tag));
            before = Some(tag);
        }
    }
}

#[test]
fn scores_are_those_of_the_linear_layer() {
    let tagger = tagger(48);
    let state: Vec<f32> = (0..HIDDEN).map(|at| (at as f32 / 7.0).sin()).collect();
    let mut scores = Vec::new();
    tagger.head().score(&state, &mut scores);
    let bias = bias(&encoder(&fixture()));
    let rows = weights();
    let logits: Vec<f32> = rows
        .chunks_exact(HIDDEN)
        .zip(&bias)
        .map(|(row, bias)| row.iter().zip(&state).map(|(w, x)| w * x).sum::<f32>() + bias)
        .collect();
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let sum: f32 = logits.iter().map(|x| (x - most).exp()).sum();
    for (score, logit) in scores.iter().zip(&logits) {
        assert!(
            (score - (logit - most - sum.ln())).abs() < 1e-3,
            "{scores:?} {logits:?}"
        );
    }
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    let dir = model();
    let encoder = encoder(dir.path());
    let open = |name: Option<&str>| Tagger::open(Arc::clone(&encoder), dir.path(), name);
    let refused = |name: Option<&str>, kind: ErrorKind, part: &str| {
        let error = open(name).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    };
    refused(None, ErrorKind::NotFound, "kind `token`");
    let bias = bias(&encoder);
    write_head(dir.path(), "one", 48, &bias, &encoder.fingerprint().sha256).unwrap();
    assert_eq!(open(None).unwrap().head().name(), "one");
    refused(Some("two"), ErrorKind::NotFound, "there are: one");
    write_head(dir.path(), "other", 48, &bias, "0123456789abcdef").unwrap();
    refused(None, ErrorKind::InvalidInput, "one, other");
    refused(Some("other"), ErrorKind::Incompatible, "0123456789ab");

    let folder = dir.path().join("heads/one");
    let path = folder.join("config.json");
    let config = fs::read_to_string(&path).unwrap();
    for (from, to, kind, part) in [
        (
            "\"Gene\"",
            "\"Gene\", \"Cell\"",
            ErrorKind::Incompatible,
            "[5, 32]",
        ),
        (
            "\"format\": 1",
            "\"format\": 9",
            ErrorKind::Incompatible,
            "format 9",
        ),
        (
            "\"entities\"",
            "\"answers\"",
            ErrorKind::Incompatible,
            "answers",
        ),
        ("\"hidden\"", "\"hiden\"", ErrorKind::Corrupt, "hiden"),
        ("{", "", ErrorKind::Corrupt, "config.json"),
    ] {
        assert!(config.contains(from), "{config}");
        fs::write(&path, config.replacen(from, to, 1)).unwrap();
        refused(Some("one"), kind, part);
    }
    fs::write(&path, config).unwrap();
    fs::remove_file(folder.join("head.safetensors")).unwrap();
    refused(Some("one"), ErrorKind::NotFound, "head.safetensors");
    for name in ["", "../up", "a b"] {
        let error = write_head(dir.path(), name, 48, &bias, "x").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_gives_mentions_of_its_own(text in "(\\PC| |muscle|pain|[.(-]){0,60}") {
        for max_tokens in [12, 48] {
            check(&text, &tagger(max_tokens).annotate(&[&text]).unwrap()[0]);
        }
    }
}
