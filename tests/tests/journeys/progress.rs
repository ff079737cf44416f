//! What a job tells while it commits, and how soon it ends when asked to.

use medsift::encoder::{Encoder, EncoderOptions};
use medsift::index::{CommitStep, PassageMode, verify};
use medsift_indexer::pipeline::{IndexJob, IndexSettings, Progress, run};
use medsift_tests::{Workspace, tiny_model};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Notes every step; may ask for an end at the first joining.
#[derive(Default)]
struct Witness {
    seen: Mutex<Vec<(CommitStep, u64, u64)>>,
    impatient: bool,
    cancelled: AtomicBool,
}

impl Progress for Witness {
    fn graph(&self, step: CommitStep, done: u64, all: u64) {
        self.seen.lock().expect("a list").push((step, done, all));
        if self.impatient && step == CommitStep::JoinedSegment {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

fn job(work: &Workspace) -> IndexJob {
    let mut lines = String::new();
    for number in 0..300 {
        lines.push_str(&format!(
            "{{\"_id\":\"d{number}\",\"title\":\"Title {number}\",\"text\":\"Text {}.\"}}\n",
            number * 7919
        ));
    }
    let mut settings = IndexSettings {
        batch_articles: 16,
        commit_articles: 32,
        ..IndexSettings::default()
    };
    settings.writer.merge_factor = 3;
    settings.writer.graph.graph_from = 16;
    IndexJob {
        index_dir: work.join("idx"),
        inputs: vec![work.write("corpus.jsonl", lines)],
        encoder: Arc::new(
            Encoder::open(&tiny_model(), EncoderOptions::default()).expect("a model"),
        ),
        model_location: "tiny".to_owned(),
        passages: PassageMode::On,
        replace: false,
        reencode: false,
        settings,
    }
}

#[test]
fn graphs_are_counted_while_a_commit_builds_them() {
    let work = Workspace::new();
    let witness = Witness::default();
    run(&job(&work), &witness).expect("a report");
    let seen = witness.seen.into_inner().expect("a list");
    for step in [CommitStep::NewSegment, CommitStep::JoinedSegment] {
        let of_step: Vec<_> = seen.iter().filter(|seen| seen.0 == step).collect();
        assert!(of_step.iter().any(|(_, done, all)| done < all), "{step:?}");
        assert!(of_step.iter().any(|(_, done, all)| done == all), "{step:?}");
    }
}

#[test]
fn a_job_that_is_cancelled_while_it_joins_segments_keeps_what_it_read() {
    let work = Workspace::new();
    let job = job(&work);
    let witness = Witness {
        impatient: true,
        ..Witness::default()
    };
    let report = run(&job, &witness).expect("a report");
    assert!(report.cancelled);
    assert_eq!(report.articles, report.total.read);
    assert!(
        report.articles >= 96 && report.articles < 300,
        "{report:#?}"
    );
    let found = verify(&job.index_dir).expect("an index");
    assert_eq!(found.faults, Vec::<String>::new());
    assert_eq!(found.articles, report.articles);
    let rest = run(&job, &Witness::default()).expect("a report");
    assert_eq!(rest.articles, 300);
    let found = verify(&job.index_dir).expect("an index");
    assert_eq!(found.faults, Vec::<String>::new());
}
