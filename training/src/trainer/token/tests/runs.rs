//! Whole runs.

use super::*;
use crate::record::{RunFolder, Status, read_metrics};
use crate::trainer::{Progress, RunOptions, Silent, plan, train};
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::enrich::Tagger;
use medsift::eval::{Counting, EntityCounter, TaggedSentence};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) const DATA: &str = r#"
objective = { types = ["Disease", "Gene"], name = "both", weights = { O = 0.8 } }
data = [
    { files = ["{data}/disease.tsv"] },
    { files = ["{data}/gene.tsv"], types = { protein = "Gene" } },
]
evaluation.sets = [
    { name = "disease", kind = "entities", files = ["{data}/disease.tsv"] },
    { name = "gene", kind = "entities", files = ["{data}/gene.tsv"], types = { protein = "Gene" } },
]
"#;

pub(super) fn options(resume: bool) -> RunOptions {
    RunOptions {
        model: Some(fixture("models/bert-mean")),
        command: "medsift train run ner.toml".to_owned(),
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

#[test]
fn two_corpora_that_label_one_type_each_make_a_tagger_of_both() {
    let dir = folder();
    let keys = format!(
        "steps = 90\nlearning_rate = 1e-3\nhead_factor = 10\ndropout = 0.0\nlog_steps = 1\n{DATA}\
         evaluation.every_steps = 30\nevaluation.best = \"score/mean/f1\"\n"
    );
    let config = config(dir.path(), "run", &keys);
    let planned = plan(&config, Some(&fixture("models/bert-mean")), None).unwrap();
    let stage = &planned.stages[0];
    assert_eq!((stage.examples, stage.steps), (Some(48), Some(90)));
    assert_eq!(stage.trained, planned.parameters + 5 * 33);
    assert_eq!(stage.evaluation[1], ("gene".to_owned(), 24));

    let record = train(&config, &options(false), &Silent).unwrap();
    assert_eq!(record.status, Status::Finished);
    assert_eq!(record.data.len(), 2);
    let losses = series(&config, "loss");
    let mean = |part: &[(u64, f64)]| part.iter().map(|v| v.1).sum::<f64>() / part.len() as f64;
    assert!(mean(&losses[80..]) < 0.3 * mean(&losses[..5]), "{losses:?}");
    for name in ["disease", "gene"] {
        let f1 = series(&config, &format!("score/{name}/f1"));
        assert!(f1[f1.len() - 1].1 > 0.9, "{name}: {f1:?}");
    }

    // The finished tagger finds both in one sentence, though each corpus labels
    // one of them only, and scores as it did in training.
    let model = config.output.join("model");
    let encoder = Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap());
    let tagger = Tagger::open(encoder, &model, None).unwrap();
    assert_eq!(tagger.head().name(), "both");
    let text = "patients with muscle pain and TNF-α after treatment.";
    let found = &tagger.annotate(&[text]).unwrap()[0];
    let named: Vec<(&str, &str)> = found.iter().map(|e| (&e.kind[..], &e.text[..])).collect();
    assert_eq!(named, [("Disease", "muscle pain"), ("Gene", "TNF-α")]);
    let sentences = TaggedSentence::read(&dir.path().join("disease.tsv")).unwrap();
    let words: Vec<Vec<String>> = sentences.iter().map(|s| s.words.clone()).collect();
    let mut counter = EntityCounter::new(Counting::Conll);
    for (sentence, tags) in sentences.iter().zip(tagger.tag(&words).unwrap()) {
        let disease = |tag: usize| match tagger.head().tags().name(tag) {
            name if name.ends_with("Disease") => name,
            _ => "O".to_owned(),
        };
        let tags: Vec<String> = tags.into_iter().map(disease).collect();
        counter.add(&sentence.tags, &tags).unwrap();
    }
    let expected = record.scores.iter().rfind(|s| s.name == "score/disease/f1");
    let found = counter.scores().micro.f1;
    assert!(
        (found - expected.unwrap().value).abs() < 1e-9,
        "{found} {expected:?}"
    );
}

#[test]
fn a_frozen_encoder_stays_as_it_is_and_its_head_learns() {
    let dir = folder();
    let keys = format!(
        "steps = 4\nlearning_rate = 1e-2\nlog_steps = 1\nweight_decay = 0.0\nwarm_up = 0.0\n\
         freeze_layers = 2\nfreeze_embeddings = true\n{DATA}"
    );
    let config = config(dir.path(), "run", &keys);
    train(&config, &options(false), &Silent).unwrap();
    let read = |dir: &Path| {
        let path = dir.join("model.safetensors");
        candle_core::safetensors::load(path, &candle_core::Device::Cpu).unwrap()
    };
    let numbers = |tensor: &candle_core::Tensor| -> Vec<f32> {
        tensor.flatten_all().unwrap().to_vec1().unwrap()
    };
    let (before, after) = (
        read(&fixture("models/bert-mean")),
        read(&config.output.join("model")),
    );
    for (name, tensor) in &after {
        assert_eq!(numbers(tensor), numbers(&before[name]), "{name}");
    }
    let losses = series(&config, "loss");
    assert_ne!(losses[0].1, losses[3].1);
}

/// Stops behind so many steps.
pub(super) struct Stop(pub(super) u64, pub(super) AtomicU64);

impl Progress for Stop {
    fn step(&self, _: &crate::trainer::StepReport) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

#[test]
fn a_resumed_run_has_the_losses_of_an_unbroken_one() {
    let dir = folder();
    let keys = format!(
        "epochs = 1.5\nlearning_rate = 1e-3\ndropout = 0.1\nlog_steps = 1\n\
         micro_batch_tokens = 48\nmax_tokens = 12\n{DATA}"
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
    let disease = "data = [{ files = [\"{data}/disease.tsv\"] }]";
    refused(
        &format!("objective = {{ types = [\"Disease\", \"Cell\"] }}\n{disease}"),
        "no data set labels the type Cell",
    );
    refused(
        &format!("objective = {{ types = [\"Gene\"] }}\n{disease}"),
        "Disease",
    );
    refused(
        &format!("objective = {{ types = [\"Disease\"], weights = {{ Gene = 2.0 }} }}\n{disease}"),
        "the weight 2 of `Gene`",
    );
    refused(
        &format!("objective = {{ types = [\"Disease\"], type = 1 }}\n{disease}"),
        "type",
    );
    refused(
        &format!("objective = {{ types = [\"Disease\"], kind = \"softmax\" }}\n{disease}"),
        "softmax",
    );
    let set =
        "evaluation.sets = [{ name = \"a\", kind = \"entities\", files = [\"{data}/gene.tsv\"] }]";
    refused(
        &format!("objective = {{ types = [\"Disease\"] }}\n{disease}\n{set}"),
        "evaluation set `a`",
    );
}
