use super::*;
use crate::record::tests::record;
use candle_core::{DType, Device, Tensor};
use medsift::encoder::parts::{
    Architecture, Family, Layout, ModelDirectory, Weights, kernel::Activation,
};
use medsift::encoder::{Encoder, EncoderOptions, Pooling};
use medsift::{ErrorKind, Result};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A small model of the fixtures.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures/models")
        .join(name)
}

/// A fixture's architecture and weights.
fn load(name: &str) -> (Architecture, HashMap<String, Tensor>) {
    let dir = fixture(name);
    let architecture = Architecture::read(&dir.join("config.json")).unwrap();
    let path = medsift::encoder::parts::find_checkpoint(&dir).unwrap();
    let weights = Weights::read(&path, &architecture).unwrap();
    let named = Layout::of(&architecture)
        .parameters(&architecture)
        .into_iter()
        .map(|parameter| {
            let tensor = weights.tensor(&parameter.name).unwrap();
            (parameter.name, tensor)
        })
        .collect();
    (architecture, named)
}

fn saved<'a>(
    architecture: &'a Architecture,
    weights: &'a HashMap<String, Tensor>,
    start: &'a Path,
    directory: &'a ModelDirectory,
) -> SavedModel<'a> {
    SavedModel {
        architecture,
        weights,
        heads: None,
        start: Some(start),
        tokenizer: TokenizerSource::Copy(start),
        pooling: directory.pooling,
        dense: &[],
        normalise: directory.normalise,
        max_tokens: directory.max_tokens.unwrap_or(architecture.max_tokens()),
        lower_case: directory.lower_case,
        query_prompt: &directory.query_prompt,
        passage_prompt: &directory.passage_prompt,
        format: WeightFormat::F32,
        prefix: "",
        card: None,
        files: Vec::new(),
    }
}

fn vector(dir: &Path) -> Vec<f32> {
    let options = EncoderOptions {
        threads: Some(1),
        ..EncoderOptions::default()
    };
    let encoder = Encoder::open(dir, options).unwrap();
    encoder.encode_query("statins and muscle pain").unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn every_family_is_written_so_that_it_is_the_same_model() {
    for name in ["bert-mean", "bert-cls-old", "roberta-max", "distilbert"] {
        let start = fixture(name);
        let (architecture, weights) = load(name);
        let directory = ModelDirectory::read(&start).unwrap();
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("model");
        let model = saved(&architecture, &weights, &start, &directory);
        model.write(&dir).unwrap();
        model.write(&dir).unwrap();
        assert_eq!(
            Architecture::read(&dir.join("config.json")).unwrap(),
            architecture,
            "{name}"
        );
        let again = ModelDirectory::read(&dir).unwrap();
        assert_eq!(
            (
                again.pooling,
                again.normalise,
                &again.query_prompt,
                again.lower_case
            ),
            (
                directory.pooling,
                directory.normalise,
                &directory.query_prompt,
                directory.lower_case
            )
        );
        assert_eq!(vector(&dir), vector(&start), "{name}");
        let config = fs::read_to_string(dir.join("config.json")).unwrap();
        assert!(!config.contains("_name_or_path"), "{name}");
        assert_eq!(
            fs::read_dir(root.path()).unwrap().count(),
            1,
            "no scratch is left"
        );
    }
}

#[test]
fn stored_precisions_cost_what_they_should() {
    let start = fixture("bert-mean");
    let (architecture, weights) = load("bert-mean");
    let directory = ModelDirectory::read(&start).unwrap();
    let root = tempfile::tempdir().unwrap();
    let write = |format: WeightFormat, name: &str| {
        let mut model = saved(&architecture, &weights, &start, &directory);
        model.format = format;
        let dir = root.path().join(name);
        model.write(&dir).unwrap();
        let bytes = fs::metadata(dir.join(format.file_name())).unwrap().len();
        (dir, bytes)
    };
    let (whole, four) = write(WeightFormat::F32, "f32");
    let (half, two) = write(WeightFormat::F16, "f16");
    let (bytes, one) = write(WeightFormat::Int8, "int8");
    let numbers: usize = weights.values().map(Tensor::elem_count).sum();
    assert!(four as usize >= 4 * numbers && (four as usize) < 4 * numbers + 8192);
    assert!(two as usize >= 2 * numbers && (two as usize) < 2 * numbers + 8192);
    // Of rows of 32 numbers each has a scale of four bytes; vectors stay.
    assert!((one as usize) < 2 * numbers, "{one} {two} {four}");
    let exact = vector(&whole);
    assert!(cosine(&exact, &vector(&half)) > 0.99999);
    assert!(cosine(&exact, &vector(&bytes)) > 0.999);
    assert_ne!(exact, vector(&bytes));

    let read = |dir: &Path| {
        let path = medsift::encoder::parts::find_checkpoint(dir).unwrap();
        Weights::read(&path, &architecture).unwrap()
    };
    let restored = read(&bytes);
    for (name, tensor) in &weights {
        let original: Vec<f32> = tensor.flatten_all().unwrap().to_vec1().unwrap();
        let width = *tensor.dims().last().unwrap();
        let expected = if tensor.dims().len() > 1 {
            quantise_rows(&original, width).restore()
        } else {
            original
        };
        assert_eq!(restored.numbers(name).unwrap(), expected, "{name}");
    }
}

#[test]
fn heads_and_prefix_are_passed_over_by_the_encoder() {
    let start = fixture("bert-mean");
    let (architecture, weights) = load("bert-mean");
    let directory = ModelDirectory::read(&start).unwrap();
    let bias = Tensor::zeros(architecture.vocabulary, DType::F32, &Device::Cpu).unwrap();
    let heads = HashMap::from([("cls.predictions.bias".to_owned(), bias)]);
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("model");
    let mut model = saved(&architecture, &weights, &start, &directory);
    model.heads = Some(&heads);
    model.prefix = "bert.";
    model.card = Some("# Card\n");
    model.files = vec![("run.json", b"{}".to_vec())];
    model.write(&dir).unwrap();
    let read = medsift::encoder::parts::read_checkpoint(&dir.join("model.safetensors")).unwrap();
    assert!(read.contains_key("bert.embeddings.word_embeddings.weight"));
    assert!(read.contains_key("cls.predictions.bias"));
    assert_eq!(vector(&dir), vector(&start));
    assert_eq!(
        fs::read_to_string(dir.join("README.md")).unwrap(),
        "# Card\n"
    );
    assert!(dir.join("run.json").exists());
    let config = fs::read_to_string(dir.join("config.json")).unwrap();
    assert!(config.contains("BertForPreTraining"));
}

#[test]
fn what_cannot_be_a_model_is_not_written() {
    let start = fixture("bert-mean");
    let (architecture, mut weights) = load("bert-mean");
    let directory = ModelDirectory::read(&start).unwrap();
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("model");
    let write = |weights: &HashMap<String, Tensor>, format| -> Result<()> {
        let mut model = saved(&architecture, weights, &start, &directory);
        model.format = format;
        model.write(&dir)
    };
    let name = "encoder.layer.0.output.dense.bias".to_owned();
    let set = |x: f32| Tensor::full(x, architecture.hidden, &Device::Cpu).unwrap();
    for (bias, format) in [
        (set(f32::NAN), WeightFormat::F32),
        (set(f32::INFINITY), WeightFormat::Int8),
        (set(1e6), WeightFormat::F16),
    ] {
        weights.insert(name.clone(), bias);
        let error = write(&weights, format).unwrap_err();
        assert!(error.to_string().contains(&name), "{error}");
        assert!(!dir.exists());
    }
    weights.remove(&name);
    assert!(
        write(&weights, WeightFormat::F32)
            .unwrap_err()
            .to_string()
            .contains(&name)
    );
    weights.insert(name, set(0.0));
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("thesis.txt"), "years of work").unwrap();
    let error = write(&weights, WeightFormat::F32).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert!(dir.join("thesis.txt").exists());
}

#[test]
fn random_weights_make_a_model_from_nothing() {
    let texts = [
        "muscle pain under statins",
        "statins lower cholesterol",
        "pain in muscles",
    ];
    let options = crate::vocabulary::VocabularyOptions {
        size: 80,
        cased: false,
        min_frequency: 1,
    };
    let tokenizer = crate::vocabulary::train_vocabulary(texts.into_iter(), &options).unwrap();
    let architecture = Architecture {
        family: Family::Bert,
        hidden: 16,
        layers: 2,
        heads: 2,
        intermediate: 32,
        vocabulary: tokenizer.get_vocab_size(true),
        positions: 40,
        first_position: 0,
        token_types: 2,
        distances: 0,
        activation: Activation::Gelu,
        epsilon: 1e-12,
    };
    let weights = initialise(&architecture, 1).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let model = SavedModel {
        architecture: &architecture,
        weights: &weights,
        heads: None,
        start: None,
        tokenizer: TokenizerSource::New {
            tokenizer: &tokenizer,
            cased: false,
        },
        pooling: Pooling::Mean,
        dense: &[],
        normalise: true,
        max_tokens: 32,
        lower_case: false,
        query_prompt: "",
        passage_prompt: "",
        format: WeightFormat::F32,
        prefix: "",
        card: None,
        files: Vec::new(),
    };
    model.write(dir.path()).unwrap();
    let read = Architecture::read(&dir.path().join("config.json")).unwrap();
    assert_eq!(read, architecture);
    let once = vector(dir.path());
    assert!((cosine(&once, &once) - 1.0).abs() < 1e-5);
    // The list of words alone makes the same tokenizer.
    fs::remove_file(dir.path().join("tokenizer.json")).unwrap();
    assert_eq!(vector(dir.path()), once);

    let again = initialise(&architecture, 1).unwrap();
    let other = initialise(&architecture, 2).unwrap();
    let flat = |tensor: &Tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    for (name, tensor) in &weights {
        assert_eq!(flat(tensor), flat(&again[name]), "{name}");
        if tensor.dims().len() > 1 {
            assert_ne!(flat(tensor), flat(&other[name]), "{name}");
        } else {
            let expected = if name.ends_with(".weight") { 1.0 } else { 0.0 };
            assert!(flat(tensor).iter().all(|&x| x == expected), "{name}");
        }
    }
}

#[test]
fn the_card_says_what_was_done() {
    let notes = CardNotes {
        name: "medsift-tiny".into(),
        purpose: "Search over abstracts.".into(),
        limits: vec!["English only.".into()],
        licence: Some("apache-2.0".into()),
    };
    let card = model_card(&record(), &notes);
    for wanted in [
        "license: apache-2.0",
        "# medsift-tiny",
        "minilm, checkpoint SHA-256 `53aa`",
        "in 1 min 30 s on",
        "| nli | nli/snli.tsv | 3 | CC BY-SA 4.0 | `ab` |",
        "| nli | softmax | 1 pass | 16 | model's | 0.00002 | 0.1 | linear | 0.01 | 1 | f32 |",
        "| nli | 0.8300 | 0.7000 |",
        "- English only.",
        "medsift train run config/train/x.toml",
    ] {
        assert!(card.contains(wanted), "{wanted}\n{card}");
    }
}
