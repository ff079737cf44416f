use super::{GraphView, NONE};
use crate::error::ErrorKind;
use crate::vector::testing::{Numbers, OwnedRow, corpus, segment, snapshot, write};
use crate::vector::{Segment, SegmentParams, Strategy, merge_segments};
use roaring::RoaringBitmap;
use std::fs;
use std::path::Path;

const DIMENSION: usize = 8;

fn params() -> SegmentParams {
    SegmentParams {
        m: 4,
        ef_construction: 40,
        graph_from: 1,
        seed: 7,
    }
}

fn rows(articles: usize) -> Vec<OwnedRow> {
    corpus(&mut Numbers(1), 0, articles, 2, DIMENSION, 5)
}

fn graph_bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name).join("graph.hnsw")).unwrap()
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Points that can be reached on level 0.
fn reachable(graph: GraphView<'_>) -> usize {
    let lists = graph.lists(0);
    let mut seen = vec![false; graph.counts[0] as usize];
    let mut open = vec![graph.ranks[0]];
    seen[open[0] as usize] = true;
    while let Some(id) = open.pop() {
        for next in lists.of(id) {
            if !std::mem::replace(&mut seen[next as usize], true) {
                open.push(next);
            }
        }
    }
    seen.into_iter().filter(|seen| *seen).count()
}

#[test]
fn equal_input_gives_equal_files_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(2000);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            write(
                folder.path(),
                &format!("s{threads}"),
                DIMENSION,
                &rows,
                &params(),
            )
        })
        .unwrap();
    }
    let one = graph_bytes(folder.path(), "s1");
    assert_eq!(one, graph_bytes(folder.path(), "s2"));
    assert_eq!(one, graph_bytes(folder.path(), "s5"));
}

#[test]
fn nearly_every_point_is_reachable_and_lists_are_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(3000);
    let params = SegmentParams {
        m: 8,
        ef_construction: 100,
        ..params()
    };
    let segment = segment(folder.path(), "s", DIMENSION, &rows, &params);
    segment.verify().unwrap();
    let graph = segment.graph().unwrap().view();
    assert!(graph.levels() > 2, "{:?}", graph.counts);
    let found = reachable(graph);
    assert!(
        found * 1000 >= rows.len() * 998,
        "{found} of {}",
        rows.len()
    );
}

/// The layout of the file, byte by byte, for four rows of which two are twins.
#[test]
fn the_file_has_the_documented_layout() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.6, 0.8]];
    let rows: Vec<OwnedRow> = (0..)
        .zip(vectors)
        .map(|(key, vector)| OwnedRow {
            key,
            ordinal: 0,
            vector: vector.to_vec(),
        })
        .collect();
    let params = SegmentParams {
        m: 2,
        ef_construction: 9,
        graph_from: 1,
        seed: 5,
    };
    write(folder.path(), "s", 2, &rows, &params).unwrap();
    let bytes = graph_bytes(folder.path(), "s");
    let number = |at: usize| number(&bytes, at);
    assert_eq!(&bytes[..8], b"MEDSHNSW");
    let ranks = number(20);
    assert_eq!(
        [number(8), number(12), number(16), number(24), number(28)],
        [1, 2, 9, 1, 0]
    );
    assert_eq!(u64::from_le_bytes(bytes[32..40].try_into().unwrap()), 5);
    let counts: Vec<u32> = (0..16).map(|level| number(40 + 4 * level)).collect();
    assert_eq!(counts[0], 4);
    assert_eq!(ranks, counts[1].max(1));
    assert!(bytes[104..128].iter().all(|byte| *byte == 0));
    // Level 0: four lists of four places. The twin, row 2, has no neighbours.
    let list = |row: usize| {
        let mut list: Vec<u32> = (0..4).map(|at| number(128 + row * 16 + at * 4)).collect();
        list.sort_unstable();
        list
    };
    // This seed inserts row 3 last, so rows 0 and 1 have linked before.
    assert_eq!(list(0), [1, 3, NONE, NONE]);
    assert_eq!(list(1), [0, 3, NONE, NONE]);
    assert_eq!(list(2), [NONE; 4]);
    assert_eq!(list(3), [0, 1, NONE, NONE]);
    let upper: usize = counts[1..].iter().map(|count| *count as usize * 2).sum();
    let ranks_at = (192 + upper * 4).next_multiple_of(64);
    let twins_at = (ranks_at + ranks as usize * 4).next_multiple_of(64);
    assert_eq!([number(twins_at), number(twins_at + 4)], [0, 2]);
    assert_eq!(bytes.len(), twins_at + 8);
}

#[test]
fn a_graph_cut_short_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut meta = write(folder.path(), "s", DIMENSION, &rows(100), &params()).unwrap();
    let path = folder.path().join("s/graph.hnsw");
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len())
        .step_by(23)
        .chain(whole.len() - 8..whole.len())
    {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(
            Segment::open(folder.path(), &meta).unwrap_err().kind(),
            ErrorKind::Corrupt
        );
        let recorded = std::mem::replace(&mut meta.files[1].bytes, length as u64);
        assert!(
            Segment::open(folder.path(), &meta).is_err(),
            "{length} bytes"
        );
        meta.files[1].bytes = recorded;
    }
}

/// A damaged graph that opens can be searched: hits may be missed, but there
/// are as many as there should be, and verifying finds the damage.
#[test]
fn a_damaged_graph_is_searched_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = rows(120);
    let same = rows[0].vector.clone();
    rows.iter_mut()
        .step_by(5)
        .for_each(|row| row.vector.clone_from(&same));
    let meta = write(folder.path(), "s", DIMENSION, &rows, &params()).unwrap();
    let path = folder.path().join("s/graph.hnsw");
    let whole = fs::read(&path).unwrap();
    let query = Numbers(3).unit(DIMENSION);
    for at in (0..128).chain((128..whole.len()).step_by(7)) {
        for mask in [1u8 << (at % 8), 0xff] {
            let mut damaged = whole.clone();
            damaged[at] ^= mask;
            fs::write(&path, &damaged).unwrap();
            let Ok(segment) = Segment::open(folder.path(), &meta) else {
                continue;
            };
            assert!(segment.verify().is_err(), "byte {at}");
            let snapshot = snapshot(vec![segment], RoaringBitmap::new());
            let hits = snapshot
                .search(&query, 7, 20, Strategy::Graph, None)
                .unwrap();
            assert_eq!(hits.len(), 7, "byte {at}");
        }
    }
}

#[test]
fn another_format_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let meta = write(folder.path(), "s", DIMENSION, &rows(10), &params()).unwrap();
    let path = folder.path().join("s/graph.hnsw");
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 9;
    fs::write(&path, bytes).unwrap();
    let error = Segment::open(folder.path(), &meta).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert!(error.to_string().contains("format 9"), "{error}");
}

#[test]
fn merging_keeps_what_lives_and_makes_what_writing_would() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(400);
    let parts = [0u32, 1, 2].map(|part| {
        let own: Vec<OwnedRow> = rows
            .iter()
            .filter(|row| row.key % 3 == part)
            .cloned()
            .collect();
        segment(
            folder.path(),
            &format!("part{part}"),
            DIMENSION,
            &own,
            &params(),
        )
    });
    let deleted: RoaringBitmap = (0..400).filter(|key| key % 4 == 1).collect();
    let live: Vec<OwnedRow> = rows
        .iter()
        .filter(|row| !deleted.contains(row.key))
        .cloned()
        .collect();
    let progress = std::sync::atomic::AtomicU64::new(0);
    let tell = |done, all| {
        assert!(done <= all);
        progress.store(done, std::sync::atomic::Ordering::Relaxed);
    };
    let merged =
        merge_segments(folder.path(), "merged", &parts, &deleted, &params(), &tell).unwrap();
    assert_eq!(progress.into_inner(), live.len() as u64);
    let opened = Segment::open(folder.path(), &merged).unwrap();
    opened.verify().unwrap();
    for (at, row) in live.iter().enumerate() {
        assert_eq!(opened.passage(at as u32), row.row());
    }
    write(folder.path(), "written", DIMENSION, &live, &params()).unwrap();
    assert_eq!(
        graph_bytes(folder.path(), "merged"),
        graph_bytes(folder.path(), "written")
    );
    let all: RoaringBitmap = (0..400).collect();
    let none = merge_segments(folder.path(), "none", &parts, &all, &params(), &|_, _| ()).unwrap();
    assert_eq!((none.passages, none.graph), (0, false));
    Segment::open(folder.path(), &none)
        .unwrap()
        .verify()
        .unwrap();
}

/// Verifying looks at the structure, not only at checksums.
#[test]
fn a_graph_that_contradicts_itself_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut meta = write(folder.path(), "s", DIMENSION, &rows(100), &params()).unwrap();
    let path = folder.path().join("s/graph.hnsw");
    let whole = fs::read(&path).unwrap();
    let rows = meta.passages;
    // The second row as its own neighbour; a neighbour behind the end of the
    // list; the entry's row beyond the end.
    let ranks_at = whole.len() - number(&whole, 20) as usize * 4;
    for (at, id) in [(128 + 32, 1u32), (128 + 28, rows - 1), (ranks_at, rows)] {
        let mut damaged = whole.clone();
        if at == 128 + 28 {
            damaged[128..160].fill(0xff);
        }
        damaged[at..at + 4].copy_from_slice(&id.to_le_bytes());
        fs::write(&path, &damaged).unwrap();
        meta.files[1].sha256 = crate::vector::checksum::sha256(&damaged);
        let segment = Segment::open(folder.path(), &meta).unwrap();
        let error = segment.verify().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
        assert!(error.to_string().contains("graph.hnsw"), "{error}");
    }
}
