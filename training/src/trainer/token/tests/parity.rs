//! Twenty steps against PyTorch, recorded by
//! `tests/reference/make_training_reference.py`.

use super::super::TokenLesson;
use super::super::head::TAGGER;
use super::fixture;
use crate::Place;
use crate::config::TrainConfig;
use crate::data::Batch;
use crate::optimiser::{AdamW, AdamWSettings, Schedule, ScheduleKind, apply, norm_of};
use crate::trainer::start::Start;
use candle_core::{Device, Tensor};
use medsift::encoder::parts::Layout;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
struct Reference {
    hyper: Hyper,
    types: Vec<String>,
    sets: Vec<RecordedSet>,
    batches: Vec<RecordedBatch>,
    weights: BTreeMap<String, f64>,
    head: Head,
    losses: Vec<f64>,
    gradient_norms: Vec<f64>,
}

#[derive(Deserialize)]
struct Hyper {
    steps: usize,
    learning_rate: f64,
    betas: [f64; 2],
    epsilon: f64,
    weight_decay: f64,
    warmup_steps: usize,
    max_gradient_norm: f64,
}

#[derive(Deserialize)]
struct RecordedSet {
    sentences: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Sentence {
    words: Vec<String>,
    tags: Vec<String>,
}

#[derive(Deserialize)]
struct RecordedBatch {
    set: usize,
    examples: Vec<usize>,
}

#[derive(Deserialize)]
struct Head {
    weight: Vec<Vec<f32>>,
    bias: Vec<f32>,
}

/// The stage that the record describes, its sets written as files.
fn stage(reference: &Reference, dir: &Path) -> TrainConfig {
    let mut data = String::new();
    for (number, set) in reference.sets.iter().enumerate() {
        let mut text = String::new();
        for sentence in &set.sentences {
            for (word, tag) in sentence.words.iter().zip(&sentence.tags) {
                writeln!(text, "{word}\t{tag}").unwrap();
            }
            text.push('\n');
        }
        let path = dir.join(format!("set-{number}.tsv"));
        std::fs::write(&path, text).unwrap();
        writeln!(data, "[[stage.data]]\nfiles = [{path:?}]").unwrap();
    }
    let hyper = &reference.hyper;
    let mut text = format!(
        "output = \"unused\"\n[base]\nmodel = \"tiny\"\n[[stage]]\nname = \"ner\"\nkind = \"token\"\n\
         steps = {}\nlearning_rate = {}\nweight_decay = {}\n[stage.objective]\ntypes = {:?}\n\
         [stage.objective.weights]\n",
        hyper.steps, hyper.learning_rate, hyper.weight_decay, reference.types
    );
    for (name, weight) in &reference.weights {
        writeln!(text, "{name} = {weight:?}").unwrap();
    }
    TrainConfig::parse(&format!("{text}{data}"), Path::new("ner.toml")).unwrap()
}

fn set_head(lesson: &TokenLesson, head: &Head) {
    let shape = (head.weight.len(), head.weight[0].len());
    let weight = Tensor::from_vec(head.weight.concat(), shape, &Device::Cpu).unwrap();
    let bias = Tensor::new(&head.bias[..], &Device::Cpu).unwrap();
    for (name, value) in [(TAGGER.weight, weight), (TAGGER.bias, bias)] {
        lesson.heads.get(name).unwrap().value.set(&value).unwrap();
    }
}

#[test]
fn twenty_steps_are_those_of_pytorch() {
    let text = std::fs::read(fixture("training/tagging.json")).unwrap();
    let reference: Reference = serde_json::from_slice(&text).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let config = stage(&reference, dir.path());
    let stage = &config.stages[0];
    let start = Start::open(&config, Some(&fixture("models/bert-mean"))).unwrap();
    let mut learner = start.learner(Place::Cpu).unwrap();
    // Two micro-batches, or more.
    learner.micro_batch_tokens = 64;
    let layout = Layout::of(&start.architecture);
    let tokens = learner.max_tokens;
    let mut lesson = TokenLesson::new(stage, 32, tokens, 1, &Device::Cpu).unwrap();
    set_head(&lesson, &reference.head);
    let hyper = &reference.hyper;
    let mut optimiser = AdamW::new(AdamWSettings {
        beta1: hyper.betas[0],
        beta2: hyper.betas[1],
        epsilon: hyper.epsilon,
    });
    let schedule = Schedule {
        kind: ScheduleKind::Linear,
        warmup: hyper.warmup_steps,
        total: hyper.steps,
    };
    assert_eq!(reference.losses.len(), 20);
    for step in 0..hyper.steps {
        let recorded = &reference.batches[step % reference.batches.len()];
        let batch = Batch {
            set: recorded.set,
            examples: recorded.examples.clone(),
        };
        let (loss, _) = lesson.teach(&mut learner, &batch, 0).unwrap();
        let norm = norm_of(&learner.network, &lesson.heads).unwrap();
        let (expected, length) = (reference.losses[step], reference.gradient_norms[step]);
        assert!(
            (loss - expected).abs() < 1e-3 && (norm - length).abs() < 1e-3 * length.max(1.0),
            "step {step}: {loss} and {norm} instead of {expected} and {length}"
        );
        let rate = stage.learning_rate * schedule.factor(step);
        let group = |name: &str| {
            let settings = stage.parameter(name, &layout);
            (rate * settings.factor, settings.weight_decay)
        };
        let parameters = (&mut learner.network, &mut lesson.heads);
        let length = (norm, hyper.max_gradient_norm);
        apply(&mut optimiser, parameters, length, group).unwrap();
    }
}
