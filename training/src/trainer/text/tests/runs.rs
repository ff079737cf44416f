//! Whole runs.

use super::*;
use crate::record::{RunFolder, Status, read_metrics};
use crate::trainer::{Progress, RunOptions, Silent, StepReport, plan, train};
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::enrich::TextClassifier;
use medsift::eval::{Cell, Column, LabelCounter, LabelMap, LabelledTable};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) const DATA: &str = r#"
data = [{ files = ["{data}/folds.tsv"], text = "sentence", labels = { 0 = "none", 1 = "cause" }, without = { fold = 2 } }]
evaluation.sets = [
    { name = "fold", kind = "labels", files = ["{data}/folds.tsv"], text = "sentence", labels = { 0 = "none", 1 = "cause" }, only = { fold = 2 } },
]
"#;

pub(super) fn objective(more: &str) -> String {
    format!(
        "objective = {{ labels = [\"none\", \"cause\"], name = \"pain\", negative = \"none\", \
         weights = {{ none = 0.8 }}{more} }}\n"
    )
}

pub(super) fn options(resume: bool) -> RunOptions {
    RunOptions {
        model: Some(fixture("models/bert-mean")),
        command: "medsift train run text.toml".to_owned(),
        resume,
        ..RunOptions::default()
    }
}

pub(super) fn series(config: &TrainConfig, name: &str) -> Vec<(u64, f64)> {
    let metrics = RunFolder::new(&config.output).metrics();
    let lines = read_metrics(&metrics).unwrap().into_iter();
    lines
        .filter_map(|line| Some((line.step, *line.values.get(name)?)))
        .collect()
}

/// Stops behind so many steps.
pub(super) struct Stop(pub(super) u64, pub(super) AtomicU64);

impl Progress for Stop {
    fn step(&self, _: &StepReport) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

/// What the finished head of a run makes of the fold that it has not seen.
fn scored_again(dir: &Path, config: &TrainConfig) -> medsift::eval::LabelScores {
    let model = config.output.join("model");
    let encoder = Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap());
    let classifier = TextClassifier::open(encoder, &model, None).unwrap();
    let head = classifier.head();
    assert_eq!(head.name(), "pain");
    let table = LabelledTable {
        text: Column::parse("sentence"),
        only: BTreeMap::from([("fold".to_owned(), Cell::Number(2))]),
        ..LabelledTable::default()
    };
    let rows = table.read(&dir.join("folds.tsv")).unwrap().rows;
    let targets = [("0", "none"), ("1", "cause")];
    let targets = targets.map(|(from, to)| (from.to_owned(), to.to_owned()));
    let map = LabelMap::new(head.labels(), &targets.into(), &[]).unwrap();
    let texts: Vec<&str> = rows.iter().map(|row| &row.text[..]).collect();
    let mut counter = LabelCounter::new(head.labels(), head.negative());
    for (row, chances) in rows.iter().zip(classifier.probabilities(&texts).unwrap()) {
        let class = map.place(&row.label).unwrap().unwrap();
        counter.add(class, &chances).unwrap();
    }
    counter.scores()
}

#[test]
fn a_head_learns_and_scores_as_it_did_in_training() {
    let dir = folder();
    for (name, more) in [
        ("cls", ""),
        ("mean", ", pooling = \"mean\""),
        ("pooler", ", pooler = true"),
    ] {
        let keys = format!(
            "steps = 80\nlearning_rate = 1e-3\nhead_factor = 10\ndropout = 0.0\nlog_steps = 1\n\
             {}{DATA}evaluation.every_steps = 20\nevaluation.best = \"score/fold/f1\"\n",
            objective(more)
        );
        let config = config(dir.path(), name, &keys);
        let planned = plan(&config, Some(&fixture("models/bert-mean")), None).unwrap();
        let stage = &planned.stages[0];
        assert_eq!((stage.examples, stage.steps), (Some(27), Some(80)));
        let pooler = if name == "pooler" { 32 * 33 } else { 0 };
        assert_eq!(stage.trained, planned.parameters + 2 * 33 + pooler);
        assert_eq!(stage.evaluation[0], ("fold".to_owned(), 9));

        let record = train(&config, &options(false), &Silent).unwrap();
        assert_eq!(record.status, Status::Finished);
        assert_eq!((record.data[0].examples, record.data[0].skipped), (27, 9));
        let losses = series(&config, "loss");
        let mean = |part: &[(u64, f64)]| part.iter().map(|v| v.1).sum::<f64>() / part.len() as f64;
        assert!(mean(&losses[70..]) < 0.3 * mean(&losses[..5]), "{losses:?}");
        let last = |measure: &str| {
            let name = format!("score/fold/{measure}");
            let score = record.scores.iter().rfind(|score| score.name == name);
            score.unwrap().value
        };
        assert!(last("f1") > 0.9, "{name}: {}", last("f1"));

        let scores = scored_again(dir.path(), &config);
        for (found, measure) in [
            (scores.accuracy, "accuracy"),
            (scores.micro.f1, "f1"),
            (scores.macro_f1, "macro_f1"),
            (scores.auc.unwrap(), "auc"),
        ] {
            assert!((found - last(measure)).abs() < 1e-9, "{name}: {measure}");
        }
    }
}

#[test]
fn a_frozen_encoder_stays_as_it_is_and_its_head_learns() {
    let dir = folder();
    let keys = format!(
        "steps = 4\nlearning_rate = 1e-2\nlog_steps = 1\nweight_decay = 0.0\nwarm_up = 0.0\n\
         freeze_layers = 2\nfreeze_embeddings = true\n{}{DATA}",
        objective(", pooler = true")
    );
    let config = config(dir.path(), "run", &keys);
    train(&config, &options(false), &Silent).unwrap();
    let read =
        |path: PathBuf| candle_core::safetensors::load(path, &candle_core::Device::Cpu).unwrap();
    let numbers = |tensor: &candle_core::Tensor| -> Vec<f32> {
        tensor.flatten_all().unwrap().to_vec1().unwrap()
    };
    let before = read(fixture("models/bert-mean/model.safetensors"));
    let after = read(config.output.join("model/model.safetensors"));
    assert!(after.keys().all(|name| !name.contains("classifier")));
    for (name, tensor) in &after {
        assert_eq!(numbers(tensor), numbers(&before[name]), "{name}");
    }
    // The pooler begins with the start model's, and moves.
    let head = read(config.output.join("model/heads/pain/head.safetensors"));
    let pooler = numbers(&head["pooler.dense.weight"]);
    let start = numbers(&before["pooler.dense.weight"]);
    let off = pooler.iter().zip(&start).map(|(a, b)| (a - b).abs());
    let most = off.fold(0.0, f32::max);
    assert!(most > 1e-4 && most < 0.1, "{most}");
    let losses = series(&config, "loss");
    assert_ne!(losses[0].1, losses[3].1);
}

#[test]
fn a_resumed_run_has_the_losses_of_an_unbroken_one() {
    let dir = folder();
    let keys = format!(
        "epochs = 3\nlearning_rate = 1e-3\ndropout = 0.1\nlog_steps = 1\n\
         micro_batch_tokens = 48\nmax_tokens = 12\n{}{DATA}",
        objective("")
    );
    let whole = config(dir.path(), "whole", &keys);
    train(&whole, &options(false), &Silent).unwrap();
    let broken = config(dir.path(), "broken", &keys);
    let record = train(&broken, &options(false), &Stop(5, AtomicU64::new(0))).unwrap();
    assert_eq!(record.status, Status::Stopped { step: 5 });
    train(&broken, &options(true), &Silent).unwrap();
    assert_eq!(series(&broken, "loss"), series(&whole, "loss"));
    assert_eq!(series(&broken, "loss").len(), 9);
}

#[test]
fn what_stops_a_run_is_named() {
    let dir = folder();
    let refused = |keys: &str, part: &str| {
        let config = config(dir.path(), "run", &format!("steps = 1\n{keys}"));
        let error = train(&config, &options(false), &Silent).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        let model = fixture("models/bert-mean");
        let planned = plan(&config, Some(&model), None).unwrap_err();
        assert_eq!(planned.to_string(), error.to_string());
    };
    let data = "data = [{ files = [\"{data}/folds.tsv\"], text = \"sentence\" }]";
    let labels = |labels: &str| format!("objective = {{ {labels} }}\n{data}\n");
    refused(
        &labels("labels = [\"0\", \"1\", \"2\"]"),
        "no text of the data has the label 2",
    );
    refused(&labels("labels = [\"0\", \"x\"]"), "label 1 of the data");
    refused(&labels("labels = [\"0\"]"), "two labels");
    refused(&labels("labels = [\"0\", \"0\"]"), "twice");
    refused(
        &labels("labels = [\"0\", \"1\"], negative = \"none\""),
        "negative label none",
    );
    refused(
        &labels("labels = [\"0\", \"1\"], weights = { 2 = 1.0 }"),
        "the weight 1 of `2`",
    );
    refused(&labels("labels = [\"0\", \"1\"], name = \"a/b\""), "a/b");
    refused(&labels("labels = [\"0\", \"1\"], label = 1"), "label");
    refused(&labels("labels = [\"0\", \"1\"], pooling = \"max\""), "max");
    refused(
        &labels("labels = [\"0\", \"1\"], pair = { types = [\"Gene\", \"a b\"] }"),
        "a b",
    );
    let set =
        "evaluation.sets = [{ name = \"a\", kind = \"labels\", files = [\"{data}/folds.tsv\"] }]";
    refused(
        &format!("{}{set}", labels("labels = [\"0\", \"1\"]")),
        "evaluation set `a`",
    );
    let set = set.replace("\"labels\"", "\"entities\"");
    refused(
        &format!("{}{set}", labels("labels = [\"0\", \"1\"]")),
        "kind `token`",
    );
}
