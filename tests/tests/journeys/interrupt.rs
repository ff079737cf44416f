//! Ctrl-C while indexing: what is committed stays, and the job goes on later.

use medsift_tests::{Finished, Medsift, Workspace, tiny_model};
use std::fmt::Write;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// Records of the file that is interrupted.
const RECORDS: usize = 12_000;

fn corpus() -> String {
    let words = [
        "heart", "lung", "liver", "brain", "bone", "skin", "blood", "nerve",
    ];
    let mut lines = String::new();
    for number in 0..RECORDS {
        let word = |shift: usize| words[(number / shift.max(1)) % words.len()];
        writeln!(
            lines,
            r#"{{"_id":"doc{number}","title":"The {} and the {}","text":"A study of {} in {number} people, their {} and their {}."}}"#,
            word(1), word(8), word(64), word(512), word(4096)
        )
        .expect("a string grows");
    }
    lines
}

fn command(work: &Workspace) -> Medsift {
    work.medsift(["index", "corpus.jsonl", "--json", "--model"])
        .arg(tiny_model())
        .env("MEDSIFT_INDEX_BATCH_ARTICLES", "32")
        .env("MEDSIFT_INDEX_COMMIT_ARTICLES", "256")
}

/// Starts indexing and waits until a first commit is there.
fn started(work: &Workspace) -> medsift_tests::Running {
    let running = command(work).start();
    let began = Instant::now();
    while !committed(work) {
        assert!(began.elapsed() < Duration::from_secs(120), "no commit");
        thread::sleep(Duration::from_millis(20));
    }
    running
}

fn committed(work: &Workspace) -> bool {
    fs::read_to_string(work.join("idx/keyword/meta.json"))
        .is_ok_and(|meta| meta.contains("corpus.jsonl"))
}

fn finish(work: &Workspace, at_least: u64) {
    work.run("verify").expect(0).prints(&["sound"]);
    let stats = work.run("stats --json").expect(0).json();
    let before = stats["articles"].as_u64().expect("a count");
    assert!(
        before >= at_least && before < RECORDS as u64,
        "{before} articles"
    );
    let report = command(work).run().expect(0).json();
    assert_eq!(report["files"][0]["resumed_after"], before, "{report:#}");
    assert_eq!(
        report["total"]["added"],
        RECORDS as u64 - before,
        "{report:#}"
    );
    assert_eq!(report["articles"], RECORDS as u64);
    work.run("verify").expect(0).prints(&["sound"]);
}

fn interrupted(finished: Finished) -> Finished {
    finished.expect(130)
}

#[test]
fn the_first_press_commits_and_the_job_goes_on_later() {
    let work = Workspace::new();
    work.write("corpus.jsonl", corpus());
    let running = started(&work);
    running.signal("INT");
    let finished = interrupted(running.wait()).says(&["finishing", "to go on"]);
    let report = finished.json();
    assert_eq!(report["cancelled"], true, "{report:#}");
    // What was read by then is in the index, to the last record.
    let read = report["total"]["read"].as_u64().expect("a count");
    let stats = work.run("stats --json").expect(0).json();
    assert_eq!(stats["articles"], read);
    finish(&work, 256);
}

#[test]
fn a_terminated_job_goes_on_too() {
    let work = Workspace::new();
    work.write("corpus.jsonl", corpus());
    let running = started(&work);
    running.signal("TERM");
    interrupted(running.wait());
    finish(&work, 256);
}

#[test]
fn a_killed_job_goes_on_from_its_last_commit() {
    let work = Workspace::new();
    work.write("corpus.jsonl", corpus());
    let running = started(&work);
    running.signal("KILL");
    assert_eq!(running.wait().code, None);
    finish(&work, 256);
}
