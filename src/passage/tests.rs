use super::*;
use crate::article::Section;
use crate::encoder::{Encoder, EncoderOptions};
use crate::{Article, ArticleId};
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;

/// A small model with word pieces, prompts and windows of 40 tokens.
static WORD_PIECES: LazyLock<Encoder> = LazyLock::new(|| open("bert-mean"));
/// One with byte pairs and windows of 64.
static BYTE_PAIRS: LazyLock<Encoder> = LazyLock::new(|| open("roberta-max"));

fn open(name: &str) -> Encoder {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/models")
        .join(name);
    Encoder::open(&dir, EncoderOptions::default()).unwrap()
}

fn article(title: &str, sections: &[&str], body: &[&str]) -> Article {
    let section = |text: &&str| Section {
        text: (*text).into(),
        ..Section::default()
    };
    let mut article = Article::new(ArticleId::new("1").unwrap());
    article.title = title.into();
    article.abstract_sections = sections.iter().map(section).collect();
    article.body = body.iter().map(section).collect();
    article
}

fn texts(article: &Article) -> Vec<String> {
    let passages = split_passages(article, &WORD_PIECES).unwrap();
    passages.into_iter().map(|passage| passage.text).collect()
}

#[test]
fn a_short_article_is_one_passage() {
    let short = article("Muscle pain.", &["Statins.", "Pain."], &[]);
    let passages = split_passages(&short, &WORD_PIECES).unwrap();
    assert_eq!(passages.len(), 1);
    assert_eq!(passages[0].text, "Muscle pain. Statins. Pain.");
    assert_eq!(passages[0].range, 0..14);
    assert_eq!(passages[0].text, whole_article(&short)[0].text);
}

#[test]
fn nothing_gives_no_passage_and_a_title_alone_gives_one() {
    assert!(texts(&article("", &[], &[])).is_empty());
    assert!(texts(&article(" ", &[" "], &[])).is_empty());
    let passages = split_passages(&article("Muscle pain.", &[], &[]), &WORD_PIECES).unwrap();
    assert_eq!(passages.len(), 1);
    assert_eq!(passages[0].range, 0..0);
    assert_eq!(passages[0].text, "Muscle pain.");
    assert_eq!(texts(&article("", &["Text only."], &[])), ["Text only."]);
}

#[test]
fn windows_end_with_sentences_and_begin_with_the_title() {
    let sentence = "Pain was seen in patients with statins.";
    let long = article("Muscle.", &[&[sentence; 9].join(" ")], &[]);
    let texts = texts(&long);
    assert!(texts.len() > 1);
    for text in &texts {
        assert!(text.starts_with(&format!("Muscle. {sentence}")), "{text}");
        assert!(text.ends_with("statins."), "{text}");
    }
}

#[test]
fn sections_of_a_full_text_share_no_passage() {
    let paper = article(
        "Muscle.",
        &["Statins.", "Pain."],
        &["First part.", "Second part."],
    );
    assert_eq!(
        texts(&paper),
        [
            "Muscle. Statins. Pain.",
            "Muscle. First part.",
            "Muscle. Second part."
        ]
    );
}

#[test]
fn a_title_longer_than_a_window_is_kept_whole_in_passages_of_its_own() {
    let title = (0..60)
        .map(|i| format!("w{i}"))
        .collect::<Vec<_>>()
        .join(" ");
    let passages = split_passages(&article(&title, &["Statins."], &[]), &WORD_PIECES).unwrap();
    let alone: Vec<&str> = passages
        .iter()
        .filter(|passage| passage.range.is_empty())
        .map(|passage| passage.text.as_str())
        .collect();
    assert!(alone.len() > 1);
    assert_eq!(alone.join(" "), title);
    let last = passages.last().unwrap();
    assert!(
        last.text.starts_with("w0 w1") && last.text.ends_with(" Statins."),
        "{}",
        last.text
    );
}

#[test]
fn a_word_longer_than_a_window_is_cut() {
    let sequence = "acgt".repeat(200);
    let passages = split_passages(&article("", &[&sequence], &[]), &WORD_PIECES).unwrap();
    let joined: String = passages
        .iter()
        .map(|passage| passage.text.as_str())
        .collect();
    assert_eq!(joined, sequence);
}

fn prose() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => "[a-zA-Z]{1,9}",
        2 => "[a-z]{1,3}[.?!]",
        1 => "[0-9]\\.[0-9]",
        1 => "[α-ω漢字é  ]{1,6}",
        1 => "[a-z0-9]{60,120}",
        1 => "\\PC{0,9}",
    ];
    proptest::collection::vec(word, 0..90).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn nothing_is_lost_and_everything_fits(
        title in prop_oneof![3 => "[A-Za-z ]{0,40}".boxed(), 1 => prose().boxed()],
        sections in proptest::collection::vec(prose(), 0..3),
        body in proptest::collection::vec(prose(), 0..3),
        bytes in any::<bool>(),
    ) {
        let sections: Vec<&str> = sections.iter().map(String::as_str).collect();
        let body: Vec<&str> = body.iter().map(String::as_str).collect();
        let article = article(&title, &sections, &body);
        let running = article.running_text().text;
        let encoder: &Encoder = if bytes { &BYTE_PAIRS } else { &WORD_PIECES };
        let passages = split_passages(&article, encoder).unwrap();
        let mut done = 0;
        for (i, passage) in passages.iter().enumerate() {
            prop_assert_eq!(passage.ordinal as usize, i);
            let tokens = encoder.token_count(&passage.text).unwrap();
            prop_assert!(tokens <= encoder.max_tokens(), "{} tokens: {}", tokens, passage.text);
            if passage.range.is_empty() {
                continue;
            }
            let (start, end) = (passage.range.start as usize, passage.range.end as usize);
            prop_assert!(start >= done, "ranges overlap");
            prop_assert!(running[done..start].trim().is_empty(), "text between ranges");
            prop_assert!(passage.text.ends_with(&running[start..end]));
            done = end;
        }
        prop_assert!(running[done..].trim().is_empty(), "text behind the last range");
        let empty = title.trim().is_empty() && running.trim().is_empty();
        prop_assert_eq!(passages.is_empty(), empty);
    }
}
