use super::*;
use proptest::prelude::*;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    labels: usize,
    negative: Option<usize>,
    gold: Vec<usize>,
    probabilities: Vec<Vec<f32>>,
    accuracy: f64,
    /// Precision, recall and F1.
    micro: [f64; 3],
    macro_f1: f64,
    auc: Option<f64>,
    /// Precision, recall, F1 and support of each label.
    each: Vec<[f64; 4]>,
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("l{number}")).collect()
}

fn close(what: &str, found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-9,
        "{what}: {found}, scikit-learn says {expected}"
    );
}

#[test]
fn scores_are_those_of_scikit_learn() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/labels.json");
    let text = std::fs::read_to_string(path).unwrap();
    let reference: Reference = serde_json::from_str(&text).unwrap();
    assert!(reference.cases.len() >= 100);
    for case in &reference.cases {
        let mut counter = LabelCounter::new(&names(case.labels), case.negative);
        for (gold, probabilities) in case.gold.iter().zip(&case.probabilities) {
            counter.add(*gold, probabilities).unwrap();
        }
        let found = counter.scores();
        close("accuracy", found.accuracy, case.accuracy);
        close("precision", found.micro.precision, case.micro[0]);
        close("recall", found.micro.recall, case.micro[1]);
        close("F1", found.micro.f1, case.micro[2]);
        close("macro F1", found.macro_f1, case.macro_f1);
        assert_eq!(found.auc.is_some(), case.auc.is_some());
        close(
            "AUC",
            found.auc.unwrap_or(0.0),
            case.auc.unwrap_or_default(),
        );
        for (named, expected) in found.labels.iter().zip(&case.each) {
            close("precision", named.score.precision, expected[0]);
            close("recall", named.score.recall, expected[1]);
            close("F1", named.score.f1, expected[2]);
            assert_eq!(named.score.gold as f64, expected[3]);
        }
    }
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let mut counter = LabelCounter::new(&names(2), None);
    for (gold, probabilities) in [(2, &[0.5, 0.5][..]), (0, &[1.0]), (0, &[f32::NAN, 0.5])] {
        let error = counter.add(gold, probabilities).unwrap_err();
        assert!(error.to_string().contains("text 1"), "{error}");
    }
    let scores = counter.scores();
    assert_eq!((scores.texts, scores.accuracy, scores.auc), (0, 0.0, None));
}

#[test]
fn an_area_needs_both_sides() {
    assert_eq!(area_under_curve(&[(true, 0.1), (true, 0.2)]), None);
    assert_eq!(area_under_curve(&[(false, 0.1)]), None);
    assert_eq!(area_under_curve(&[(true, f64::NAN), (false, 0.1)]), None);
    assert_eq!(area_under_curve(&[(true, 0.0), (false, -0.0)]), Some(0.5));
}

proptest! {
    #[test]
    fn the_area_is_the_share_of_pairs_in_order(
        cases in prop::collection::vec((any::<bool>(), 0u8..6), 2..40),
    ) {
        let cases: Vec<(bool, f64)> = cases
            .into_iter()
            .map(|(positive, score)| (positive, f64::from(score) / 5.0))
            .collect();
        let (mut pairs, mut won) = (0.0, 0.0);
        for (_, high) in cases.iter().filter(|case| case.0) {
            for (_, low) in cases.iter().filter(|case| !case.0) {
                pairs += 1.0;
                won += if high > low { 1.0 } else if high == low { 0.5 } else { 0.0 };
            }
        }
        match area_under_curve(&cases) {
            Some(area) => prop_assert!((area - won / pairs).abs() < 1e-12),
            None => prop_assert_eq!(pairs, 0.0),
        }
    }
}
