//! Heads that read two texts at once.

use super::runs::{options, series};
use super::*;
use crate::trainer::{Silent, plan, train};
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::enrich::TextClassifier;
use medsift::eval::{Column, LabelCounter, LabelMap, LabelledTable};
use std::collections::BTreeMap;
use std::sync::Arc;

const COLUMNS: &str = "files = [\"{data}/abstracts.json\"], text = \"Q\", text_pair = \"C\", \
                       label = \"d\"";

/// Records whose label depends on whether the question's word is in the text: of
/// neither text alone can it be told.
fn records(dir: &Path) {
    let words = ["statins", "cytokines", "receptors"];
    let records: Vec<String> = (0..36)
        .map(|number| {
            let asked = words[number % 3];
            let told = words[(number + number / 3) % 3];
            let label = if asked == told { "yes" } else { "no" };
            format!(
                r#""{number}": {{"Q": "{asked}", "C": ["in patients", "{told} after"],
                    "d": "{label}"}}"#
            )
        })
        .collect();
    let text = format!("{{{}}}", records.join(","));
    std::fs::write(dir.join("abstracts.json"), text).unwrap();
}

#[test]
fn a_head_of_pairs_learns_and_scores_as_it_did_in_training() {
    let dir = folder();
    records(dir.path());
    std::fs::write(dir.path().join("test.json"), r#"{"3": "no", "4": "no"}"#).unwrap();
    let keys = format!(
        "steps = 150\nlearning_rate = 2e-3\nhead_factor = 5\ndropout = 0.0\nlog_steps = 1\n\
         objective = {{ labels = [\"yes\", \"no\"], name = \"verdict\", text_pair = true }}\n\
         data = [{{ {COLUMNS} }}]\n\
         evaluation.sets = [\n  {{ name = \"same\", kind = \"labels\", {COLUMNS} }},\n  \
         {{ name = \"two\", kind = \"labels\", {COLUMNS}, only_ids = [\"{{data}}/test.json\"] }},\n]\n"
    );
    let config = config(dir.path(), "run", &keys);
    let planned = plan(&config, Some(&fixture("models/bert-mean")), None).unwrap();
    let sets: Vec<usize> = planned.stages[0]
        .evaluation
        .iter()
        .map(|set| set.1)
        .collect();
    assert_eq!(
        (planned.stages[0].examples, &sets[..]),
        (Some(36), &[36, 2][..])
    );
    train(&config, &options(false), &Silent).unwrap();
    let accuracy = series(&config, "score/same/accuracy");
    let accuracy = accuracy[accuracy.len() - 1].1;
    assert!(accuracy > 0.9, "{accuracy}");

    let model = config.output.join("model");
    let encoder = Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap());
    let classifier = TextClassifier::open(encoder, &model, None).unwrap();
    let table = LabelledTable {
        text: Column::parse("Q"),
        text_pair: Some(Column::parse("C")),
        label: Column::parse("d"),
        ..LabelledTable::default()
    };
    let rows = table.read(&dir.path().join("abstracts.json")).unwrap().rows;
    let pairs: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (&row.text[..], row.pair.as_deref().unwrap()))
        .collect();
    let labels = classifier.head().labels();
    let map = LabelMap::new(labels, &BTreeMap::new(), &[]).unwrap();
    let mut counter = LabelCounter::new(labels, None);
    let found = classifier.probabilities_of_pairs(&pairs).unwrap();
    for (row, chances) in rows.iter().zip(found) {
        let class = map.place(&row.label).unwrap().unwrap();
        counter.add(class, &chances).unwrap();
    }
    assert!((counter.scores().accuracy - accuracy).abs() < 1e-9);
}

#[test]
fn pairs_and_single_texts_are_not_mixed() {
    let dir = folder();
    records(dir.path());
    let refused = |keys: &str, part: &str| {
        let config = config(dir.path(), "run", &format!("steps = 1\n{keys}"));
        let error = train(&config, &options(false), &Silent).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    };
    let single = COLUMNS.replace("text_pair = \"C\", ", "");
    let objective = |more: &str| format!("objective = {{ labels = [\"yes\", \"no\"]{more} }}\n");
    refused(
        &format!("{}data = [{{ {COLUMNS} }}]", objective("")),
        "the objective has not",
    );
    refused(
        &format!("{}data = [{{ {single} }}]", objective(", text_pair = true")),
        "name no column",
    );
    let all = "exclude_ids = [\"{data}/abstracts.json\"]";
    refused(
        &format!("{}data = [{{ {single}, {all} }}]", objective("")),
        "no row of",
    );
    refused(
        &format!(
            "{}data = [{{ {single}, split = {{ of = 1, parts = [1] }} }}]",
            objective("")
        ),
        "split",
    );
}
