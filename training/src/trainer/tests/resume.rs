//! A run that was stopped goes on as if it had not been.

use super::*;
use crate::record::Status;
use medsift::ErrorKind;

/// Runs to the end, stopping behind each of these numbers of steps.
fn stopped(config: &TrainConfig, stops: &[u64]) -> RunRecord {
    for (number, &steps) in stops.iter().enumerate() {
        let record = train(config, &tiny(number > 0), &StopAfter::steps(steps)).unwrap();
        let done = stops[..=number].iter().sum();
        assert_eq!(record.status, Status::Stopped { step: done });
        assert!(!work_has_model(config));
    }
    train(config, &tiny(true), &Silent).unwrap()
}

fn work_has_model(config: &TrainConfig) -> bool {
    RunFolder::new(&config.output).model().exists()
}

#[test]
fn a_resumed_run_is_the_same_to_the_last_bit() {
    let work = Work::new();
    let stages = format!("{TRIPLETS}{STS}");
    let (whole, parts) = (work.config("whole", &stages), work.config("parts", &stages));
    let expected = run(&whole).unwrap();
    // Between two lines of the metrics; at a measurement; behind a stage's
    // last step; and in the second stage.
    let record = stopped(&parts, &[2, 2, 4, 3]);
    assert_eq!(record.resumed_at, [2, 4, 8, 11]);
    assert_eq!(record.scores, expected.scores);
    assert_eq!(
        metrics(&work.folder("parts")),
        metrics(&work.folder("whole"))
    );
    let model = |name: &str| {
        let path = work.folder(name).model().join("model.safetensors");
        std::fs::read(path).unwrap()
    };
    assert!(model("parts") == model("whole"), "the weights differ");
}

#[test]
fn a_run_goes_on_from_its_last_checkpoint_after_a_kill() {
    let work = Work::new();
    let every = "[checkpoint]\nevery_steps = 3\n";
    let config = work.config("run", &format!("{every}{TRIPLETS}"));
    let whole = work.config("whole", &format!("{every}{TRIPLETS}"));
    run(&whole).unwrap();
    train(&config, &tiny(false), &StopAfter::steps(5)).unwrap();
    // As if the process had been killed before it could save.
    std::fs::remove_dir_all(work.path("run/checkpoints/step-000000000005")).unwrap();
    let record = train(&config, &tiny(true), &Silent).unwrap();
    assert_eq!(record.resumed_at, [3]);
    assert_eq!(metrics(&work.folder("run")), metrics(&work.folder("whole")));
    let scores: Vec<u64> = record.scores.iter().map(|score| score.step).collect();
    assert_eq!(scores, [0, 0, 4, 4, 8, 8]);
}

#[test]
fn a_kill_at_the_start_of_a_stage_leaves_the_one_before_as_it_was() {
    let work = Work::new();
    let stages = format!("[checkpoint]\nevery_steps = 4\n{TRIPLETS}{STS}");
    let (whole, parts) = (work.config("whole", &stages), work.config("parts", &stages));
    let expected = run(&whole).unwrap();
    train(&parts, &tiny(false), &StopAfter::steps(10)).unwrap();
    std::fs::remove_dir_all(work.path("parts/checkpoints/step-000000000010")).unwrap();
    let record = train(&parts, &tiny(true), &Silent).unwrap();
    assert_eq!(record.resumed_at, [8]);
    assert_eq!(record.scores, expected.scores);
    assert_eq!(
        metrics(&work.folder("parts")),
        metrics(&work.folder("whole"))
    );
}

#[test]
fn another_configuration_is_not_resumed() {
    let work = Work::new();
    let mut config = work.config("run", TRIPLETS);
    train(&config, &tiny(false), &StopAfter::steps(2)).unwrap();
    config.stages[0].learning_rate = 2e-3;
    let error = train(&config, &tiny(true), &Silent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert!(
        error.to_string().contains("another configuration"),
        "{error}"
    );
}

#[test]
fn a_run_is_not_overwritten_unasked() {
    let work = Work::new();
    let config = work.config("run", TRIPLETS);
    let error = train(&config, &tiny(true), &Silent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    train(&config, &tiny(false), &StopAfter::steps(2)).unwrap();
    let error = run(&config).unwrap_err().to_string();
    assert!(
        error.contains("--resume") && error.contains("--overwrite"),
        "{error}"
    );
    let options = RunOptions {
        overwrite: true,
        ..tiny(false)
    };
    let record = train(&config, &options, &Silent).unwrap();
    assert_eq!(record.status, Status::Finished);
    assert!(record.resumed_at.is_empty());
    let steps: Vec<u64> = metrics(&work.folder("run"))
        .iter()
        .map(|m| m.step)
        .collect();
    assert_eq!(steps, [0, 3, 4, 6, 8, 8]);
}

#[test]
fn a_run_that_never_began_stands_in_nobodys_way() {
    let work = Work::new();
    let mut config = work.config("run", TRIPLETS);
    let right = config.clone();
    config.stages[0].data[0].insert("files".into(), vec!["absent.tsv".to_owned()].into());
    run(&config).unwrap_err();
    let record = RunRecord::read(&work.folder("run").run()).unwrap();
    assert!(matches!(record.status, Status::Failed { step: 0, .. }));
    assert_eq!(run(&right).unwrap().status, Status::Finished);
}
