//! Batches that do not fit: each says what is wrong.

use super::*;

fn refusal(toml: &str, columns: usize, labels: &Labels) -> String {
    let objective = objective(toml, 4);
    let leaves = leaves(columns, 3, 4, |c, r, p| (c + 2 * r + p) as f32 - 3.0);
    match step(objective.as_ref(), &leaves, labels) {
        Ok((loss, _)) => panic!("{toml}: {labels:?} was taken, with the loss {loss}"),
        Err(error) => error.to_string(),
    }
}

fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
}

#[test]
fn another_number_of_texts() {
    let message = refusal("kind = \"triplet\"", 2, &Labels::None);
    says(&message, &["triplet", "3 text", "has 2"]);
    let message = refusal("kind = \"ranking\"\nnegatives = 2", 2, &Labels::None);
    says(&message, &["ranking", "4 text"]);
    let message = refusal("kind = \"softmax\"", 0, &Labels::None);
    says(&message, &["has 0"]);
}

#[test]
fn columns_of_different_shapes_and_empty_batches() {
    let objective = objective("kind = \"ranking\"", 4);
    let shapes = |rows: [usize; 2]| {
        let one = |rows| Tensor::zeros((rows, 4), candle_core::DType::F32, &Device::Cpu).unwrap();
        objective.loss(&[one(rows[0]), one(rows[1])], &Labels::None)
    };
    says(
        &shapes([3, 2]).unwrap_err().to_string(),
        &["differ", "3 × 4"],
    );
    says(&shapes([0, 0]).unwrap_err().to_string(), &["empty"]);
}

#[test]
fn labels_of_another_kind() {
    for (toml, given) in every_kind() {
        // Without a mask a ranking asks for no labels, and takes any.
        if matches!(given, Given::Nothing) {
            continue;
        }
        let columns = objective(toml, 4).columns();
        let wrong = match given {
            Given::Classes => Labels::Scores(vec![1.0; 3]),
            _ => Labels::Classes(vec![1; 3]),
        };
        let message = refusal(toml, columns, &wrong);
        says(&message, &["needs", "the batch has"]);
    }
}

#[test]
fn labels_out_of_range_or_not_numbers() {
    let message = refusal("kind = \"softmax\"", 2, &Labels::Classes(vec![0, 3, 1]));
    says(&message, &["class 3", "3 classes"]);
    let message = refusal("kind = \"cosine\"", 2, &Labels::Scores(vec![0.0, 5.5, 1.0]));
    says(&message, &["5.5", "between 0 and 5"]);
    for kind in ["cosine", "graded"] {
        let labels = Labels::Scores(vec![0.0, f32::NAN, 1.0]);
        let message = refusal(&format!("kind = \"{kind}\""), 2, &labels);
        says(&message, &["label 1", "NaN", kind]);
    }
    let lists = Labels::Lists(matrix(vec![f32::INFINITY; 6], 3));
    says(
        &refusal("kind = \"margin_mse\"", 3, &lists),
        &["label 0", "inf"],
    );
}

#[test]
fn labels_of_another_count() {
    let message = refusal("kind = \"softmax\"", 2, &Labels::Classes(vec![0, 1]));
    says(&message, &["2 label(s) for 3 example(s)"]);
    let lists = Labels::Lists(matrix(vec![0.5; 9], 3));
    says(
        &refusal("kind = \"margin_mse\"", 3, &lists),
        &["3 × 2", "[3, 3]"],
    );
    let teacher = Labels::Teacher(vec![matrix(vec![0.5; 12], 3)]);
    let message = refusal("kind = \"distillation\"\ntexts = 2", 2, &teacher);
    says(&message, &["1 column(s)", "has 2"]);
}

#[test]
fn vectors_of_another_length_name_the_remedy() {
    let teacher = Labels::Teacher(vec![matrix(vec![0.5; 24], 3)]);
    let message = refusal("kind = \"distillation\"", 1, &teacher);
    says(&message, &["8 numbers", "4", "teacher_dimension = 8"]);
    let objective = objective("kind = \"softmax\"", 5);
    let leaves = leaves(2, 3, 4, |_, _, _| 1.0);
    let labels = Labels::Classes(vec![0, 1, 2]);
    let error = step(objective.as_ref(), &leaves, &labels).unwrap_err();
    says(&error.to_string(), &["5 numbers", "have 4"]);
}

#[test]
fn a_score_is_the_margin_where_two_passages_are_compared() {
    let two = objective("kind = \"margin_mse\"", 4);
    let embeddings = leaves(3, 2, 4, |c, r, p| (c * 5 + r * 3 + p) as f32 % 4.0 - 1.0);
    let lists = Labels::Lists(matrix(vec![0.75, 0.5, 0.25, 1.0], 2));
    let margins = Labels::Scores(vec![0.25, -0.75]);
    let (of_lists, _) = step(two.as_ref(), &embeddings, &lists).unwrap();
    let (of_margins, _) = step(two.as_ref(), &embeddings, &margins).unwrap();
    assert_eq!(of_lists, of_margins);
    let message = refusal("kind = \"margin_mse\"\nnegatives = 2", 4, &margins);
    says(&message, &["list of scores", "has scores"]);
}
