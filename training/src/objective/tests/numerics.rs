//! What happens at the edges of the numbers.

use super::*;
use proptest::prelude::*;

const DIMENSION: usize = 6;

fn finite(what: &str, loss: f32, gradients: &[Vec<f32>]) {
    assert!(loss.is_finite(), "{what}: the loss is {loss}");
    for gradient in gradients.iter().flatten() {
        assert!(gradient.is_finite(), "{what}: a gradient is {gradient}");
    }
}

/// Each kind on embeddings of a test's making.
fn try_all(what: &str, rows: usize, value: impl Fn(usize, usize, usize) -> f32) {
    for (toml, given) in every_kind() {
        let objective = objective(toml, DIMENSION);
        let columns = objective.columns();
        let leaves = leaves(columns, rows, DIMENSION, &value);
        let labels = given.labels(columns, rows, DIMENSION);
        let (loss, gradients) = step(objective.as_ref(), &leaves, &labels).expect(toml);
        finite(&format!("{what}; {toml}"), loss, &gradients);
        assert!(loss >= -1e-5, "{what}; {toml}: the loss is {loss}");
    }
}

fn some(column: usize, row: usize, place: usize) -> f32 {
    ((column * 31 + row * 17 + place * 7) % 23) as f32 / 11.0 - 1.0
}

#[test]
fn zero_vectors_give_finite_losses_and_gradients() {
    try_all("all are 0", 4, |_, _, _| 0.0);
    let first_is_zero = |c, r, p| if r == 0 { 0.0 } else { some(c, r, p) };
    try_all("one is 0", 4, first_is_zero);
}

#[test]
fn a_vector_without_direction_gets_no_gradient_from_cosines() {
    let objective = objective("kind = \"ranking\"", DIMENSION);
    let leaves = leaves(
        2,
        4,
        DIMENSION,
        |c, r, p| if r == 0 { 0.0 } else { some(c, r, p) },
    );
    let (_, gradients) = step(objective.as_ref(), &leaves, &Labels::None).unwrap();
    assert!(gradients[0][..DIMENSION].iter().all(|g| *g == 0.0));
    assert!(gradients[0][DIMENSION..].iter().any(|g| *g != 0.0));
}

#[test]
fn equal_tiny_and_large_vectors_give_finite_losses_and_gradients() {
    try_all("all are equal", 4, |_, _, p| p as f32 + 1.0);
    try_all("tiny", 4, |c, r, p| 1e-12 * some(c, r, p));
    try_all("large", 4, |c, r, p| 1e4 * some(c, r, p));
    try_all("one example", 1, some);
}

#[test]
fn not_a_number_is_never_averaged_away() {
    for (toml, given) in every_kind() {
        let objective = objective(toml, DIMENSION);
        let columns = objective.columns();
        let labels = given.labels(columns, 4, DIMENSION);
        for bad in [f32::NAN, f32::INFINITY] {
            for column in 0..columns {
                let value = |c, r, p| {
                    let hit = c == column && r == 1 && p == 1;
                    if hit { bad } else { some(c, r, p) }
                };
                let leaves = leaves(columns, 4, DIMENSION, value);
                if let Ok((loss, _)) = step(objective.as_ref(), &leaves, &labels) {
                    assert!(
                        !loss.is_finite(),
                        "{toml}: {bad} in column {column}: {loss}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_batch_without_triplets_has_the_loss_zero() {
    let objective = objective("kind = \"batch_triplet\"", DIMENSION);
    let leaves = leaves(1, 3, DIMENSION, some);
    let labels = Labels::Classes(vec![0, 1, 2]);
    let (loss, gradients) = step(objective.as_ref(), &leaves, &labels).unwrap();
    assert_eq!(loss, 0.0);
    assert!(gradients.iter().flatten().all(|g| *g == 0.0));
}

#[test]
fn a_classifier_starts_from_its_seed_within_the_bounds() {
    let config: ObjectiveConfig = toml::from_str("kind = \"softmax\"").unwrap();
    let weights = |seed| -> Vec<f32> {
        let objective = build(&config, DIMENSION, seed).unwrap();
        let parameters = objective.parameters();
        let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["classifier.weight", "classifier.bias"]);
        let flat = |v: &Var| v.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        parameters.iter().flat_map(|(_, v)| flat(v)).collect()
    };
    let (one, again, other) = (weights(1), weights(1), weights(2));
    assert_eq!(one, again);
    assert_ne!(one, other);
    let bound = 1.0 / (3.0 * DIMENSION as f32).sqrt();
    assert!(one.iter().all(|w| w.abs() <= bound));
    assert!(one.iter().any(|w| w.abs() > 0.5 * bound));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Losses are finite, not negative, and a small step against the gradient
    /// does not raise them.
    #[test]
    fn a_step_against_the_gradient_does_not_raise_the_loss(
        numbers in proptest::collection::vec(-2.0f32..2.0, 4 * 5 * DIMENSION)
    ) {
        for (toml, given) in every_kind() {
            let objective = objective(toml, DIMENSION);
            let columns = objective.columns();
            let value = |c: usize, r: usize, p: usize| numbers[(c * 5 + r) * DIMENSION + p];
            let before = leaves(columns, 5, DIMENSION, value);
            let labels = given.labels(columns, 5, DIMENSION);
            let (loss, gradients) = step(objective.as_ref(), &before, &labels).unwrap();
            finite(toml, loss, &gradients);
            let largest = gradients.iter().flatten().fold(1e-3f32, |m, g| m.max(g.abs()));
            let small = 1e-4 / largest;
            let moved = |c: usize, r: usize, p: usize| {
                value(c, r, p) - small * gradients[c][r * DIMENSION + p]
            };
            let after = leaves(columns, 5, DIMENSION, moved);
            let (lower, _) = step(objective.as_ref(), &after, &labels).unwrap();
            // Mining and masking choose anew after a step.
            if !toml.contains("batch_triplet") && !toml.contains("mask_margin") {
                prop_assert!(lower <= loss + 1e-5 * (1.0 + loss), "{toml}: {loss} to {lower}");
            }
        }
    }
}
