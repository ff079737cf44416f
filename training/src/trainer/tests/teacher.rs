//! Learning from larger encoders.

use super::*;
use crate::record::Status;
use crate::trainer::teacher::Teaching;
use medsift::encoder::{Encoder, EncoderOptions};
use std::sync::Arc;

/// A stage on the triplets' texts, without their order.
const TAUGHT: &str = r#"
[[stage]]
name = "taught"
kind = "sentence"
steps = 80
batch = 10
learning_rate = 3e-3
dropout = 0.0
log_steps = 5
objective = { kind = "relational", passages = 2, temperature = 0.2, teacher_temperature = 0.2 }
teacher = [{ model = "mpnet" }]
data = [{ format = "triplets", files = ["{data}/triplets.tsv"] }]
"#;

fn losses(folder: &RunFolder) -> Vec<f64> {
    let lines = read_metrics(&folder.metrics()).unwrap();
    let values = lines
        .iter()
        .filter_map(|line| line.values.get("loss").copied());
    values.collect()
}

#[test]
fn a_student_comes_to_see_the_likeness_that_its_teacher_sees() {
    let work = Work::new();
    let config = work.config("run", TAUGHT);
    let record = run(&config).unwrap();
    let losses = losses(&work.folder("run"));
    let (first, last) = (losses[0], losses[losses.len() - 1]);
    assert!(last < 0.6 * first, "{losses:?}");
    let teacher = &record.teachers[0];
    assert_eq!((record.teachers.len(), &*teacher.name), (1, "mpnet"));
    assert!(teacher.sha256.is_some());
}

#[test]
fn a_run_that_was_stopped_while_its_teacher_read_goes_on() {
    let work = Work::new();
    let (whole, parts) = (work.config("whole", TAUGHT), work.config("parts", TAUGHT));
    run(&whole).unwrap();
    for (stop, step) in [(0, 0), (7, 7)] {
        let record = train(&parts, &tiny(stop > 0), &StopAfter::steps(stop)).unwrap();
        assert_eq!(record.status, Status::Stopped { step });
    }
    let record = train(&parts, &tiny(true), &Silent).unwrap();
    assert_eq!(record.status, Status::Finished);
    assert_eq!(losses(&work.folder("parts")), losses(&work.folder("whole")));
    assert_eq!(record.teachers.len(), 1);
}

#[test]
fn cosines_of_several_teachers_are_the_weighted_mean_of_theirs() {
    let work = Work::new();
    let config = work.config(
        "run",
        &TAUGHT.replace(
            r#"[{ model = "mpnet" }]"#,
            r#"[{ model = "mpnet", weight = 3.0 }, { model = "old" }]"#,
        ),
    );
    let folder = work.folder("run");
    let options = tiny(false);
    let teaching = Teaching {
        teachers: &config.stages[0].teachers,
        folders: &options.teachers,
        max_tokens: 40,
        run: &folder,
        progress: &Silent,
    };
    let texts: Vec<Arc<str>> = (0..20).map(|number| text(number).into()).collect();
    let asked = || texts.iter().map(|text| (text.clone(), false));
    let (taught, _) = teaching.read(asked()).unwrap().unwrap();
    let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let own = |model: &str| {
        let options = EncoderOptions {
            max_tokens: Some(40),
            normalise: Some(true),
            ..EncoderOptions::default()
        };
        Encoder::open(&fixture(model), options)
            .unwrap()
            .encode_passages(&texts)
            .unwrap()
    };
    let (first, second) = (own("models/mpnet"), own("models/bert-cls-old"));
    let column = taught.column(&texts, false).unwrap();
    let column: Vec<Vec<f32>> = column.to_vec2().unwrap();
    for (i, j) in [(0, 1), (3, 3), (7, 19)] {
        let mean =
            0.75 * cosine(first.row(i), first.row(j)) + 0.25 * cosine(second.row(i), second.row(j));
        let off = (cosine(&column[i], &column[j]) - mean).abs();
        assert!(off < 1e-5, "{i}, {j}: {off}");
    }
    // What is kept is what was read.
    let (again, _) = teaching.read(asked()).unwrap().unwrap();
    let again: Vec<Vec<f32>> = again.column(&texts, false).unwrap().to_vec2().unwrap();
    assert_eq!(again, column);
    assert!(
        taught.column(&texts, true).is_err(),
        "they were read as passages"
    );
}

#[test]
fn a_teacher_and_an_objective_without_each_other_are_refused() {
    let work = Work::new();
    let alone = TAUGHT.replace("teacher = [{ model = \"mpnet\" }]", "");
    let error = run(&work.config("a", &alone)).unwrap_err().to_string();
    assert!(error.contains("[[stage.teacher]]"), "{error}");
    let idle = TAUGHT.replace(
        r#"{ kind = "relational", passages = 2, temperature = 0.2, teacher_temperature = 0.2 }"#,
        r#"{ kind = "ranking", negatives = 1 }"#,
    );
    let error = run(&work.config("b", &idle)).unwrap_err().to_string();
    assert!(error.contains("learns nothing from a teacher"), "{error}");
}

#[test]
fn an_mpnet_is_no_start_model() {
    let work = Work::new();
    let options = RunOptions {
        model: Some(fixture("models/mpnet")),
        ..tiny(false)
    };
    let error = train(&work.config("run", TRIPLETS), &options, &Silent).unwrap_err();
    assert!(error.to_string().contains("a teacher"), "{error}");
}
