//! Pre-training through whole runs, and against PyTorch.

mod faults;
mod parity;
mod runs;

use crate::config::TrainConfig;
use crate::record::{Measurement, RunRecord, read_metrics};
use crate::trainer::{Progress, RunOptions, Silent, train};
use medsift::Result;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A model directory of the fixtures.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/models");
    folder.join(name)
}

/// Documents of sentences that the fixtures' vocabulary has words for.
fn text(documents: usize) -> String {
    let sentences = [
        "Patients with muscle pain had been treated with statins.",
        "The receptor was measured in the cells of the muscle.",
        "Effects on the receptors were seen in the patients.",
        "Weakness of the muscle was measured for 24 patients.",
        "Cells in the muscle had the receptor in 20 patients.",
    ];
    let mut text = String::new();
    for document in 0..documents {
        for sentence in 0..3 + document % 3 {
            text.push_str(sentences[(document + 2 * sentence) % sentences.len()]);
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// A folder with `corpus.txt` and `held-out.txt`.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("corpus.txt"), text(24)).unwrap();
    fs::write(dir.path().join("held-out.txt"), text(7)).unwrap();
    dir
}

/// A small network from scratch with one stage of kind `mlm`, whose further
/// keys are given.
fn config(dir: &Path, output: &str, stage: &str) -> TrainConfig {
    let text = format!(
        r#"
output = "{output}"
seed = 5
threads = 2
[base]
scratch = {{ hidden = 16, layers = 2, heads = 2, intermediate = 32, positions = 32 }}
vocabulary = "{vocabulary}"
[checkpoint]
every_minutes = 0
[[stage]]
name = "text"
kind = "mlm"
batch = 8
max_tokens = 32
micro_batch_tokens = 128
log_steps = 1
{stage}
[[stage.data]]
files = ["{corpus}"]
"#,
        output = dir.join(output).display(),
        vocabulary = fixture("bert-mean").display(),
        corpus = dir.join("corpus.txt").display(),
    );
    TrainConfig::parse(&text, Path::new("test.toml")).unwrap()
}

fn run(config: &TrainConfig) -> Result<RunRecord> {
    train(config, &RunOptions::default(), &Silent)
}

fn metrics(config: &TrainConfig) -> Vec<Measurement> {
    read_metrics(&config.output.join("metrics.jsonl")).unwrap()
}

/// A number of every step that has it.
fn series(config: &TrainConfig, name: &str) -> Vec<(u64, f64)> {
    let lines = metrics(config).into_iter();
    lines
        .filter_map(|line| Some((line.step, *line.values.get(name)?)))
        .collect()
}

/// Stops behind a step, and keeps what it is told.
#[derive(Default)]
struct Listener {
    stop: Option<u64>,
    steps: std::sync::atomic::AtomicU64,
    notes: std::sync::Mutex<Vec<String>>,
}

impl Progress for Listener {
    fn step(&self, report: &crate::trainer::StepReport) {
        let steps = &self.steps;
        steps.store(report.step, std::sync::atomic::Ordering::Relaxed);
    }

    fn note(&self, words: &str) {
        self.notes.lock().unwrap().push(words.to_owned());
    }

    fn stopped(&self) -> bool {
        self.stop == Some(self.steps.load(std::sync::atomic::Ordering::Relaxed))
    }
}
