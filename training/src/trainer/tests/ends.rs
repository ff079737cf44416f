//! The state that a stage ends with.

use super::*;
use crate::record::Score;
use medsift::encoder::parts::read_checkpoint;

#[test]
fn the_best_state_is_taken() {
    let work = Work::new();
    // What is learnt is the opposite of what is measured, so the last state is
    // not the best.
    let scores = std::fs::read_to_string(work.path("sts.tsv")).unwrap();
    let opposite: Vec<String> = scores.lines().map(opposite).collect();
    work.write("opposite.tsv", &opposite.join("\n"));
    let mut config = work.config("run", &STS.replacen("sts.tsv", "opposite.tsv", 1));
    let stage = &mut config.stages[0];
    (stage.learning_rate, stage.warm_up) = (0.005, 0.0);
    (stage.epochs, stage.steps) = (None, Some(12));
    stage.evaluation.every_steps = 1;
    stage.evaluation.best = Some("score/sts/spearman".to_owned());
    let record = run(&config).unwrap();
    let folder = work.folder("run");
    let scores = series(&metrics(&folder), "score/sts/spearman");
    let best = scores
        .iter()
        .copied()
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .unwrap();
    assert!(best.0 < 12, "nothing to choose: {scores:?}");
    assert_eq!(scores.last(), Some(&(12, best.1)));
    let named = |score: &&Score| score.name == "score/sts/spearman";
    let told = record.scores.iter().rfind(named).unwrap();
    assert_eq!((told.step, told.value), (12, best.1));
    let kept = read_checkpoint(&folder.root().join("best-1.safetensors")).unwrap();
    for (name, tensor) in weights(&folder.model()) {
        assert_eq!(numbers(&tensor), numbers(&kept[&name]), "{name}");
    }
    // Going on from the model that was written, the first score is the best.
    let mut again = work.config("again", STS);
    again.stages[0].steps = Some(1);
    again.stages[0].epochs = None;
    let options = RunOptions {
        model: Some(folder.model()),
        ..tiny(false)
    };
    train(&again, &options, &Silent).unwrap();
    let scores = series(&metrics(&work.folder("again")), "score/sts/spearman");
    assert!((scores[0].1 - best.1).abs() < 1e-6, "{scores:?} {best:?}");
}

/// A line of scores with the other end's score.
fn opposite(line: &str) -> String {
    let (texts, score) = line.rsplit_once('\t').unwrap();
    match score.parse::<f32>() {
        Ok(score) => format!("{texts}\t{:.1}", 5.0 - score),
        Err(_) => line.to_owned(),
    }
}

#[test]
fn the_mean_of_the_last_checkpoints_is_taken() {
    let work = Work::new();
    let mut config = work.config("run", &format!("[checkpoint]\nevery_steps = 2\n{STS}"));
    config.stages[0].average_last = 2;
    run(&config).unwrap();
    let folder = work.folder("run");
    let saved = |step: u64| {
        let dir = folder.checkpoints().join(format!("step-{step:012}"));
        read_checkpoint(&dir.join("parameters.safetensors")).unwrap()
    };
    let (one, two) = (saved(4), saved(6));
    let mut moved = 0;
    for (name, tensor) in weights(&folder.model()) {
        let (a, b) = (numbers(&one[&name]), numbers(&two[&name]));
        moved += usize::from(a != b);
        for ((mean, a), b) in numbers(&tensor).iter().zip(a).zip(b) {
            assert!((mean - 0.5 * (a + b)).abs() < 1e-6, "{name}");
        }
    }
    assert!(moved > 8, "{moved}");
}

#[test]
fn a_stage_may_end_on_the_way_back_to_the_start() {
    let work = Work::new();
    let trained = |name: &str, share: f64| {
        let mut config = work.config(name, STS);
        config.stages[0].start_share = share;
        run(&config).unwrap();
        weights(&work.folder(name).model())
    };
    let (whole, quarter) = (trained("whole", 0.0), trained("quarter", 0.25));
    let start = read_checkpoint(&fixture("models/bert-mean/model.safetensors")).unwrap();
    let mut moved = 0;
    for (name, tensor) in quarter {
        let (learnt, start) = (numbers(&whole[&name]), numbers(&start[&name]));
        moved += usize::from(learnt != start);
        for ((blend, learnt), start) in numbers(&tensor).iter().zip(learnt).zip(start) {
            assert!(
                (blend - (0.25 * start + 0.75 * learnt)).abs() < 1e-6,
                "{name}"
            );
        }
    }
    assert!(moved > 8, "{moved}");
}

#[test]
fn a_schedule_may_reach_beyond_the_stage() {
    let work = Work::new();
    let rates = |name: &str, steps: u64, over: Option<u64>| {
        let mut config = work.config(name, STS);
        let stage = &mut config.stages[0];
        (stage.epochs, stage.steps, stage.schedule_steps) = (None, Some(steps), over);
        stage.log_steps = 1;
        run(&config).unwrap();
        series(&metrics(&work.folder(name)), "learning_rate")
    };
    let long = rates("long", 8, None);
    assert_eq!(rates("short", 5, Some(8)), long[..5]);
    assert_ne!(rates("alone", 5, None), long[..5]);
}
