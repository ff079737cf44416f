use super::{distance, open};
use crate::encoder::{Encoder, EncoderOptions, Keep, Role};
use std::fs;

#[test]
fn a_role_is_the_prompt_before_a_text() {
    // The words of the model's own prompts are unknown to its small vocabulary.
    let options = EncoderOptions {
        query_prompt: Some("muscle: ".to_owned()),
        ..EncoderOptions::default()
    };
    let encoder = Encoder::open(&super::fixture("bert-mean"), options).unwrap();
    let text = "Statins and muscle pain";
    let query = encoder.encode_as(Role::Query, &[text]).unwrap();
    let passage = encoder.encode_as(Role::Passage, &[text]).unwrap();
    assert_eq!(query.row(0), encoder.encode_query(text).unwrap());
    assert_eq!(passage, encoder.encode_passages(&[text]).unwrap());
    assert!(distance(query.row(0), passage.row(0)) > 0.0);
    let tokens = encoder.tokens_as(Role::Passage, text).unwrap();
    assert_eq!(tokens, encoder.token_count(text).unwrap());
    assert!(encoder.text_tokens(text).unwrap() < tokens);
}

#[test]
fn a_text_is_shortened_from_either_end_and_only_as_far_as_needed() {
    for name in ["bert-mean", "roberta-max"] {
        let encoder = open(name);
        let text = "Immunohistochemistry of α-synuclein, ‘quoted’ and 12.5 mg. ".repeat(20);
        for role in [Role::Query, Role::Passage] {
            for keep in [Keep::Beginning, Keep::End] {
                let part = encoder.shortened(role, &text, keep).unwrap();
                let tokens = encoder.tokens_as(role, part).unwrap();
                assert!(tokens <= encoder.max_tokens(), "{name}: {tokens}");
                assert!(tokens + 8 > encoder.max_tokens(), "{name}: {tokens}");
                match keep {
                    Keep::Beginning => assert!(text.starts_with(part)),
                    Keep::End => assert!(text.ends_with(part)),
                }
            }
            let short = "Short.";
            assert_eq!(encoder.shortened(role, short, Keep::End).unwrap(), short);
        }
    }
}

#[test]
fn a_model_says_to_which_lengths_its_vectors_may_be_cut() {
    assert!(open("bert-mean").matryoshka().is_empty());
    let from = super::fixture("bert-mean");
    let dir = tempfile::tempdir().unwrap();
    let pooling = dir.path().join("1_Pooling");
    fs::create_dir(&pooling).unwrap();
    for folder in [from.clone(), from.join("1_Pooling")] {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                let inside = entry.path();
                let name = inside.strip_prefix(&from).unwrap();
                fs::copy(&inside, dir.path().join(name)).unwrap();
            }
        }
    }
    let path = dir.path().join("config_sentence_transformers.json");
    let declared = r#"{"prompts": {}, "matryoshka_dimensions": [16, 8, 16, 4096, 0]}"#;
    fs::write(path, declared).unwrap();
    let encoder = Encoder::open(dir.path(), EncoderOptions::default()).unwrap();
    assert_eq!(encoder.matryoshka(), [8, 16]);
    assert!(encoder.dimension() > 16);
}
