//! The trainer on the small models of `tests/fixtures/models`.

mod ends;
mod faults;
mod gradients;
mod parity;
mod resume;
mod runs;
mod teacher;
mod whitening;

use super::*;
use crate::config::TrainConfig;
use crate::record::{Measurement, RunFolder, RunRecord, read_metrics};
use candle_core::{Device, Tensor};
use medsift::Result;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// Words that the small models know, so that texts differ in their tokens.
const WORDS: [&str; 12] = [
    "statins",
    "muscle",
    "pain",
    "therapy",
    "patients",
    "weakness",
    "receptors",
    "cells",
    "cytokines",
    "genes",
    "proteins",
    "tumour",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures")
        .join(name)
}

/// A text of some words.
fn text(number: usize) -> String {
    let word = |factor: usize| WORDS[(number * factor + number / WORDS.len()) % WORDS.len()];
    let more = " and ".to_owned() + word(5);
    format!(
        "{} in {} with {}{}",
        word(1),
        word(7),
        word(11),
        more.repeat(number % 4)
    )
}

/// A folder with data, in which runs are made.
struct Work {
    dir: TempDir,
}

impl Work {
    fn new() -> Self {
        let work = Self {
            dir: TempDir::new().unwrap(),
        };
        let mut triplets = "anchor\tpositive\tnegative\n".to_owned();
        let mut sts = "sentence1\tsentence2\tscore\n".to_owned();
        for number in 0..30 {
            let (a, b, c) = (text(number), text(number + 40), text(number * 3 + 90));
            writeln!(triplets, "{a}\t{b}\t{c}").unwrap();
            writeln!(sts, "{a}\t{c}\t{:.1}", (number % 11) as f32 / 2.0).unwrap();
        }
        work.write("triplets.tsv", &triplets);
        work.write("sts.tsv", &sts);
        work
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// A configuration whose run lies in the folder `name`.
    fn config(&self, name: &str, rest: &str) -> TrainConfig {
        let text = format!(
            "output = {:?}\nthreads = 2\n[base]\nmodel = \"tiny\"\n{rest}",
            self.path(name)
        );
        TrainConfig::parse(&text, Path::new("test.toml"))
            .unwrap()
            .with_data_dir(Some(self.dir.path().to_owned()))
    }

    fn folder(&self, name: &str) -> RunFolder {
        RunFolder::new(self.path(name))
    }
}

/// A stage on the triplets: ranking, four batches an epoch.
const TRIPLETS: &str = r#"
[[stage]]
name = "triplets"
kind = "sentence"
steps = 8
batch = 8
learning_rate = 1e-3
log_steps = 3
objective = { kind = "ranking", negatives = 1 }
data = [{ format = "triplets", files = ["{data}/triplets.tsv"] }]
[stage.evaluation]
every_steps = 4
sets = [{ name = "triplets", kind = "triplet", files = ["{data}/triplets.tsv"] }]
"#;

/// A stage on graded pairs.
const STS: &str = r#"
[[stage]]
name = "sts"
kind = "sentence"
epochs = 2
batch = 10
learning_rate = 1e-3
log_steps = 4
objective = { kind = "cosine" }
data = [{ format = "sts", files = ["{data}/sts.tsv"], score_range = [0, 5] }]
[stage.evaluation]
sets = [{ name = "sts", kind = "sts", files = ["{data}/sts.tsv"] }]
"#;

fn tiny(resume: bool) -> RunOptions {
    RunOptions {
        model: Some(fixture("models/bert-mean")),
        command: "medsift train run test.toml".to_owned(),
        resume,
        overwrite: false,
        articles: None,
        teachers: [("mpnet", "models/mpnet"), ("old", "models/bert-cls-old")]
            .map(|(name, folder)| (name.to_owned(), fixture(folder)))
            .into(),
    }
}

fn run(config: &TrainConfig) -> Result<RunRecord> {
    train(config, &tiny(false), &Silent)
}

/// Stops a run behind so many steps of this process.
struct StopAfter {
    steps: u64,
    seen: AtomicU64,
}

impl StopAfter {
    fn steps(steps: u64) -> Self {
        Self {
            steps,
            seen: AtomicU64::new(0),
        }
    }
}

impl Progress for StopAfter {
    fn step(&self, _: &StepReport) {
        self.seen.fetch_add(1, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.steps
    }
}

/// The measurements of a run, without those of time.
fn metrics(folder: &RunFolder) -> Vec<Measurement> {
    let mut all = read_metrics(&folder.metrics()).unwrap();
    for measurement in &mut all {
        measurement.values.remove("tokens_per_second");
    }
    all
}

/// The value of a name in all measurements that have it.
fn series(measurements: &[Measurement], name: &str) -> Vec<(u64, f64)> {
    measurements
        .iter()
        .filter_map(|m| Some((m.step, *m.values.get(name)?)))
        .collect()
}

/// The tensors of a model directory.
fn weights(dir: &Path) -> HashMap<String, Tensor> {
    candle_core::safetensors::load(dir.join("model.safetensors"), &Device::Cpu).unwrap()
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}
