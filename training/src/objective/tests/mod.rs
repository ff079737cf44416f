//! Tests over all objectives: against the reference implementations, and of
//! what none of them may do.

mod faults;
mod numerics;
mod reference;

use super::{Labels, Objective, ObjectiveConfig, build};
use candle_core::{Device, Tensor, Var};

/// One configuration of each kind, as TOML has it, with labels that suit it.
fn every_kind() -> Vec<(&'static str, Given)> {
    vec![
        ("kind = \"softmax\"", Given::Classes),
        ("kind = \"cosine\"", Given::Scores),
        ("kind = \"triplet\"", Given::Nothing),
        ("kind = \"triplet\"\ndistance = \"cosine\"", Given::Nothing),
        ("kind = \"batch_triplet\"", Given::Classes),
        (
            "kind = \"batch_triplet\"\nmining = \"semi_hard\"",
            Given::Classes,
        ),
        (
            "kind = \"batch_triplet\"\ndistance = \"cosine\"",
            Given::Classes,
        ),
        ("kind = \"ranking\"\nnegatives = 1", Given::Nothing),
        (
            "kind = \"ranking\"\nsymmetric = true\nmask_margin = 0.1",
            Given::Nothing,
        ),
        ("kind = \"ranking\"\nmask_margin = 0.1", Given::Teacher),
        ("kind = \"distillation\"\ntexts = 2", Given::Teacher),
        ("kind = \"margin_mse\"\nsimilarity = \"dot\"", Given::Lists),
        (
            "kind = \"margin_mse\"\nsimilarity = \"cosine\"",
            Given::Lists,
        ),
        ("kind = \"listwise\"\npassages = 3", Given::Lists),
        ("kind = \"relational\"\npassages = 2", Given::Teacher),
        ("kind = \"graded\"", Given::Scores),
        ("kind = \"graded\"\nsimilarity = \"angle\"", Given::Scores),
        (
            "kind = \"matryoshka\"\ndimensions = [2, 4]\ninner = { kind = \"ranking\" }",
            Given::Nothing,
        ),
        (
            "kind = \"matryoshka\"\ndimensions = [2]\ninner = { kind = \"distillation\" }",
            Given::Teacher,
        ),
    ]
}

/// What labels a test gives.
#[derive(Debug, Clone, Copy)]
enum Given {
    Nothing,
    Classes,
    Scores,
    Lists,
    Teacher,
}

impl Given {
    /// Labels for a batch of any size.
    fn labels(self, columns: usize, rows: usize, dimension: usize) -> Labels {
        let fraction = |i: usize| (i * 37 % 101) as f32 / 101.0;
        match self {
            Self::Nothing => Labels::None,
            Self::Classes => Labels::Classes((0..rows as u32).map(|i| i / 2 % 3).collect()),
            Self::Scores => Labels::Scores((0..rows).map(|i| 5.0 * fraction(i)).collect()),
            Self::Lists => {
                let numbers = (0..rows * (columns - 1)).map(fraction).collect();
                Labels::Lists(matrix(numbers, rows))
            }
            Self::Teacher => Labels::Teacher(
                (0..columns)
                    .map(|c| {
                        let numbers = (0..rows * dimension).map(|i| fraction(i + c) - 0.4);
                        matrix(numbers.collect(), rows)
                    })
                    .collect(),
            ),
        }
    }
}

fn objective(toml: &str, dimension: usize) -> Box<dyn Objective> {
    let config: ObjectiveConfig = toml::from_str(toml).expect(toml);
    build(&config, dimension, 7).expect(toml)
}

fn matrix(numbers: Vec<f32>, rows: usize) -> Tensor {
    let columns = numbers.len() / rows;
    Tensor::from_vec(numbers, (rows, columns), &Device::Cpu).unwrap()
}

/// Embeddings as leaves, from a function of column, row and place.
fn leaves(
    columns: usize,
    rows: usize,
    dimension: usize,
    value: impl Fn(usize, usize, usize) -> f32,
) -> Vec<Var> {
    let column = |c: usize| {
        let numbers = (0..rows * dimension).map(|i| value(c, i / dimension, i % dimension));
        Var::from_tensor(&matrix(numbers.collect(), rows)).unwrap()
    };
    (0..columns).map(column).collect()
}

/// Loss and gradients at the leaves; zeros where nothing flows back.
fn step(
    objective: &dyn Objective,
    leaves: &[Var],
    labels: &Labels,
) -> candle_core::Result<(f32, Vec<Vec<f32>>)> {
    let embeddings: Vec<Tensor> = leaves.iter().map(|v| v.as_tensor().clone()).collect();
    let loss = objective.loss(&embeddings, labels)?;
    assert!(loss.dims().is_empty(), "the loss is no scalar");
    let store = loss.backward()?;
    let gradients = leaves
        .iter()
        .map(|leaf| match store.get(leaf.as_tensor()) {
            Some(gradient) => gradient.flatten_all()?.to_vec1(),
            None => Ok(vec![0.0; leaf.elem_count()]),
        })
        .collect::<candle_core::Result<_>>()?;
    Ok((loss.to_scalar()?, gradients))
}
