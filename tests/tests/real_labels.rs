//! The corpora of relations, as they are read and held apart.

use medsift::eval::{Column, LabelledTable};
use medsift_tests::real_data;
use medsift_training::config::{StageConfig, TrainConfig};
use medsift_training::data::Purpose;
use medsift_training::data::labelled::{LabelledSet, LabelledSpec};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// A file, its rows, and its rows by label.
type Counts = (&'static str, usize, &'static [(&'static str, usize)]);

/// What the sets' own notes say.
const COUNTS: [Counts; 5] = [
    ("gad/folds.tsv.gz", 5330, &[("0", 2529), ("1", 2801)]),
    ("euadr/folds.tsv", 355, &[("0", 93), ("1", 262)]),
    (
        "chemprot/with-negatives/train.tsv.gz",
        16521,
        &[
            ("CPR:3", 761),
            ("CPR:4", 2251),
            ("CPR:5", 172),
            ("CPR:6", 235),
            ("CPR:9", 713),
            ("False", 12389),
        ],
    ),
    (
        "chemprot/with-negatives/dev.tsv.gz",
        10361,
        &[
            ("CPR:3", 548),
            ("CPR:4", 1093),
            ("CPR:5", 115),
            ("CPR:6", 199),
            ("CPR:9", 457),
            ("False", 7949),
        ],
    ),
    (
        "chemprot/with-negatives/test.tsv.gz",
        14396,
        &[
            ("CPR:3", 664),
            ("CPR:4", 1658),
            ("CPR:5", 183),
            ("CPR:6", 292),
            ("CPR:9", 644),
            ("False", 10955),
        ],
    ),
];

fn table() -> LabelledTable {
    LabelledTable {
        text: Column::Name("sentence".to_owned()),
        ..LabelledTable::default()
    }
}

/// The stage of a file of `config/train`.
fn stage(name: &str, data: &Path) -> StageConfig {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../config/train")
        .join(name);
    let config = TrainConfig::read(&path).unwrap();
    config.with_data_dir(Some(data.to_owned())).stages.remove(0)
}

fn labels(stage: &StageConfig) -> Vec<String> {
    let labels = stage.objective["labels"].as_array().unwrap().iter();
    labels
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

/// Letters and digits in lower case: texts that read the same.
fn letters(set: &LabelledSet) -> HashSet<String> {
    let key = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    set.texts.iter().map(|row| key(&row.text)).collect()
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn corpora_are_read_whole() {
    let Some(data) = real_data("corpora_are_read_whole") else {
        return;
    };
    for (name, rows, expected) in COUNTS {
        let read = table().read(&data.join("re").join(name)).unwrap().rows;
        assert_eq!(read.len(), rows, "{name}");
        let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &read {
            *labels.entry(&row.label).or_default() += 1;
        }
        let labels: Vec<(&str, usize)> = labels.into_iter().collect();
        assert_eq!(labels, expected, "{name}");
    }
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn no_sentence_of_a_fold_is_learnt() {
    let Some(data) = real_data("no_sentence_of_a_fold_is_learnt") else {
        return;
    };
    for (name, rows) in [("gad.toml", 5330), ("euadr.toml", 355)] {
        let stage = stage(name, &data);
        let labels = labels(&stage);
        let (mut held_out, mut again) = (0, 0);
        for fold in 1..=10i64 {
            let mut train = stage.data[0].clone();
            let mut test = stage.evaluation.sets[0].clone();
            for (set, key) in [(&mut train, "without"), (&mut test, "only")] {
                set[key]["fold"] = fold.into();
            }
            test.retain(|key, _| key != "name" && key != "kind");
            let train: LabelledSpec = train.try_into().unwrap();
            let test: LabelledSpec = test.try_into().unwrap();
            let train = train.load(&labels, Purpose::Training).unwrap();
            let test = test.load(&labels, Purpose::Evaluation).unwrap();
            assert!(
                letters(&train).is_disjoint(&letters(&test)),
                "{name} {fold}"
            );
            assert_eq!(train.sources[0].read(), rows);
            assert_eq!(test.sources[0].read(), rows);
            assert_eq!(train.sources[0].skipped.filtered, test.texts.len());
            held_out += test.texts.len();
            again += train.sources[0].skipped.excluded;
        }
        // Every row is in one fold. Rows that stand in two are in GAD only.
        assert_eq!(held_out, rows);
        assert_eq!(again > 0, name == "gad.toml", "{again}");
    }
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn no_sentence_of_a_test_split_is_learnt() {
    let Some(data) = real_data("no_sentence_of_a_test_split_is_learnt") else {
        return;
    };
    let stage = stage("chemprot.toml", &data);
    let labels = labels(&stage);
    let train: LabelledSpec = stage.data[0].clone().try_into().unwrap();
    let learnt = train.load(&labels, Purpose::Training).unwrap();
    assert!(learnt.texts.len() > 16_000);
    for held_out in &train.exclude {
        let mut spec = train.clone();
        spec.files = vec![held_out.clone()];
        spec.exclude.clear();
        let set = spec.load(&labels, Purpose::Evaluation).unwrap();
        assert!(letters(&learnt).is_disjoint(&letters(&set)), "{held_out}");
    }
}
