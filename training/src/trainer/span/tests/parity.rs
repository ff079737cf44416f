//! Twenty steps against PyTorch, recorded by
//! `tests/reference/make_training_reference.py`.

use super::super::SpanLesson;
use super::super::head::SPAN;
use super::fixture;
use crate::Place;
use crate::config::TrainConfig;
use crate::data::Batch;
use crate::optimiser::{AdamW, AdamWSettings, Schedule, ScheduleKind, apply, norm_of};
use crate::trainer::start::Start;
use candle_core::{Device, Tensor};
use medsift::encoder::parts::Layout;
use serde::Deserialize;
use serde_json::json;
use std::path::Path;

#[derive(Deserialize)]
struct Reference {
    hyper: Hyper,
    lengths: Lengths,
    questions: Vec<Question>,
    batches: Vec<Vec<usize>>,
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
struct Lengths {
    max_tokens: usize,
    max_question: usize,
    doc_stride: usize,
}

#[derive(Deserialize)]
struct Question {
    question: String,
    passage: String,
    answer: Option<[usize; 2]>,
}

#[derive(Deserialize)]
struct Head {
    weight: Vec<Vec<f32>>,
    bias: Vec<f32>,
}

/// The stage that the record describes, its questions written as a file.
fn stage(reference: &Reference, dir: &Path) -> TrainConfig {
    let articles: Vec<_> = reference
        .questions
        .iter()
        .enumerate()
        .map(|(number, one)| {
            let characters = one.passage.chars();
            let answers: Vec<_> = one
                .answer
                .iter()
                .map(|&[start, end]| {
                    let text: String = characters.clone().take(end).skip(start).collect();
                    json!({"text": text, "answer_start": start})
                })
                .collect();
            json!({"paragraphs": [{"context": one.passage, "qas": [{
                "id": number, "question": one.question, "answers": answers,
            }]}]})
        })
        .collect();
    let path = dir.join("questions.json");
    std::fs::write(&path, json!({"data": articles}).to_string()).unwrap();
    let (hyper, lengths) = (&reference.hyper, &reference.lengths);
    let text = format!(
        "output = \"unused\"\n[base]\nmodel = \"tiny\"\n[[stage]]\nname = \"span\"\nkind = \"span\"\n\
         steps = {}\nlearning_rate = {}\nweight_decay = {}\nmax_tokens = {}\n[stage.objective]\n\
         max_question = {}\ndoc_stride = {}\n[[stage.data]]\nfiles = [{path:?}]\n",
        hyper.steps,
        hyper.learning_rate,
        hyper.weight_decay,
        lengths.max_tokens,
        lengths.max_question,
        lengths.doc_stride
    );
    TrainConfig::parse(&text, Path::new("span.toml")).unwrap()
}

#[test]
fn twenty_steps_are_those_of_pytorch() {
    let text = std::fs::read(fixture("training/answering.json")).unwrap();
    let reference: Reference = serde_json::from_slice(&text).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let config = stage(&reference, dir.path());
    let stage = &config.stages[0];
    let start = Start::open(&config, Some(&fixture("models/bert-mean"))).unwrap();
    let mut learner = start.learner(Place::Cpu).unwrap();
    // Several micro-batches.
    learner.micro_batch_tokens = 64;
    learner.max_tokens = reference.lengths.max_tokens;
    let layout = Layout::of(&start.architecture);
    let hidden = start.architecture.hidden;
    let reads = (learner.max_tokens, &start.tokenizer);
    let mut lesson = SpanLesson::new(stage, hidden, reads, 1, &Device::Cpu).unwrap();
    let weight = Tensor::from_vec(reference.head.weight.concat(), (2, hidden), &Device::Cpu);
    let bias = Tensor::new(&reference.head.bias[..], &Device::Cpu);
    for (name, value) in [(SPAN.weight, weight), (SPAN.bias, bias)] {
        let head = lesson.heads.get(name).unwrap();
        head.value.set(&value.unwrap()).unwrap();
    }
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
        let examples = reference.batches[step % reference.batches.len()].clone();
        let batch = Batch { set: 0, examples };
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
