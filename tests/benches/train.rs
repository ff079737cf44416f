//! Training speed: tokens per second of whole steps (forward, backward,
//! clipping, AdamW) of the ranking objective.
//!
//! ```text
//! cargo bench --workspace --profile dev --bench train -- MODEL BATCHES.json [f32|bf16] [STEPS]
//! ```
//!
//! BATCHES.json, which `compare/train.py` writes, holds token numbers:
//! `[[[ids of a text], …], …]`, an even number of texts in a batch, the first
//! half being anchors and the second their positives. Prints one line of JSON.
#![allow(clippy::print_stdout)]

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use candle_core::{Device, Tensor, Var};
use medsift::encoder::Pooling;
use medsift::encoder::parts::{Architecture, Weights, find_checkpoint};
use medsift_training::network::{
    Backbone, DropoutPass, FastBackbone, Parameters, Tokens, pool, pool_gradient,
};
use medsift_training::optimiser::{AdamW, AdamWSettings, gradient_norm};
use medsift_training::{Engine, Precision};
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let [model, batches, rest @ ..] = &arguments[..] else {
        println!("ignored: train: no MODEL and BATCHES.json");
        return;
    };
    let precision = match rest.first().map(String::as_str) {
        Some("bf16") => Precision::Bf16,
        _ => Precision::F32,
    };
    let steps = rest
        .get(1)
        .map_or(3, |n| n.parse().expect("a number of steps"));
    let batches: Vec<Vec<Vec<u32>>> =
        serde_json::from_slice(&std::fs::read(batches).expect("the batches"))
            .expect("token numbers");
    let dir = Path::new(model);
    let architecture = Architecture::read(&dir.join("config.json")).expect("config.json");
    let weights =
        Weights::read(&find_checkpoint(dir).expect("weights"), &architecture).expect("weights");
    let parameters = Parameters::load(&weights, &architecture, &Device::Cpu).expect("parameters");
    let engine = Engine::new(precision).expect("this processor has no such products");
    let mut network = FastBackbone::new(architecture, parameters, engine);
    let mut optimiser = AdamW::new(AdamWSettings::default());
    let mut best = Duration::MAX;
    let mut parts = [Duration::ZERO; 4];
    let mut last = 0.0;
    let tokens: usize = batches.iter().flatten().map(Vec::len).sum();
    for round in 0..steps {
        let start = Instant::now();
        let mut times = [Duration::ZERO; 4];
        for (at, batch) in batches.iter().enumerate() {
            let clock = Instant::now();
            let texts = Tokens::new(batch.iter().map(|ids| &ids[..]));
            let dropout = DropoutPass {
                seed: (round * 1000 + at) as u64,
                hidden: 0.1,
                attention: 0.1,
            };
            let (states, pass) = network.forward(&texts, Some(dropout)).expect("states");
            times[0] += clock.elapsed();
            let clock = Instant::now();
            let pooled = Var::from_tensor(&pool(&states, &texts, Pooling::Mean).expect("vectors"))
                .expect("a leaf");
            let (loss, gradient) = ranking(&pooled).expect("a loss");
            last = loss;
            let gradient =
                pool_gradient(&gradient, &states, &texts, Pooling::Mean).expect("gradient");
            times[1] += clock.elapsed();
            let clock = Instant::now();
            network.backward(pass, &gradient).expect("backward");
            times[2] += clock.elapsed();
            let clock = Instant::now();
            let norm = gradient_norm(network.parameters().iter()).expect("norm");
            let scale = (1.0 / norm).min(1.0);
            optimiser
                .step(network.parameters().iter(), |_| (2e-5, 0.01), scale)
                .expect("step");
            network.parameters_mut().clear_gradients().expect("cleared");
            network.values_changed();
            times[3] += clock.elapsed();
        }
        if start.elapsed() < best {
            best = start.elapsed();
            parts = times;
        }
    }
    let [forward, objective, backward, update] = parts.map(|p| p.as_secs_f64());
    println!(
        "{{\"tokens_per_s\": {:.0}, \"tokens\": {tokens}, \"forward_s\": {forward:.3}, \
         \"objective_s\": {objective:.3}, \"backward_s\": {backward:.3}, \"update_s\": {update:.3}, \
         \"loss\": {last:.5}}}",
        tokens as f64 / best.as_secs_f64()
    );
}

/// Loss and gradient of multiple negatives ranking with a scale of 20.
fn ranking(pooled: &Var) -> candle_core::Result<(f32, Tensor)> {
    let (texts, _) = pooled.dims2()?;
    let length = pooled.sqr()?.sum_keepdim(1)?.sqrt()?;
    let unit = pooled.broadcast_div(&length)?;
    let (anchors, positives) = (
        unit.narrow(0, 0, texts / 2)?,
        unit.narrow(0, texts / 2, texts / 2)?,
    );
    let scores = (anchors.matmul(&positives.t()?)? * 20.0)?;
    let targets = Tensor::arange(0u32, (texts / 2) as u32, pooled.device())?;
    let loss = candle_nn::loss::cross_entropy(&scores, &targets)?;
    let gradients = loss.backward()?;
    let gradient = gradients.get(pooled.as_tensor()).cloned();
    Ok((loss.to_scalar()?, gradient.unwrap_or(pooled.zeros_like()?)))
}
