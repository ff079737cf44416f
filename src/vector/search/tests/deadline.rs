//! Searches that have to be over by a deadline.

use super::super::live::Live;
use super::super::{Asked, exact, walk};
use super::*;
use crate::deadline::{Deadline, Expired};
use crate::error::ErrorKind;
use crate::vector::kernels::Kernel;
use std::time::Duration;

/// Two segments, the first without a graph and large enough for several threads.
fn two() -> (tempfile::TempDir, VectorSnapshot, Vec<f32>) {
    let folder = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(31);
    let scanned = corpus(&mut numbers, 0, 9000, 1, DIMENSION, 20);
    let walked = corpus(&mut numbers, 9000, 6000, 1, DIMENSION, 20);
    let bare = SegmentParams {
        graph_from: usize::MAX,
        ..params()
    };
    let segments = vec![
        segment(folder.path(), "a", DIMENSION, &scanned, &bare),
        segment(folder.path(), "b", DIMENSION, &walked, &params()),
    ];
    let snapshot = snapshot(segments, RoaringBitmap::new());
    (folder, snapshot, numbers.unit(DIMENSION))
}

#[test]
fn every_strategy_ends_at_its_deadline_and_finds_the_same_before_it() {
    let (_folder, snapshot, query) = two();
    let far = snapshot.until(Deadline::after(Duration::from_secs(3600)));
    let over = snapshot.until(Deadline::after(Duration::ZERO));
    let allowed: RoaringBitmap = (0..15_000).filter(|key| key % 3 == 0).collect();
    for how in STRATEGIES {
        for allowed in [None, Some(&allowed)] {
            let search = |snapshot: &VectorSnapshot| snapshot.search(&query, 50, 100, how, allowed);
            assert_eq!(search(&far).unwrap(), search(&snapshot).unwrap(), "{how:?}");
            let error = search(&over).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TimedOut, "{how:?}");
        }
    }
}

#[test]
fn a_scan_and_a_walk_end_while_they_are_under_way() {
    let (_folder, snapshot, query) = two();
    let nothing = RoaringBitmap::new();
    let asked = |ef, deadline| Asked {
        query: &query,
        k: 10,
        ef,
        strategy: How::Auto,
        live: Live {
            deleted: &nothing,
            allowed: None,
        },
        deadline,
    };
    let over = Deadline::after(Duration::ZERO);
    let kernel = Kernel::detect();
    let [scanned, walked] = snapshot.segments() else {
        panic!("two segments");
    };
    let share = asked(10, over).live.share(scanned);
    let scan = |deadline| exact::scan(scanned, kernel, asked(10, deadline), share);
    assert_eq!(scan(over).unwrap_err(), Expired);
    assert_eq!(scan(Deadline::NEVER).unwrap().len(), 10);
    let graph = walked.graph().unwrap();
    let walk = |ef, deadline| {
        walk::walk(walked, graph, kernel, asked(ef, deadline), usize::MAX)
            .map(|found| found.map(|found| found.len()))
    };
    assert_eq!(walk(5000, over), Err(Expired));
    assert!(walk(5000, Deadline::NEVER).is_ok());
    // So few points are looked at without a look at the clock.
    assert_eq!(walk(20, over), Ok(Some(10)));
}
