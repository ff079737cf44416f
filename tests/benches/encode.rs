//! Encoding speed: abstracts per second and latency of one query.
//!
//! ```text
//! MEDSIFT_MINILM=DIR cargo bench -p medsift-tests --bench encode -- [TEXTS.json]
//! ```
//!
//! Prints one line of JSON. TEXTS.json, which `compare/encode.py` writes,
//! holds `{"abstracts": […], "queries": […]}`; without it made-up texts of
//! usual lengths are encoded.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use medsift::encoder::{Encoder, EncoderOptions};
use serde::Deserialize;
use std::time::{Duration, Instant};

#[derive(Deserialize)]
struct Texts {
    abstracts: Vec<String>,
    queries: Vec<String>,
}

fn made_up() -> Texts {
    let sentence = "Randomised treatment with statins lowered the risk of events. ";
    Texts {
        abstracts: (0..64).map(|i| sentence.repeat(12 + i % 12)).collect(),
        queries: (1..9)
            .map(|i| "statins and muscle pain ".repeat(i))
            .collect(),
    }
}

/// Quantile of times, in milliseconds.
fn quantile(times: &mut [Duration], q: f64) -> f64 {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * q) as usize].as_secs_f64() * 1e3
}

fn main() {
    let Some(model) = std::env::var_os("MEDSIFT_MINILM") else {
        eprintln!("ignored: encode: MEDSIFT_MINILM names no model directory");
        return;
    };
    let path = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let texts = path.map_or_else(made_up, |path| {
        serde_json::from_slice(&std::fs::read(path).expect("the texts")).expect("texts as JSON")
    });
    let start = Instant::now();
    let encoder = Encoder::open(model.as_ref(), EncoderOptions::default()).expect("the model");
    let open = start.elapsed();
    // Once to warm up, then the best of three rounds.
    encoder
        .encode_passages(&texts.abstracts[..8])
        .expect("vectors");
    let mut rounds: Vec<Duration> = (0..3)
        .map(|_| {
            let start = Instant::now();
            encoder.encode_passages(&texts.abstracts).expect("vectors");
            start.elapsed()
        })
        .collect();
    let mut queries: Vec<Duration> = (0..4)
        .flat_map(|_| &texts.queries)
        .map(|query| {
            let start = Instant::now();
            encoder.encode_query(query).expect("a vector");
            start.elapsed()
        })
        .collect();
    let best = quantile(&mut rounds, 0.0);
    println!(
        "{}",
        serde_json::json!({
            "encoder": "medsift",
            "instruction_set": encoder.instruction_set(),
            "threads": encoder.threads(),
            "open_ms": open.as_secs_f64() * 1e3,
            "abstracts_per_s": texts.abstracts.len() as f64 * 1e3 / best,
            "query_ms_p50": quantile(&mut queries, 0.5),
            "query_ms_p95": quantile(&mut queries, 0.95),
        })
    );
}
