//! Whole runs.

use super::*;
use crate::data::Purpose;
use crate::data::questions::QuestionSpec;
use crate::record::{RunFolder, Status, read_metrics};
use crate::trainer::{Progress, RunOptions, Silent, StepReport, plan, train};
use medsift::encoder::parts::model_sha256;
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::enrich::AnswerReader;
use medsift::eval::AnswerCounter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const DATA: &str = r#"
objective = { name = "causes", max_question = 8, max_answer = 4, doc_stride = 16 }
data = [{ files = ["{data}/questions.json"], negatives = 0.25 }]
evaluation.sets = [{ name = "dev", kind = "answers", files = ["{data}/questions.json"] }]
"#;

fn options(resume: bool) -> RunOptions {
    RunOptions {
        model: Some(fixture("models/bert-mean")),
        command: "medsift train run answers.toml".to_owned(),
        resume,
        ..RunOptions::default()
    }
}

fn series(config: &TrainConfig, name: &str) -> Vec<f64> {
    let metrics = RunFolder::new(&config.output).metrics();
    let lines = read_metrics(&metrics).unwrap().into_iter();
    lines
        .filter_map(|line| line.values.get(name).copied())
        .collect()
}

/// Stops behind so many steps.
struct Stop(u64, AtomicU64);

impl Progress for Stop {
    fn step(&self, _: &StepReport) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

/// What the finished head of a run makes of the questions.
fn scored_again(dir: &Path, model: &Path) -> AnswerCounter {
    let encoder = Arc::new(Encoder::open(model, EncoderOptions::default()).unwrap());
    let reader = AnswerReader::open(encoder, model, None).unwrap();
    assert_eq!(reader.head().name(), "causes");
    let file = dir.join("questions.json").display().to_string();
    let spec: QuestionSpec = toml::from_str(&format!("files = [{file:?}]")).unwrap();
    let questions = spec.load(Purpose::Evaluation).unwrap().questions;
    let pairs: Vec<(&str, &str)> = questions
        .iter()
        .map(|one| (&one.question[..], &one.passage[..]))
        .collect();
    let mut counter = AnswerCounter::default();
    for (question, found) in questions.iter().zip(reader.answers(&pairs, 3).unwrap()) {
        for answer in &found {
            let text = question.passage.chars().take(answer.end).skip(answer.start);
            assert_eq!(text.collect::<String>(), answer.text);
        }
        let best = found.first().map(|one| (&one.text[..], one.margin));
        counter.add(&question.gold, best);
    }
    counter
}

#[test]
fn a_head_learns_and_scores_as_it_did_in_training() {
    let dir = folder();
    let keys = format!(
        "steps = 120\nlearning_rate = 2e-3\nhead_factor = 5\ndropout = 0.0\nlog_steps = 1\n{DATA}"
    );
    let config = config(dir.path(), "run", &keys);
    let planned = plan(&config, Some(&fixture("models/bert-mean")), None).unwrap();
    let stage = &planned.stages[0];
    // 36 questions have an answer; a quarter of them is asked of other passages.
    assert_eq!((stage.examples, stage.steps), (Some(48 + 9), Some(120)));
    assert_eq!(stage.trained, planned.parameters + 2 * 33);
    let record = train(&config, &options(false), &Silent).unwrap();
    assert_eq!(record.status, Status::Finished);
    let losses = series(&config, "loss");
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    assert!(
        mean(&losses[110..]) < 0.3 * mean(&losses[..5]),
        "{losses:?}"
    );
    let f1 = series(&config, "score/dev/f1");
    assert!(f1[f1.len() - 1] > 0.9, "{f1:?}");

    let counter = scored_again(dir.path(), &config.output.join("model"));
    let best = counter.best_threshold().unwrap();
    let expected = series(&config, "score/dev/exact");
    let scores = counter.scores(best.margin);
    assert!((scores.exact - expected[expected.len() - 1]).abs() < 1e-9);
    assert!((best.f1 - f1[f1.len() - 1]).abs() < 1e-9);
    assert!(scores.unanswerable_right > 0.9, "{scores:?}");
}

#[test]
fn an_adapter_leaves_the_encoder_as_it_is() {
    let dir = folder();
    let base = fixture("models/bert-mean");
    let keys = format!(
        "steps = 30\nlearning_rate = 1e-2\ndropout = 0.0\nlog_steps = 1\n\
         adapter = {{ rank = 4 }}\n{DATA}"
    );
    let config = config(dir.path(), "run", &keys);
    train(&config, &options(false), &Silent).unwrap();
    let losses = series(&config, "loss");
    assert!(losses[29] < 0.8 * losses[0], "{losses:?}");
    let model = config.output.join("model");
    assert_eq!(model_sha256(&model).unwrap(), model_sha256(&base).unwrap());
    let f1 = series(&config, "score/dev/f1");
    let counter = scored_again(dir.path(), &model);
    let best = counter.best_threshold().unwrap();
    // The adapter is stored in half precision.
    assert!((best.f1 - f1[f1.len() - 1]).abs() < 0.05, "{best:?} {f1:?}");
}

#[test]
fn a_resumed_run_has_the_losses_of_an_unbroken_one() {
    let dir = folder();
    let keys = format!(
        "steps = 9\nlearning_rate = 1e-3\ndropout = 0.1\nlog_steps = 1\n\
         micro_batch_tokens = 48\n{DATA}"
    );
    let whole = config(dir.path(), "whole", &keys);
    train(&whole, &options(false), &Silent).unwrap();
    let broken = config(dir.path(), "broken", &keys);
    let record = train(&broken, &options(false), &Stop(4, AtomicU64::new(0))).unwrap();
    assert_eq!(record.status, Status::Stopped { step: 4 });
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
    };
    let data = "data = [{ files = [\"{data}/questions.json\"] }]\n";
    let objective = |keys: &str| format!("objective = {{ {keys} }}\n{data}");
    refused(&objective("max_question = 40"), "max_tokens 48");
    refused(&objective("max_answer = 0"), "max_answer");
    refused(&objective("doc_stride = 0"), "stride");
    refused(&objective("name = \"a/b\""), "a/b");
    refused(&objective("labels = []"), "labels");
    let set = "evaluation.sets = [{ name = \"a\", kind = \"entities\", files = [\"x.tsv\"] }]";
    let short = objective("max_question = 8");
    refused(&format!("{short}{set}"), "kind `token`");
    let missing = short.replace("questions.json", "none.json");
    refused(&missing, "none.json");
}
