//! Fifty steps of each objective against PyTorch and sentence-transformers,
//! recorded by `tests/reference/make_training_reference.py`.

use super::*;
use crate::Place;
use crate::config::StageConfig;
use crate::network::{Backbone, PlacedBackbone};
use crate::objective::{Labels, ObjectiveConfig, build};
use crate::optimiser::{AdamW, AdamWSettings, Schedule, ScheduleKind, apply, norm_of};
use crate::trainer::siamese::Siamese;
use crate::trainer::start::Start;
use medsift::encoder::parts::Layout;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Furthest that a loss may be from the recorded one.
const TOLERANCE: f64 = 1e-3;

#[derive(Deserialize)]
struct Reference {
    hyper: Hyper,
    texts: Vec<String>,
    teacher: Vec<Vec<f32>>,
    runs: Vec<Recorded>,
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
struct Recorded {
    name: String,
    config: ObjectiveConfig,
    batches: Vec<RecordedBatch>,
    parameters: HashMap<String, Value>,
    losses: Vec<f64>,
    gradient_norms: Vec<f64>,
    learning_rates: Vec<f64>,
}

#[derive(Deserialize)]
struct RecordedBatch {
    columns: Vec<Vec<usize>>,
    labels: RecordedLabels,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RecordedLabels {
    classes: Option<Vec<u32>>,
    scores: Option<Vec<f32>>,
    lists: Option<Vec<Vec<f32>>>,
    teacher: bool,
}

impl RecordedBatch {
    fn texts(&self, pool: &[String]) -> Vec<Arc<str>> {
        let places = self.columns.iter().flatten();
        places.map(|&place| pool[place].as_str().into()).collect()
    }

    fn labels(&self, teacher: &[Vec<f32>]) -> Labels {
        let labels = &self.labels;
        if let Some(classes) = &labels.classes {
            return Labels::Classes(classes.clone());
        }
        if let Some(scores) = &labels.scores {
            return Labels::Scores(scores.clone());
        }
        if let Some(lists) = &labels.lists {
            return Labels::Lists(matrix(lists));
        }
        if !labels.teacher {
            return Labels::None;
        }
        let column = |places: &Vec<usize>| {
            let rows: Vec<Vec<f32>> = places.iter().map(|&at| teacher[at].clone()).collect();
            matrix(&rows)
        };
        Labels::Teacher(self.columns.iter().map(column).collect())
    }
}

fn matrix(rows: &[Vec<f32>]) -> Tensor {
    let shape = (rows.len(), rows[0].len());
    Tensor::from_vec(rows.concat(), shape, &Device::Cpu).unwrap()
}

fn flat(value: &Value) -> Vec<f32> {
    match value {
        Value::Array(values) => values.iter().flat_map(flat).collect(),
        other => vec![other.as_f64().unwrap() as f32],
    }
}

/// The trainer's parts, put together for one recorded run.
struct Twin<'a> {
    reference: &'a Reference,
    recorded: &'a Recorded,
    learner: Learner<PlacedBackbone>,
    siamese: Siamese,
    optimiser: AdamW,
    stage: StageConfig,
    layout: Layout,
}

impl<'a> Twin<'a> {
    fn new(reference: &'a Reference, recorded: &'a Recorded) -> Self {
        let hyper = &reference.hyper;
        let work = Work::new();
        let mut config = work.config("run", STS);
        let stage = &mut config.stages[0];
        stage.learning_rate = hyper.learning_rate;
        stage.weight_decay = hyper.weight_decay;
        let start = Start::open(&config, Some(&fixture("models/bert-mean"))).unwrap();
        let learner = start.learner(Place::Cpu).unwrap();
        let objective = build(&recorded.config, 32, 1).unwrap();
        let siamese = Siamese::new(objective, &Device::Cpu).unwrap();
        assert_eq!(siamese.heads.iter().len(), recorded.parameters.len());
        for head in siamese.heads.iter() {
            let values = flat(&recorded.parameters[&head.name]);
            let value = Tensor::from_vec(values, head.value.shape(), &Device::Cpu).unwrap();
            head.value.set(&value).unwrap();
        }
        Self {
            reference,
            recorded,
            layout: Layout::of(learner.network.architecture()),
            learner,
            siamese,
            optimiser: AdamW::new(AdamWSettings {
                beta1: hyper.betas[0],
                beta2: hyper.betas[1],
                epsilon: hyper.epsilon,
            }),
            stage: config.stages.remove(0),
        }
    }

    /// Takes a step and gives its loss and the norm of its gradients.
    fn step(&mut self, step: usize) -> (f64, f64) {
        let hyper = &self.reference.hyper;
        let batch = &self.recorded.batches[step % self.recorded.batches.len()];
        let texts = batch.texts(&self.reference.texts);
        let labels = batch.labels(&self.reference.teacher);
        let examples = batch.columns[0].len();
        let (loss, _) = self
            .siamese
            .learn(&mut self.learner, &texts, examples, &labels, 0)
            .unwrap();
        let schedule = Schedule {
            kind: ScheduleKind::Linear,
            warmup: hyper.warmup_steps,
            total: hyper.steps,
        };
        let rate = self.stage.learning_rate * schedule.factor(step);
        assert!((rate - self.recorded.learning_rates[step]).abs() < 1e-12);
        let (stage, layout) = (&self.stage, &self.layout);
        let group = |name: &str| {
            let settings = stage.parameter(name, layout);
            (rate * settings.factor, settings.weight_decay)
        };
        let (network, heads) = (&mut self.learner.network, &mut self.siamese.heads);
        let norm = norm_of(network, heads).unwrap();
        let length = (norm, hyper.max_gradient_norm);
        apply(&mut self.optimiser, (network, heads), length, group).unwrap();
        (loss, norm)
    }
}

#[test]
fn every_objective_trains_as_in_pytorch() {
    let text = std::fs::read(fixture("training/steps.json")).unwrap();
    let reference: Reference = serde_json::from_slice(&text).unwrap();
    assert!(reference.runs.len() >= 14);
    let mut furthest = Vec::new();
    for recorded in &reference.runs {
        let mut twin = Twin::new(&reference, recorded);
        let mut most: f64 = 0.0;
        for step in 0..reference.hyper.steps {
            let (loss, norm) = twin.step(step);
            let (expected, length) = (recorded.losses[step], recorded.gradient_norms[step]);
            most = most.max((loss - expected).abs());
            assert!(
                (loss - expected).abs() < TOLERANCE,
                "{}, step {step}: {loss} instead of {expected} (norm {norm}, {length})",
                recorded.name
            );
            if step == 0 {
                assert!(
                    (norm - length).abs() < 1e-3 * length.max(1.0),
                    "{norm} {length}"
                );
            }
        }
        furthest.push((recorded.name.as_str(), most));
    }
    assert_eq!(furthest.len(), reference.runs.len(), "{furthest:?}");
}
