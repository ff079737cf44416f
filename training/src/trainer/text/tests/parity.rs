//! Twenty steps against PyTorch, recorded by
//! `tests/reference/make_training_reference.py`.

use super::super::TextLesson;
use super::super::head::CLASSIFIER;
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
    labels: Vec<String>,
    texts: Vec<Text>,
    batches: Vec<Vec<usize>>,
    weights: BTreeMap<String, f64>,
    head: Head,
    cases: Vec<Case>,
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
struct Text {
    text: String,
    label: String,
}

#[derive(Deserialize)]
struct Head {
    weight: Vec<Vec<f32>>,
    bias: Vec<f32>,
}

#[derive(Deserialize)]
struct Case {
    pooling: String,
    pooler: bool,
    losses: Vec<f64>,
    gradient_norms: Vec<f64>,
}

/// The stage that the record describes, its texts written as a file.
fn stage(reference: &Reference, case: &Case, dir: &Path) -> TrainConfig {
    let mut rows = String::from("label\ttext\n");
    for text in &reference.texts {
        writeln!(rows, "{}\t{}", text.label, text.text).unwrap();
    }
    let path = dir.join("texts.tsv");
    std::fs::write(&path, rows).unwrap();
    let hyper = &reference.hyper;
    let mut text = format!(
        "output = \"unused\"\n[base]\nmodel = \"tiny\"\n[[stage]]\nname = \"text\"\nkind = \"text\"\n\
         steps = {}\nlearning_rate = {}\nweight_decay = {}\n[stage.objective]\nlabels = {:?}\n\
         pooling = {:?}\npooler = {}\n[stage.objective.weights]\n",
        hyper.steps,
        hyper.learning_rate,
        hyper.weight_decay,
        reference.labels,
        case.pooling,
        case.pooler
    );
    for (name, weight) in &reference.weights {
        writeln!(text, "{name} = {weight:?}").unwrap();
    }
    let data = format!("[[stage.data]]\nfiles = [{path:?}]\n");
    TrainConfig::parse(&format!("{text}{data}"), Path::new("text.toml")).unwrap()
}

fn set_head(lesson: &TextLesson, head: &Head) {
    let shape = (head.weight.len(), head.weight[0].len());
    let weight = Tensor::from_vec(head.weight.concat(), shape, &Device::Cpu).unwrap();
    let bias = Tensor::new(&head.bias[..], &Device::Cpu).unwrap();
    for (name, value) in [(CLASSIFIER.weight, weight), (CLASSIFIER.bias, bias)] {
        lesson.heads.get(name).unwrap().value.set(&value).unwrap();
    }
}

#[test]
fn twenty_steps_are_those_of_pytorch() {
    let text = std::fs::read(fixture("training/labelling.json")).unwrap();
    let reference: Reference = serde_json::from_slice(&text).unwrap();
    assert_eq!(reference.cases.len(), 3);
    for case in &reference.cases {
        compare(&reference, case);
    }
}

fn compare(reference: &Reference, case: &Case) {
    let dir = tempfile::tempdir().unwrap();
    let config = stage(reference, case, dir.path());
    let stage = &config.stages[0];
    let start = Start::open(&config, Some(&fixture("models/bert-mean"))).unwrap();
    let mut learner = start.learner(Place::Cpu).unwrap();
    // Two micro-batches, or more.
    learner.micro_batch_tokens = 64;
    let layout = Layout::of(&start.architecture);
    let tokens = learner.max_tokens;
    let mut lesson = TextLesson::new(stage, &start, tokens, 1, &Device::Cpu).unwrap();
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
    assert_eq!(case.losses.len(), 20);
    for step in 0..hyper.steps {
        let examples = reference.batches[step % reference.batches.len()].clone();
        let batch = Batch { set: 0, examples };
        let (loss, _) = lesson.teach(&mut learner, &batch, 0).unwrap();
        let norm = norm_of(&learner.network, &lesson.heads).unwrap();
        let (expected, length) = (case.losses[step], case.gradient_norms[step]);
        assert!(
            (loss - expected).abs() < 1e-3 && (norm - length).abs() < 1e-3 * length.max(1.0),
            "{} {}, step {step}: {loss} and {norm} instead of {expected} and {length}",
            case.pooling,
            case.pooler
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
