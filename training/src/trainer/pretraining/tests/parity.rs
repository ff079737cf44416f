//! The same losses as PyTorch over fifty steps, recorded by
//! `tests/reference/make_training_reference.py`.

use super::super::batches::assemble;
use super::fixture;
use crate::data::corpus::PretrainingExample;
use crate::kernel::{Engine, Precision};
use crate::network::head::{Shares, Sums, start_heads, step};
use crate::network::{Backbone, FastBackbone, Parameters, TensorBackbone};
use crate::optimiser::{AdamW, AdamWSettings, Schedule, ScheduleKind, apply, norm_of};
use candle_core::Device;
use medsift::encoder::parts::{Architecture, Weights, find_checkpoint, read_checkpoint};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Reference {
    hyper: Hyper,
    pretraining: Recorded,
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
    batches: Vec<Vec<Example>>,
    losses: Vec<f64>,
    mlm: Vec<f64>,
    nsp: Vec<f64>,
    gradient_norms: Vec<f64>,
}

#[derive(Deserialize)]
struct Example {
    ids: Vec<u32>,
    type_ids: Vec<u32>,
    positions: Vec<u32>,
    labels: Vec<u32>,
    relation: u32,
}

impl From<Example> for PretrainingExample {
    fn from(example: Example) -> Self {
        Self {
            ids: example.ids,
            type_ids: example.type_ids,
            masked_positions: example.positions,
            masked_labels: example.labels,
            relation: example.relation,
        }
    }
}

fn reference() -> Reference {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/training/steps.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The network of the fixtures, and the heads of the record.
fn start() -> (Architecture, Parameters, Parameters) {
    let folder = fixture("bert-mean");
    let architecture = Architecture::read(&folder.join("config.json")).unwrap();
    let weights = Weights::read(&find_checkpoint(&folder).unwrap(), &architecture).unwrap();
    let parameters = Parameters::load(&weights, &architecture, &Device::Cpu).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../tests/fixtures/training/heads.safetensors");
    let heads = read_checkpoint(&path).unwrap();
    let heads = start_heads(&architecture, &heads, 2, 1, &Device::Cpu).unwrap();
    assert!(heads.fresh.is_empty(), "{:?}", heads.fresh);
    (architecture, parameters, heads.parameters)
}

/// The record's steps; each batch goes through in two micro-batches.
fn follow<B: Backbone>(network: &mut B, heads: &mut Parameters) {
    let Reference { hyper, pretraining } = reference();
    let batches: Vec<Vec<PretrainingExample>> = pretraining
        .batches
        .into_iter()
        .map(|batch| batch.into_iter().map(Into::into).collect())
        .collect();
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
    assert_eq!(pretraining.losses.len(), 50);
    let memory = &mut Vec::new();
    for number in 0..hyper.steps {
        let batch = &batches[number % batches.len()];
        let masked: usize = batch.iter().map(|e| e.masked_labels.len()).sum();
        let shares = Shares {
            masked: 1.0 / masked as f64,
            relation: 1.0 / batch.len() as f64,
        };
        let mut sums = Sums::default();
        for part in batch.chunks(2) {
            let (tokens, targets) = assemble(part, true);
            let (states, pass) = network.forward(&tokens, None).unwrap();
            let (one, gradient) = step(network, heads, &states, &targets, shares, memory).unwrap();
            sums.add(&one);
            network.backward(pass, &gradient).unwrap();
        }
        let (mlm, nsp) = (sums.masked * shares.masked, sums.relation * shares.relation);
        let norm = norm_of(network, heads).unwrap();
        for (what, ours, expected) in [
            ("mlm", mlm, pretraining.mlm[number]),
            ("nsp", nsp, pretraining.nsp[number]),
            ("loss", mlm + nsp, pretraining.losses[number]),
            ("norm", norm, pretraining.gradient_norms[number]),
        ] {
            // Norms to a share of their size, as they are larger.
            let allowed = 1e-3
                * if what == "norm" {
                    expected.max(1.0)
                } else {
                    1.0
                };
            let off = (ours - expected).abs();
            assert!(
                off < allowed,
                "step {number}, {what}: {ours}, expected {expected}"
            );
        }
        let rate = hyper.learning_rate * schedule.factor(number);
        let group = |name: &str| {
            let bare = name.ends_with("bias") || name.contains("LayerNorm");
            (rate, if bare { 0.0 } else { hyper.weight_decay })
        };
        let length = (norm, hyper.max_gradient_norm);
        apply(&mut optimiser, (network, heads), length, group).unwrap();
    }
}

#[test]
fn fifty_steps_on_the_kernels_are_those_of_pytorch() {
    let (architecture, parameters, mut heads) = start();
    let engine = Engine::new(Precision::F32).unwrap();
    let mut network = FastBackbone::new(architecture, parameters, engine);
    follow(&mut network, &mut heads);
}

#[test]
fn fifty_steps_of_tensors_are_those_of_pytorch() {
    let (architecture, parameters, mut heads) = start();
    let mut network = TensorBackbone::new(architecture, parameters, &Device::Cpu);
    follow(&mut network, &mut heads);
}
