//! Losses and gradients against sentence-transformers and PyTorch, recorded
//! by `tests/reference/make_training_reference.py`.

use super::*;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: ObjectiveConfig,
    embeddings: Vec<Vec<Vec<f32>>>,
    labels: RecordedLabels,
    parameters: BTreeMap<String, Value>,
    loss: f32,
    gradients: Vec<Vec<Vec<f32>>>,
    parameter_gradients: BTreeMap<String, Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RecordedLabels {
    classes: Option<Vec<u32>>,
    scores: Option<Vec<f32>>,
    lists: Option<Vec<Vec<f32>>>,
    teacher: Option<Vec<Vec<Vec<f32>>>>,
}

impl RecordedLabels {
    fn labels(self) -> Labels {
        if let Some(classes) = self.classes {
            return Labels::Classes(classes);
        }
        if let Some(scores) = self.scores {
            return Labels::Scores(scores);
        }
        if let Some(lists) = self.lists {
            return Labels::Lists(tensor(&lists));
        }
        let columns = self.teacher.map(|c| c.iter().map(|x| tensor(x)).collect());
        columns.map_or(Labels::None, Labels::Teacher)
    }
}

fn tensor(rows: &[Vec<f32>]) -> Tensor {
    matrix(rows.concat(), rows.len())
}

fn flat(value: &Value) -> Vec<f32> {
    match value {
        Value::Array(values) => values.iter().flat_map(flat).collect(),
        other => vec![other.as_f64().expect("a number") as f32],
    }
}

fn close(what: &str, ours: &[f32], expected: &[f32]) {
    assert_eq!(ours.len(), expected.len(), "{what}");
    for (place, (ours, expected)) in ours.iter().zip(expected).enumerate() {
        let allowed = 2e-5 + 2e-4 * expected.abs();
        assert!(
            (ours - expected).abs() <= allowed,
            "{what}, number {place}: {ours}, expected {expected}"
        );
    }
}

fn start_from(objective: &dyn Objective, recorded: &BTreeMap<String, Value>) {
    let parameters = objective.parameters();
    assert_eq!(parameters.len(), recorded.len());
    for (name, variable) in parameters {
        let numbers = flat(&recorded[&name]);
        let start = Tensor::from_vec(numbers, variable.shape(), &Device::Cpu).unwrap();
        variable.set(&start).unwrap();
    }
}

#[test]
fn losses_and_gradients_are_those_of_the_reference() {
    let text = include_str!("../../../../tests/reference/objectives.json");
    let reference: Reference = serde_json::from_str(text).unwrap();
    assert!(reference.cases.len() >= 20, "{}", reference.cases.len());
    for case in reference.cases {
        let name = &case.name;
        let dimension = case.embeddings[0][0].len();
        let objective = build(&case.config, dimension, 7).expect(name);
        assert_eq!(objective.columns(), case.embeddings.len(), "{name}");
        start_from(objective.as_ref(), &case.parameters);
        let leaves: Vec<Var> = case
            .embeddings
            .iter()
            .map(|column| Var::from_tensor(&tensor(column)).unwrap())
            .collect();
        let embeddings: Vec<Tensor> = leaves.iter().map(|v| v.as_tensor().clone()).collect();
        let loss = objective
            .loss(&embeddings, &case.labels.labels())
            .expect(name);
        close(name, &[loss.to_scalar().unwrap()], &[case.loss]);
        let store = loss.backward().unwrap();
        let gradient = |of: &Tensor| -> Vec<f32> {
            let gradient = store.get(of).expect(name).flatten_all().unwrap();
            gradient.to_vec1().unwrap()
        };
        for (column, (leaf, expected)) in leaves.iter().zip(&case.gradients).enumerate() {
            let what = format!("{name}, gradient of column {column}");
            close(&what, &gradient(leaf.as_tensor()), &expected.concat());
        }
        for (key, variable) in objective.parameters() {
            let expected = flat(&case.parameter_gradients[&key]);
            let what = format!("{name}, gradient of {key}");
            close(&what, &gradient(variable.as_tensor()), &expected);
        }
    }
}
