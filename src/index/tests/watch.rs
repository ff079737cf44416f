//! Watching a commit, and cutting it short.

use super::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Notes what it sees, and gives up once segments are being joined.
#[derive(Default)]
struct Witness {
    seen: Mutex<Vec<(CommitStep, u64, u64)>>,
    impatient: bool,
    has_enough: AtomicBool,
}

impl CommitWatch for Witness {
    fn graph(&self, step: CommitStep, done: u64, all: u64) {
        self.seen.lock().unwrap().push((step, done, all));
        if self.impatient && step == CommitStep::JoinedSegment {
            self.has_enough.store(true, Ordering::Relaxed);
        }
    }

    fn cancelled(&self) -> bool {
        self.has_enough.load(Ordering::Relaxed)
    }
}

impl Witness {
    fn saw(&self, step: CommitStep) -> Vec<(u64, u64)> {
        let seen = self.seen.lock().unwrap();
        let of_step = seen.iter().filter(|seen| seen.0 == step);
        of_step.map(|&(_, done, all)| (done, all)).collect()
    }
}

/// Two segments wait for a third, with which they will be joined.
fn before_joining(dir: &Path) -> IndexWriter {
    let mut writer = open_writer(dir);
    for segment in 0..3u8 {
        for id in 0..20 {
            put(&mut writer, segment * 20 + id, id, "file");
        }
        if segment < 2 {
            writer.commit().unwrap();
        }
    }
    writer
}

#[test]
fn both_graphs_are_counted_to_their_end() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = before_joining(dir.path());
    let witness = Witness::default();
    writer.commit_watched(&witness).unwrap();
    for step in [CommitStep::NewSegment, CommitStep::JoinedSegment] {
        let seen = witness.saw(step);
        assert!(seen.is_sorted(), "{seen:?}");
        let (done, all) = seen.last().unwrap();
        assert_eq!(done, all);
    }
    assert_eq!(writer.committed().segments.len(), 1);
}

#[test]
fn a_commit_that_is_cut_short_holds_everything_and_is_made_up_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = before_joining(dir.path());
    let witness = Witness {
        impatient: true,
        ..Witness::default()
    };
    writer.commit_watched(&witness).unwrap();
    assert_eq!(writer.committed().segments.len(), 3);
    assert_eq!(writer.committed().articles, 60);
    assert!(verify(dir.path()).unwrap().is_sound());
    writer.close().unwrap();
    let mut writer = open_writer(dir.path());
    put(&mut writer, 60, 1, "file");
    writer.commit().unwrap();
    assert_eq!(writer.committed().segments.len(), 1);
    writer.close().unwrap();
    assert!(verify(dir.path()).unwrap().is_sound());
}
