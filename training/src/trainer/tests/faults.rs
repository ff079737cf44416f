//! What stops a run, and what it says then.

use super::*;
use crate::record::Status;
use medsift::{Error, ErrorKind};

/// A stage of one step with an objective on a set.
fn stage(objective: &str, data: &str) -> String {
    format!(
        "[[stage]]\nname = \"one\"\nkind = \"sentence\"\nsteps = 1\nbatch = 4\n\
         objective = {objective}\ndata = [{data}]\n"
    )
}

fn refused(work: &Work, rest: &str) -> Error {
    let config = work.config("run", rest);
    let error = run(&config).unwrap_err();
    let planned = plan(&config, tiny(false).model.as_deref(), None).unwrap_err();
    assert_eq!(planned.to_string(), error.to_string());
    error
}

#[test]
fn data_that_do_not_fit_the_objective_are_named() {
    let work = Work::new();
    work.write(
        "classes.jsonl",
        "{\"texts\": [\"muscle pain\", \"pain\"], \"label\": 1}\n\
         {\"texts\": [\"cells\", \"genes\"], \"label\": 7}\n",
    );
    work.write("scores.tsv", "sentence1\tsentence2\tscore\na\tb\t9\n");
    work.write("columns.tsv", "sentence1\tsentence_2\tscore\na\tb\t3\n");
    let pairs = "{ format = \"pairs\", files = [\"{data}/classes.jsonl\"] }";
    let triplets = "{ format = \"triplets\", files = [\"{data}/triplets.tsv\"] }";
    let scores = "{ format = \"sts\", files = [\"{data}/scores.tsv\"], score_range = [0, 5] }";
    let columns = "{ format = \"sts\", files = [\"{data}/columns.tsv\"], score_range = [0, 5] }";
    for (objective, data, parts) in [
        (
            "softmax",
            pairs,
            &["3 classes", "class 7", "cells", "classes.jsonl"][..],
        ),
        (
            "cosine",
            triplets,
            &["takes 2 text(s)", "has 3", "triplets.tsv"],
        ),
        ("cosine", pairs, &["needs a score", "has a class"]),
        ("distillation", pairs, &["takes 1 text(s)"]),
        ("batch_triplet", pairs, &["takes 1 text(s)"]),
        ("cosine", scores, &["scores.tsv", "line 2", "9"]),
        ("cosine", columns, &["columns.tsv", "sentence2"]),
    ] {
        let error = refused(
            &work,
            &stage(&format!("{{ kind = \"{objective}\" }}"), data),
        );
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert_ne!(error.kind(), ErrorKind::Internal, "{message}");
    }
}

#[test]
fn keys_that_are_not_known_are_named_with_their_stage() {
    let work = Work::new();
    let data = "{ format = \"sts\", files = [\"{data}/sts.tsv\"], score_range = [0, 5] }";
    for (objective, data, part) in [
        ("{ kind = \"cosine\", margin = 1 }", data, "margin"),
        ("{ kind = \"cosign\" }", data, "cosign"),
        (
            "{ kind = \"cosine\" }",
            "{ format = \"sts\", file = \"x\" }",
            "file",
        ),
    ] {
        let message = refused(&work, &stage(objective, data)).to_string();
        assert!(message.contains("stage `one`"), "{message}");
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn texts_longer_than_the_positions_are_refused() {
    let work = Work::new();
    let mut config = work.config("run", STS);
    config.stages[0].max_tokens = Some(64);
    let error = run(&config).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    let message = error.to_string();
    assert!(
        message.contains("64") && message.contains("48 positions"),
        "{message}"
    );
    config.stages[0].max_tokens = None;
    config.model.max_tokens = Some(64);
    let message = run(&config).unwrap_err().to_string();
    assert!(message.contains("48 positions"), "{message}");
}

#[test]
fn a_score_that_is_not_measured_cannot_choose_the_best_state() {
    let work = Work::new();
    let mut config = work.config("run", STS);
    config.stages[0].evaluation.best = Some("score/sts/kendall".to_owned());
    let message = run(&config).unwrap_err().to_string();
    assert!(message.contains("score/sts/kendall"), "{message}");
    assert!(message.contains("score/sts/spearman"), "{message}");
}

#[test]
fn a_loss_that_is_no_number_ends_the_run_in_words() {
    let work = Work::new();
    // Decay times learning rate beyond 2 makes the weights grow without end.
    let rest = format!(
        "[checkpoint]\nevery_steps = 2\n{TRIPLETS}[[stage.group]]\nparameters = \"*\"\n\
         factor = 1000\nweight_decay = 1\n"
    );
    let mut config = work.config("run", &rest);
    let stage = &mut config.stages[0];
    (stage.learning_rate, stage.warm_up, stage.steps) = (1.0, 0.0, Some(200));
    let error = run(&config).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    let message = error.to_string();
    for part in [
        "stage `triplets`, step ",
        "set 1, examples [",
        "step-0000",
        "learning_rate",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let folder = work.folder("run");
    let record = RunRecord::read(&folder.run()).unwrap();
    let Status::Failed { step, reason } = record.status else {
        panic!("{:?}", record.status)
    };
    assert_eq!(reason, message);
    assert!(
        message.contains(&format!("step {}:", step + 1)),
        "{step}: {message}"
    );
    assert!(!folder.model().exists());
    assert!(folder.plot().exists());
}
