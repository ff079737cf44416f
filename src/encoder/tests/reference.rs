use super::super::kernel::InstructionSet;
use super::*;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Expected {
    texts: Vec<String>,
    models: BTreeMap<String, Values>,
}

#[derive(Deserialize)]
struct Values {
    max_tokens: usize,
    tokens: Vec<usize>,
    queries: Vec<Vec<f32>>,
    passages: Vec<Vec<f32>>,
}

fn expected() -> Expected {
    let json = std::fs::read_to_string(fixture("expected.json")).unwrap();
    serde_json::from_str(&json).unwrap()
}

#[test]
fn every_form_of_model_gives_the_recorded_vectors() {
    let expected = expected();
    assert_eq!(expected.models.len(), 6);
    for (name, values) in &expected.models {
        for set in InstructionSet::all() {
            let encoder =
                Encoder::open_with(&fixture(name), EncoderOptions::default(), set).unwrap();
            assert_eq!(encoder.max_tokens(), values.max_tokens, "{name}");
            let passages = encoder.encode_passages(&expected.texts).unwrap();
            for (i, text) in expected.texts.iter().enumerate() {
                let off = distance(passages.row(i), &values.passages[i]);
                assert!(off < 2e-5, "{name}, {set:?}, passage `{text}`: {off}");
                let query = encoder.encode_query(text).unwrap();
                let off = distance(&query, &values.queries[i]);
                assert!(off < 2e-5, "{name}, {set:?}, query `{text}`: {off}");
            }
        }
    }
}

#[test]
fn prompts_change_the_vector_and_are_counted() {
    let expected = expected();
    let encoder = open("bert-mean");
    let fingerprint = encoder.fingerprint();
    assert_eq!(fingerprint.query_prompt, "query: ");
    assert_eq!(fingerprint.passage_prompt, "passage: ");
    assert!(fingerprint.normalise);
    let options = EncoderOptions {
        query_prompt: Some(String::new()),
        passage_prompt: Some(String::new()),
        ..EncoderOptions::default()
    };
    let plain = Encoder::open(&fixture("bert-mean"), options).unwrap();
    assert_ne!(plain.fingerprint(), fingerprint);
    for (text, tokens) in expected
        .texts
        .iter()
        .zip(&expected.models["bert-mean"].tokens)
    {
        assert_eq!(plain.token_count(text).unwrap(), *tokens);
        assert!(encoder.token_count(text).unwrap() > *tokens);
    }
    let text = &expected.texts[0];
    assert_ne!(
        plain.encode_query(text).unwrap(),
        encoder.encode_query(text).unwrap()
    );
}

#[test]
fn tokens_are_counted_as_the_reference_counts_them() {
    let expected = expected();
    for name in ["bert-cls-old", "roberta-max", "distilbert", "mpnet"] {
        let encoder = open(name);
        for (text, tokens) in expected.texts.iter().zip(&expected.models[name].tokens) {
            assert_eq!(
                encoder.token_count(text).unwrap(),
                *tokens,
                "{name}: {text}"
            );
        }
    }
}

#[test]
fn linear_layers_behind_the_pooling_are_part_of_what_a_vector_is() {
    let encoder = open("dense");
    assert_eq!((encoder.hidden(), encoder.dimension()), (32, 16));
    let fingerprint = encoder.fingerprint();
    let mut other = fingerprint.clone();
    assert!(other.dense.take().is_some());
    assert_ne!(&other, fingerprint);
    assert_ne!(other.vectors_sha256(), fingerprint.vectors_sha256());
    assert!(open("bert-mean").fingerprint().dense.is_none());
}

#[test]
fn a_model_without_sentence_files_gets_the_mean_unnormalised() {
    let encoder = open("distilbert");
    assert_eq!(encoder.fingerprint().pooling, crate::encoder::Pooling::Mean);
    assert!(!encoder.fingerprint().normalise);
    assert_eq!(encoder.dimension(), 32);
    assert_eq!(encoder.max_tokens(), 48);
}
