//! Runs whose encoder stays as it is, with a low-rank change beside it.

use super::runs::{DATA, Stop, options, series};
use super::*;
use crate::trainer::{Silent, plan, train};
use medsift::encoder::parts::model_sha256;
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::enrich::{Tagger, TokenHead};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

const KEYS: &str = "learning_rate = 1e-2\nlog_steps = 1\nadapter = { rank = 4, alpha = 8 }\n";

#[test]
fn heads_of_two_runs_share_an_encoder_that_stays_as_it_is() {
    let dir = folder();
    let base = fixture("models/bert-mean");
    let first = config(
        dir.path(),
        "run",
        &format!("steps = 90\ndropout = 0.0\n{KEYS}{DATA}"),
    );
    let planned = plan(&first, Some(&base), None).unwrap();
    // Two layers of width 32, the inside of the feed-forward layer 64.
    let layer = 4 * (4 * (32 + 32) + 2 * (32 + 64));
    assert_eq!(planned.stages[0].trained, 2 * layer + 5 * 33);
    train(&first, &options(false), &Silent).unwrap();
    for name in ["disease", "gene"] {
        let f1 = series(&first, &format!("score/{name}/f1"));
        assert!(f1[f1.len() - 1].1 > 0.9, "{name}: {f1:?}");
    }

    // A second run begins with what the first left, and leaves the head alone.
    let model = first.output.join("model");
    let keys = format!("steps = 2\n{KEYS}{DATA}").replace("\"both\"", "\"again\"");
    let second = config(dir.path(), "second", &keys);
    let mut from = options(false);
    from.model = Some(model.clone());
    train(&second, &from, &Silent).unwrap();
    let model = second.output.join("model");
    assert_eq!(TokenHead::names(&model).unwrap(), ["again", "both"]);
    for file in fs::read_dir(&base).unwrap() {
        let file = file.unwrap();
        if file.path().is_file() {
            let copy = model.join(file.file_name());
            assert_eq!(
                fs::read(file.path()).unwrap(),
                fs::read(copy).unwrap(),
                "{file:?}"
            );
        }
    }
    assert_eq!(model_sha256(&model).unwrap(), model_sha256(&base).unwrap());

    // Whoever may read the model may read its heads.
    #[cfg(unix)]
    for file in ["head.safetensors", "adapter.safetensors"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| {
            let path = model.join("heads/again").join(name);
            fs::metadata(path).unwrap().permissions().mode()
        };
        assert_eq!(mode(file), mode("config.json"));
    }

    // The encoder of both is one, and without a head what it was before.
    let encoder = Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap());
    let tagger = Tagger::open(Arc::clone(&encoder), &model, Some("both")).unwrap();
    let text = "patients with muscle pain and TNF-α after treatment.";
    let found = &tagger.annotate(&[text]).unwrap()[0];
    let named: Vec<(&str, &str)> = found.iter().map(|e| (&e.kind[..], &e.text[..])).collect();
    assert_eq!(named, [("Disease", "muscle pain"), ("Gene", "TNF-α")]);
    let start = Encoder::open(&base, EncoderOptions::default()).unwrap();
    assert_eq!(
        encoder.encode_query(text).unwrap(),
        start.encode_query(text).unwrap()
    );
}

#[test]
fn a_resumed_run_has_the_losses_of_an_unbroken_one() {
    let dir = folder();
    let keys = format!("steps = 9\ndropout = 0.1\n{KEYS}{DATA}");
    let whole = config(dir.path(), "whole", &keys);
    train(&whole, &options(false), &Silent).unwrap();
    let broken = config(dir.path(), "broken", &keys);
    train(&broken, &options(false), &Stop(5, AtomicU64::new(0))).unwrap();
    train(&broken, &options(true), &Silent).unwrap();
    assert_eq!(series(&broken, "loss"), series(&whole, "loss"));
    let head = |config: &TrainConfig| {
        fs::read(config.output.join("model/heads/both/adapter.safetensors")).unwrap()
    };
    assert_eq!(head(&broken), head(&whole));
}

#[test]
fn an_adapter_that_would_change_nothing_or_not_be_written_is_refused() {
    let dir = folder();
    let frozen = config(
        dir.path(),
        "run",
        &format!("steps = 1\nfreeze_layers = 2\n{KEYS}{DATA}"),
    );
    let error = train(&frozen, &options(false), &Silent)
        .unwrap_err()
        .to_string();
    assert!(error.contains("frozen"), "{error}");

    let parse = |text: &str| TrainConfig::parse(text, Path::new("a.toml")).map(|_| ());
    let stage = |keys: &str, kind: &str| {
        format!(
            "[[stage]]\nname = \"{kind}\"\nkind = \"{kind}\"\nobjective = {{ kind = \"x\" }}\n\
             data = [{{ files = [] }}]\n{keys}\n"
        )
    };
    let base = "output = \"runs\"\n[base]\nmodel = \"tiny\"\n";
    let adapter = "adapter = { rank = 4 }";
    for (text, word) in [
        (stage("adapter = { rank = 0 }", "token"), "adapter.rank"),
        (
            stage("adapter = { rank = 1, alpha = -1.0 }", "token"),
            "adapter.alpha",
        ),
        (stage(adapter, "sentence"), "`token`, `text` or `span`"),
        (
            stage(&format!("{adapter}\nstart_share = 0.5"), "token"),
            "start_share",
        ),
        (
            stage(adapter, "token") + &stage("", "sentence"),
            "a run of its own",
        ),
    ] {
        let error = parse(&format!("{base}{text}")).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}
