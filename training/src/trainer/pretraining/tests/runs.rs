//! Whole runs from scratch.

use super::*;
use crate::kernel::scalar::mix;
use crate::model::initialise;
use crate::network::head::start_heads;
use crate::record::Status;
use crate::trainer::{MaskedModel, MaskedModelOptions};
use candle_core::{Device, Tensor};
use medsift::encoder::parts::read_checkpoint;
use std::collections::HashMap;

const HELD_OUT: &str = r#"
[[stage.evaluation.sets]]
name = "held-out"
kind = "mlm"
files = ["HELD_OUT"]
"#;

fn with_held_out(dir: &Path, stage: &str) -> String {
    let file = dir.join("held-out.txt").display().to_string();
    format!("{stage}\n{}", HELD_OUT.replace("HELD_OUT", &file))
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

#[test]
fn two_steps_from_scratch_change_every_parameter() {
    let dir = folder();
    // Without decay, which would move a parameter that gets no gradient.
    let keys = "steps = 2\nwarm_up = 0\nweight_decay = 0\nlearning_rate = 1e-3\ndropout = 0";
    let config = config(dir.path(), "run", keys);
    let record = run(&config).unwrap();
    assert_eq!(record.status, Status::Finished);
    assert_eq!(record.data.len(), 1);
    assert!(record.data[0].bytes > 0 && record.data[0].sha256.len() == 64);
    let saved = read_checkpoint(&config.output.join("model/model.safetensors")).unwrap();
    let sizes = config.base.scratch.as_ref().unwrap();
    let architecture = sizes.architecture(220);
    let mut before = initialise(&architecture, config.seed).unwrap();
    let seed = mix(config.seed, 0);
    let heads = start_heads(&architecture, &HashMap::new(), 2, seed, &Device::Cpu).unwrap();
    before.extend(heads.parameters.snapshot().unwrap());
    assert_eq!(before.len(), saved.len());
    for (name, start) in &before {
        let (start, end) = (numbers(start), numbers(&saved[name]));
        assert_eq!(start.len(), end.len(), "{name}");
        assert_ne!(start, end, "{name} stayed as it was");
    }
    for name in [
        "cls.predictions.transform.dense.weight",
        "pooler.dense.weight",
    ] {
        assert!(before.contains_key(name), "{name}");
    }
}

#[test]
fn losses_fall_and_the_model_measures_as_its_run_did() {
    let dir = folder();
    let keys = "steps = 60\nlearning_rate = 5e-3\ndropout = 0\n\
                objective = { kind = \"mlm\", relations = \"next_sentence\" }";
    let config = config(dir.path(), "run", &with_held_out(dir.path(), keys));
    run(&config).unwrap();
    for (name, share) in [("loss", 0.9), ("loss/mlm", 0.85)] {
        let values = series(&config, name);
        assert_eq!(values.len(), 60);
        let mean = |part: &[(u64, f64)]| part.iter().map(|v| v.1).sum::<f64>() / 10.0;
        let (first, last) = (mean(&values[..10]), mean(&values[50..]));
        assert!(last < share * first, "{name} went from {first} to {last}");
    }
    let score = |measure: &str| {
        let values = series(&config, &format!("score/held-out/{measure}"));
        assert_eq!(
            (values.len(), values[0].0, values[1].0),
            (2, 0, 60),
            "{measure}"
        );
        (values[0].1, values[1].1)
    };
    let (first, last) = score("loss");
    // A random network knows nothing of 220 words.
    assert!((first - 220f64.ln()).abs() < 0.3, "{first}");
    assert!(last < 0.85 * first, "{first} {last}");
    let (first, last) = score("perplexity");
    assert!((first.ln() - score("loss").0).abs() < 1e-9 && last < first);
    let (first, last) = score("accuracy");
    assert!(last >= first && last <= 1.0, "{first} {last}");
    let (_, relation) = score("relation_accuracy");
    assert!((0.0..=1.0).contains(&relation));

    let mut model = MaskedModel::open(&config.output.join("model")).unwrap();
    let options = MaskedModelOptions {
        max_tokens: Some(32),
        ..MaskedModelOptions::default()
    };
    let file = dir.path().join("held-out.txt");
    let scores = model.measure(&file, &options, None).unwrap();
    assert!((scores.loss - score("loss").1).abs() < 1e-4, "{scores:?}");
    assert!((scores.accuracy - last_of(&config, "accuracy")).abs() < 1e-9);
    assert!((scores.relation_accuracy.unwrap() - relation).abs() < 1e-9);
    assert!(scores.masked > scores.sequences);
}

fn last_of(config: &TrainConfig, measure: &str) -> f64 {
    let values = series(config, &format!("score/held-out/{measure}"));
    values[values.len() - 1].1
}

#[test]
fn a_resumed_run_has_the_losses_of_an_unbroken_one() {
    let dir = folder();
    // Dropout, passes that end in the middle, and batches of several
    // micro-batches.
    let keys = "epochs = 2.5\nlearning_rate = 1e-3\ndropout = 0.1";
    let unbroken = config(dir.path(), "unbroken", keys);
    run(&unbroken).unwrap();
    let expected = series(&unbroken, "loss");
    let epochs: Vec<f64> = metrics(&unbroken).iter().map(|line| line.epoch).collect();
    assert!(epochs.iter().any(|&epoch| epoch > 2.0), "{epochs:?}");
    let total = expected.len() as u64;
    for stop in [3, total / 2 + 1, total - 1] {
        let broken = config(dir.path(), &format!("broken-{stop}"), keys);
        let listener = Listener {
            stop: Some(stop),
            ..Listener::default()
        };
        let record = train(&broken, &RunOptions::default(), &listener).unwrap();
        assert_eq!(record.status, Status::Stopped { step: stop });
        let options = RunOptions {
            resume: true,
            ..RunOptions::default()
        };
        let record = train(&broken, &options, &Silent).unwrap();
        assert_eq!(record.status, Status::Finished);
        assert_eq!(series(&broken, "loss"), expected, "stopped behind {stop}");
        let relation = series(&broken, "loss/relation");
        assert_eq!(relation, series(&unbroken, "loss/relation"));
        assert_eq!(record.data.len(), 1, "the data are named once");
    }
}

#[test]
fn a_changed_corpus_does_not_resume() {
    let dir = folder();
    let keys = "steps = 9\nlearning_rate = 1e-3";
    let config = config(dir.path(), "run", keys);
    let listener = Listener {
        stop: Some(4),
        ..Listener::default()
    };
    train(&config, &RunOptions::default(), &listener).unwrap();
    fs::write(dir.path().join("corpus.txt"), text(2)).unwrap();
    let options = RunOptions {
        resume: true,
        ..RunOptions::default()
    };
    let error = train(&config, &options, &Silent).unwrap_err().to_string();
    assert!(error.contains("its files have changed"), "{error}");
}

#[test]
fn a_second_stage_goes_on_with_the_heads_of_the_first() {
    let dir = folder();
    let mut config = config(dir.path(), "run", "steps = 2\nlearning_rate = 1e-3");
    let mut second = config.stages[0].clone();
    second.name = "longer".to_owned();
    config.stages.push(second);
    let listener = Listener::default();
    train(&config, &RunOptions::default(), &listener).unwrap();
    let notes = listener.notes.into_inner().unwrap();
    let fresh = notes.iter().filter(|note| note.contains("at random"));
    assert_eq!(fresh.count(), 1, "{notes:?}");
}

#[test]
fn one_segment_has_no_relation() {
    let dir = folder();
    let keys = "steps = 2\nobjective = { relations = \"none\", whole_word = true }";
    let config = config(dir.path(), "run", &with_held_out(dir.path(), keys));
    run(&config).unwrap();
    assert!(series(&config, "loss/relation").is_empty());
    assert!(series(&config, "score/held-out/relation_accuracy").is_empty());
    assert_eq!(series(&config, "loss"), series(&config, "loss/mlm"));
    let saved = read_checkpoint(&config.output.join("model/model.safetensors")).unwrap();
    assert!(!saved.keys().any(|name| name.contains("pooler")));
    let mut model = MaskedModel::open(&config.output.join("model")).unwrap();
    let file = dir.path().join("held-out.txt");
    let scores = model
        .measure(&file, &MaskedModelOptions::default(), None)
        .unwrap();
    assert_eq!(scores.relation_accuracy, None);
}

#[test]
fn citations_give_a_third_relation() {
    let dir = folder();
    let lines: Vec<String> = (1..=30)
        .map(|pmid| {
            let text = text(3).replace('\n', " ");
            format!(
                "{{\"id\": \"{pmid}\", \"pmid\": {pmid}, \"ref_pmids\": [{}], \"text\": \"{text}\"}}",
                pmid % 30 + 1
            )
        })
        .collect();
    let corpus = dir.path().join("corpus.jsonl");
    fs::write(&corpus, lines.join("\n")).unwrap();
    let keys = "steps = 3\nobjective = { relations = \"linked\" }";
    let mut config = config(dir.path(), "run", keys);
    let files = vec![toml::Value::String(corpus.display().to_string())];
    config.stages[0].data[0].insert("files".to_owned(), files.into());
    run(&config).unwrap();
    let saved = read_checkpoint(&config.output.join("model/model.safetensors")).unwrap();
    assert_eq!(saved["cls.seq_relationship.weight"].dims(), [3, 16]);
    let relation = series(&config, "loss/relation");
    assert!((relation[0].1 - 3f64.ln()).abs() < 0.1, "{relation:?}");
}
