//! Pre-training speed: tokens per second of whole steps (forward, heads,
//! backward, clipping, AdamW) of masked language modelling with next-sentence
//! prediction.
//!
//! ```text
//! cargo bench --workspace --profile dev --bench pretrain -- \
//!     MODEL BATCHES.json [f32|bf16|tensors] [STEPS]
//! ```
//!
//! BATCHES.json, which `compare/pretrain.py` writes, holds masked sequences:
//! `[[{"ids", "type_ids", "positions", "labels", "relation"}, …], …]`.
//! `tensors` runs network and heads as tensor operations, in f32. Prints one
//! line of JSON.
#![allow(clippy::print_stdout)]

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use candle_core::Device;
use medsift::encoder::parts::{Architecture, Weights, find_checkpoint};
use medsift_training::network::head::{Shares, StartHeads, Targets, start_heads, step};
use medsift_training::network::{
    Backbone, DropoutPass, FastBackbone, Parameters, TensorBackbone, Tokens,
};
use medsift_training::optimiser::{AdamW, AdamWSettings, apply, norm_of};
use medsift_training::{Engine, Precision};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Deserialize)]
struct Sequence {
    ids: Vec<u32>,
    type_ids: Vec<u32>,
    positions: Vec<u32>,
    labels: Vec<u32>,
    relation: u32,
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let [model, batches, rest @ ..] = &arguments[..] else {
        println!("ignored: pretrain: no MODEL and BATCHES.json");
        return;
    };
    let kind = rest.first().map_or("f32", String::as_str);
    let rounds = rest
        .get(1)
        .map_or(3, |n| n.parse().expect("a number of steps"));
    let batches: Vec<Vec<Sequence>> =
        serde_json::from_slice(&std::fs::read(batches).expect("the batches")).expect("sequences");
    let dir = Path::new(model);
    let architecture = Architecture::read(&dir.join("config.json")).expect("config.json");
    let weights =
        Weights::read(&find_checkpoint(dir).expect("weights"), &architecture).expect("weights");
    let parameters = Parameters::load(&weights, &architecture, &Device::Cpu).expect("parameters");
    let none = HashMap::new();
    let heads = start_heads(&architecture, &none, 2, 1, &Device::Cpu).expect("heads");
    if kind == "tensors" {
        let network = TensorBackbone::new(architecture, parameters, &Device::Cpu);
        run(network, heads, &batches, rounds);
        return;
    }
    let precision = match kind {
        "bf16" => Precision::Bf16,
        _ => Precision::F32,
    };
    let engine = Engine::new(precision).expect("this processor has no such products");
    run(
        FastBackbone::new(architecture, parameters, engine),
        heads,
        &batches,
        rounds,
    );
}

fn run<B: Backbone>(mut network: B, heads: StartHeads, batches: &[Vec<Sequence>], rounds: usize) {
    let mut heads = heads.parameters;
    let mut optimiser = AdamW::new(AdamWSettings::default());
    let mut memory = Vec::new();
    let tokens: usize = batches.iter().flatten().map(|s| s.ids.len()).sum();
    let mut best = Duration::MAX;
    let mut parts = [Duration::ZERO; 4];
    let mut last = 0.0;
    for round in 0..rounds {
        let start = Instant::now();
        let mut times = [Duration::ZERO; 4];
        for (at, batch) in batches.iter().enumerate() {
            let (texts, targets) = assemble(batch);
            let shares = Shares {
                masked: 1.0 / targets.masked.len() as f64,
                relation: 1.0 / batch.len() as f64,
            };
            let clock = Instant::now();
            let dropout = DropoutPass {
                seed: (round * 1000 + at) as u64,
                hidden: 0.1,
                attention: 0.1,
            };
            let (states, pass) = network.forward(&texts, Some(dropout)).expect("states");
            times[0] += clock.elapsed();
            let clock = Instant::now();
            let (sums, gradient) = step(
                &mut network,
                &mut heads,
                &states,
                &targets,
                shares,
                &mut memory,
            )
            .expect("losses");
            last = sums.masked * shares.masked + sums.relation * shares.relation;
            times[1] += clock.elapsed();
            let clock = Instant::now();
            network.backward(pass, &gradient).expect("backward");
            times[2] += clock.elapsed();
            let clock = Instant::now();
            let norm = norm_of(&network, &heads).expect("norm");
            let parameters = (&mut network, &mut heads);
            apply(&mut optimiser, parameters, (norm, 1.0), |_| (1e-4, 0.01)).expect("step");
            times[3] += clock.elapsed();
        }
        if start.elapsed() < best {
            best = start.elapsed();
            parts = times;
        }
    }
    let [forward, heads, backward, update] = parts.map(|p| p.as_secs_f64());
    println!(
        "{{\"tokens_per_s\": {:.0}, \"tokens\": {tokens}, \"forward_s\": {forward:.3}, \
         \"heads_s\": {heads:.3}, \"backward_s\": {backward:.3}, \"update_s\": {update:.3}, \
         \"loss\": {last:.5}}}",
        tokens as f64 / best.as_secs_f64()
    );
}

fn assemble(batch: &[Sequence]) -> (Tokens, Targets) {
    let mut tokens = Tokens::default();
    let mut targets = Targets::default();
    for sequence in batch {
        let first = tokens.len() as u32;
        tokens.push(&sequence.ids, Some(&sequence.type_ids));
        let places = sequence.positions.iter().map(|place| first + place);
        targets.masked.extend(places);
        targets.labels.extend(&sequence.labels);
        targets.first.push(first);
        targets.relations.push(sequence.relation);
    }
    (tokens, targets)
}
