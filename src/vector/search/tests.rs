mod deadline;

use crate::vector::testing::{
    Numbers, OwnedRow, assert_exact, assert_sound, corpus, model, recall, segment, snapshot,
};
use crate::vector::{Segment, SegmentParams, Strategy as How, VectorSnapshot};
use proptest::prelude::*;
use roaring::RoaringBitmap;
use std::sync::Arc;

const DIMENSION: usize = 24;
const STRATEGIES: [How; 3] = [How::Auto, How::Exact, How::Graph];

fn params() -> SegmentParams {
    SegmentParams {
        graph_from: 1,
        ..SegmentParams::default()
    }
}

/// Rows spread over segments by key.
fn segments(folder: &std::path::Path, rows: &[OwnedRow], count: u32) -> Vec<Arc<Segment>> {
    (0..count)
        .map(|at| {
            let own: Vec<OwnedRow> = rows
                .iter()
                .filter(|row| row.key % count == at)
                .cloned()
                .collect();
            // The first has no graph.
            let params = SegmentParams {
                graph_from: if at == 0 && count > 1 { usize::MAX } else { 1 },
                ..params()
            };
            segment(folder, &format!("s{at}"), DIMENSION, &own, &params)
        })
        .collect()
}

fn thinned(numbers: &mut Numbers, keys: u32, of_hundred: u64) -> RoaringBitmap {
    (0..keys)
        .filter(|_| numbers.below(100) < of_hundred)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The conformance suite: whatever the strategy, the hits are sound and as
    /// many as there are; of the exact scan they are those of the model.
    #[test]
    fn search_conforms_to_the_model(
        seed in any::<u64>(),
        articles in 0usize..300,
        passages in 1u64..5,
        count in 1u32..4,
        deleted in prop::sample::select(vec![0u64, 10, 60, 95, 100]),
        allowed in prop::sample::select(vec![None, Some(0u64), Some(3), Some(40), Some(100)]),
        k in prop::sample::select(vec![0usize, 1, 10, 100, 1000]),
        ef in prop::sample::select(vec![1usize, 20, 200]),
    ) {
        let mut numbers = Numbers(seed);
        let rows = corpus(&mut numbers, 0, articles, passages, DIMENSION, 6);
        let keys = articles as u32;
        let deleted = thinned(&mut numbers, keys, deleted);
        let allowed = allowed.map(|share| thinned(&mut numbers, keys + 50, share));
        let query = numbers.unit(DIMENSION);
        let folder = tempfile::tempdir().unwrap();
        let snapshot = snapshot(segments(folder.path(), &rows, count), deleted.clone());
        let model = model(&rows, &query, &deleted, allowed.as_ref());
        for strategy in STRATEGIES {
            let hits = snapshot.search(&query, k, ef, strategy, allowed.as_ref()).unwrap();
            prop_assert_eq!(hits.len(), k.min(model.len()), "{:?}", strategy);
            assert_sound(&hits, &rows, &model, &query);
            if strategy == How::Exact {
                assert_exact(&hits, &rows, &model, k, &query);
            }
        }
    }
}

/// A walk one article wide that stops at the first of an article's passages.
#[test]
fn an_article_scores_by_its_best_passage_even_where_the_walk_is_narrow() {
    let mut numbers = Numbers(8_928_677_121_025_446_525);
    let rows = corpus(&mut numbers, 0, 245, 4, DIMENSION, 6);
    let (_folder, snapshot) = one(&rows);
    let nothing = RoaringBitmap::new();
    for _ in 0..50 {
        let query = numbers.unit(DIMENSION);
        let hits = snapshot.search(&query, 1, 1, How::Graph, None).unwrap();
        assert_sound(&hits, &rows, &model(&rows, &query, &nothing, None), &query);
    }
}

fn one(rows: &[OwnedRow]) -> (tempfile::TempDir, VectorSnapshot) {
    let folder = tempfile::tempdir().unwrap();
    let segment = segment(folder.path(), "s", DIMENSION, rows, &params());
    (folder, snapshot(vec![segment], RoaringBitmap::new()))
}

fn mean_recall(
    rows: &[OwnedRow],
    deleted: RoaringBitmap,
    allowed: Option<&RoaringBitmap>,
    how: How,
) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let segment = segment(folder.path(), "s", DIMENSION, rows, &params());
    let snapshot = snapshot(vec![segment], deleted.clone());
    let mut numbers = Numbers(99);
    let recalls = (0..40).map(|_| {
        let near = &rows[numbers.below(rows.len() as u64) as usize].vector;
        let query = numbers.near(near, 0.5);
        let hits = snapshot.search(&query, 10, 100, how, allowed).unwrap();
        let model = model(rows, &query, &deleted, allowed);
        assert_sound(&hits, rows, &model, &query);
        recall(&hits, &model, 10)
    });
    recalls.sum::<f64>() / 40.0
}

#[test]
fn the_graph_finds_what_the_scan_finds() {
    let rows = corpus(&mut Numbers(1), 0, 3000, 3, DIMENSION, 40);
    let found = mean_recall(&rows, RoaringBitmap::new(), None, How::Graph);
    assert!(found >= 0.98, "{found}");
}

#[test]
fn deletions_do_not_cost_recall() {
    let rows = corpus(&mut Numbers(2), 0, 3000, 2, DIMENSION, 40);
    let deleted = thinned(&mut Numbers(3), 3000, 50);
    let found = mean_recall(&rows, deleted, None, How::Graph);
    assert!(found >= 0.98, "{found}");
}

/// A filter that has nothing to do with the query, and one that leaves only
/// what is far from it (milvus-io/milvus#44854, apache/lucene#14160).
#[test]
fn filters_do_not_cost_recall() {
    let rows = corpus(&mut Numbers(4), 0, 4000, 1, DIMENSION, 40);
    for share in [1, 5, 20, 60] {
        let allowed = thinned(&mut Numbers(share), 4000, share);
        for how in [How::Auto, How::Graph] {
            let found = mean_recall(&rows, RoaringBitmap::new(), Some(&allowed), how);
            assert!(found >= 0.98, "{share} of 100, {how:?}: {found}");
        }
    }
    let axis = Numbers(5).unit(DIMENSION);
    let side: RoaringBitmap = rows
        .iter()
        .filter(|row| {
            row.vector
                .iter()
                .zip(&axis)
                .map(|(a, b)| a * b)
                .sum::<f32>()
                > 0.1
        })
        .map(|row| row.key)
        .collect();
    assert!(side.len() > 100);
    let found = mean_recall(&rows, RoaringBitmap::new(), Some(&side), How::Auto);
    assert!(found >= 0.98, "correlated: {found}");
}

/// nmslib/hnswlib#321, #308: with most of the neighbourhood deleted the search
/// goes on until k live hits or the end.
#[test]
fn k_hits_come_back_when_all_that_is_near_is_deleted() {
    let rows = corpus(&mut Numbers(6), 0, 2000, 1, DIMENSION, 10);
    let query = rows[0].vector.clone();
    let near = model(&rows, &query, &RoaringBitmap::new(), None);
    let deleted: RoaringBitmap = near[..1500].iter().map(|(key, _)| *key).collect();
    let folder = tempfile::tempdir().unwrap();
    let segment = segment(folder.path(), "s", DIMENSION, &rows, &params());
    let snapshot = snapshot(vec![segment], deleted.clone());
    let expected = model(&rows, &query, &deleted, None);
    for how in STRATEGIES {
        let hits = snapshot.search(&query, 20, 40, how, None).unwrap();
        assert_eq!(hits.len(), 20, "{how:?}");
        assert!(recall(&hits, &expected, 20) >= 0.9, "{how:?}");
    }
}

/// An article with a thousand passages next to the query takes one place.
#[test]
fn many_passages_do_not_crowd_out_articles() {
    let mut numbers = Numbers(7);
    let mut rows = corpus(&mut numbers, 0, 800, 1, DIMENSION, 20);
    let query = rows[3].vector.clone();
    for ordinal in 0..1000 {
        let vector = numbers.near(&query, 0.05);
        rows.push(OwnedRow {
            key: 800,
            ordinal,
            vector,
        });
    }
    let (_folder, snapshot) = one(&rows);
    let expected = model(&rows, &query, &RoaringBitmap::new(), None);
    for how in STRATEGIES {
        let hits = snapshot.search(&query, 10, 50, how, None).unwrap();
        assert_eq!(hits.len(), 10);
        assert!(recall(&hits, &expected, 10) >= 0.9, "{how:?}: {hits:?}");
    }
}

/// Titles such as "Reply" give many equal vectors; all are found, in the order
/// of their keys, and they do not cut anything off.
#[test]
fn equal_vectors_are_all_found() {
    let mut numbers = Numbers(8);
    let same = numbers.unit(DIMENSION);
    let mut rows = corpus(&mut numbers, 0, 3000, 1, DIMENSION, 20);
    for row in rows.iter_mut().filter(|row| row.key % 3 == 0) {
        row.vector.clone_from(&same);
    }
    let (_folder, snapshot) = one(&rows);
    for how in STRATEGIES {
        let hits = snapshot.search(&same, 50, 100, how, None).unwrap();
        let keys: Vec<u32> = hits.iter().map(|hit| hit.key.0).collect();
        assert_eq!(keys, (0..150).step_by(3).collect::<Vec<u32>>(), "{how:?}");
    }
    let allowed: RoaringBitmap = (2000..3000).collect();
    for how in STRATEGIES {
        let hits = snapshot.search(&same, 5, 10, how, Some(&allowed)).unwrap();
        let keys: Vec<u32> = hits.iter().map(|hit| hit.key.0).collect();
        assert_eq!(keys, [2001, 2004, 2007, 2010, 2013], "{how:?}");
    }
    let found = mean_recall(&rows, RoaringBitmap::new(), None, How::Graph);
    assert!(found >= 0.98, "{found}");
}

#[test]
fn nothing_and_one_are_indexes_too() {
    let (_folder, empty) = one(&[]);
    let query = Numbers(9).unit(DIMENSION);
    let row = OwnedRow {
        key: 7,
        ordinal: 0,
        vector: query.clone(),
    };
    let (_other, single) = one(&[row]);
    for how in STRATEGIES {
        assert_eq!(empty.search(&query, 5, 5, how, None).unwrap(), []);
        let hits = single.search(&query, 5, 5, how, None).unwrap();
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].key.0, 7);
        assert!((hits[0].score - 1.0).abs() < 1e-6);
    }
    let none = VectorSnapshot::default();
    assert_eq!(none.search(&query, 5, 5, How::Auto, None).unwrap(), []);
}

#[test]
fn a_large_scan_is_spread_over_threads_without_a_difference() {
    let rows = corpus(&mut Numbers(10), 0, 9000, 3, 4, 30);
    let folder = tempfile::tempdir().unwrap();
    let params = SegmentParams {
        graph_from: usize::MAX,
        ..params()
    };
    let segment = segment(folder.path(), "s", 4, &rows, &params);
    let snapshot = snapshot(vec![segment], RoaringBitmap::new());
    let query = Numbers(11).unit(4);
    let allowed: RoaringBitmap = (0..9000).filter(|key| key % 7 != 0).collect();
    for allowed in [None, Some(&allowed)] {
        let hits = snapshot
            .search(&query, 200, 200, How::Exact, allowed)
            .unwrap();
        let model = model(&rows, &query, &RoaringBitmap::new(), allowed);
        assert_exact(&hits, &rows, &model, 200, &query);
    }
}

#[test]
fn unusable_queries_are_refused() {
    let rows = corpus(&mut Numbers(12), 0, 10, 1, DIMENSION, 2);
    let (_folder, snapshot) = one(&rows);
    for query in [
        vec![1.0; DIMENSION - 1],
        vec![f32::NAN; DIMENSION],
        vec![f32::INFINITY; DIMENSION],
    ] {
        let error = snapshot.search(&query, 5, 5, How::Auto, None).unwrap_err();
        assert_eq!(error.field(), Some("vector"), "{error}");
    }
}
