//! Heads whose encoder stays as it is, with a low-rank change beside it.

use super::runs::{DATA, objective, options, series};
use super::*;
use crate::trainer::{Silent, plan, train};
use medsift::encoder::parts::model_sha256;
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::enrich::{TextClassifier, TextHead};
use std::sync::Arc;

const KEYS: &str = "learning_rate = 1e-2\ndropout = 0.0\nlog_steps = 1\n\
                    adapter = { rank = 4, alpha = 8 }\n";

#[test]
fn heads_of_two_runs_share_an_encoder_that_stays_as_it_is() {
    let dir = folder();
    let base = fixture("models/bert-mean");
    let keys = format!("steps = 60\n{KEYS}{}{DATA}", objective(", pooler = true"));
    let first = config(dir.path(), "run", &keys);
    let planned = plan(&first, Some(&base), None).unwrap();
    // Two layers of width 32, the inside of the feed-forward layer 64; pooler.
    let layer = 4 * (4 * (32 + 32) + 2 * (32 + 64));
    assert_eq!(planned.stages[0].trained, 2 * layer + 2 * 33 + 32 * 33);
    train(&first, &options(false), &Silent).unwrap();
    let f1 = series(&first, "score/fold/f1");
    assert!(f1[f1.len() - 1].1 > 0.9, "{f1:?}");

    let model = first.output.join("model");
    let keys = format!("steps = 2\n{KEYS}{}{DATA}", objective("")).replace("\"pain\"", "\"again\"");
    let second = config(dir.path(), "second", &keys);
    let mut from = options(false);
    from.model = Some(model);
    train(&second, &from, &Silent).unwrap();
    let model = second.output.join("model");
    assert_eq!(TextHead::names(&model).unwrap(), ["again", "pain"]);
    assert_eq!(model_sha256(&model).unwrap(), model_sha256(&base).unwrap());

    // The encoder of both is one; the adapter counts.
    let encoder = Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap());
    let classifier = TextClassifier::open(encoder, &model, Some("pain")).unwrap();
    assert_eq!(classifier.head().adapter().unwrap().rank(), 4);
    let found = classifier
        .classify(&[
            "cells in muscle pain with statins",
            "cells after muscle pain with statins",
        ])
        .unwrap();
    let labels: Vec<&str> = found.iter().map(|one| &one.label[..]).collect();
    assert_eq!(labels, ["cause", "none"]);
}
