//! The vector side on made-up clustered vectors: build, open, memory, search.
//!
//! `cargo bench --workspace --profile dev --bench vector -- FOLDER [--points N] [MODE]`
//!
//! Writes the vectors, the queries and the exact answers to FOLDER as well, for
//! `compare/vector.py`, which measures other libraries on the same data.
//!
//! | mode | what |
//! |---|---|
//! | `--stock` | also builds and searches with hnsw_rs as it comes |
//! | `--filters` | also compares walk and scan under filters |
//! | `--reopen` | only searches, in what an earlier run left in FOLDER |
#![allow(clippy::print_stdout, missing_docs)]

#[path = "vector/filters.rs"]
mod filters;

use hnsw_rs::prelude::{DistDot, Hnsw};
use medsift::ArticleKey;
use medsift::vector::{
    PassageRow, Segment, SegmentMeta, SegmentParams, Strategy, VectorSnapshot, write_segment,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

const DIMENSION: usize = 384;
const CLUSTERS: usize = 300;
const SPREAD: f32 = 0.9;
const QUERIES: usize = 1000;
const K: usize = 10;
const WIDTHS: [usize; 7] = [10, 20, 40, 60, 80, 120, 200];

/// What is asked for.
#[derive(Default)]
struct Arguments {
    folder: Option<PathBuf>,
    points: Option<usize>,
    stock: bool,
    filters: bool,
    reopen: bool,
}

fn main() {
    let mut asked = Arguments::default();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // Given by cargo.
            "--bench" => {}
            "--stock" => asked.stock = true,
            "--filters" => asked.filters = true,
            "--reopen" => asked.reopen = true,
            "--points" => {
                let number = arguments.next().and_then(|number| number.parse().ok());
                asked.points = Some(number.expect("--points needs a number"));
            }
            other => asked.folder = Some(PathBuf::from(other)),
        }
    }
    let folder = asked
        .folder
        .take()
        .unwrap_or_else(|| env::temp_dir().join("medsift-bench-vector"));
    if asked.reopen {
        reopen(&folder);
        return;
    }
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    run(&folder, &asked);
}

fn run(folder: &Path, asked: &Arguments) {
    let points = asked.points.unwrap_or(30_000);
    let (vectors, queries) = data(points);
    save(&folder.join("vectors.f32"), &vectors);
    save(&folder.join("queries.f32"), &queries);
    println!("{points} x {DIMENSION}, {} threads", threads());
    let params = SegmentParams::default();
    let segment = build(folder, &vectors, &params);
    let snapshot = VectorSnapshot::new(vec![Arc::clone(&segment)], Arc::default());
    let (exact, times) = measured(&queries, |query| keys(&snapshot, query, K, Strategy::Exact));
    report("medsift exact", &exact, &exact, &times);
    let answers: Vec<u8> = exact
        .iter()
        .flatten()
        .flat_map(|key| key.to_le_bytes())
        .collect();
    fs::write(folder.join("answers.u32"), answers).expect("answers are written");
    search_widths(&snapshot, &queries, &exact);
    if asked.filters {
        filters::run(&segment, &queries);
    }
    if asked.stock {
        run_stock(&vectors, &queries, &exact, &params);
    }
}

/// Builds the segment, opens it, and says what it takes.
fn build(folder: &Path, vectors: &[Vec<f32>], params: &SegmentParams) -> Arc<Segment> {
    let start = Instant::now();
    let rows = (0..).zip(vectors).map(|(key, vector)| PassageRow {
        key: ArticleKey(key),
        ordinal: 0,
        range: 0..0,
        vector,
    });
    let meta = write_segment(folder, "bench", DIMENSION, rows, params, &|_, _| ())
        .expect("the segment is written");
    let built = start.elapsed();
    println!(
        "medsift build {:.0} points/s",
        vectors.len() as f64 / built.as_secs_f64()
    );
    let json = serde_json::to_vec(&meta).expect("it is plain data");
    fs::write(folder.join("bench.json"), json).expect("what describes it is written");

    let start = Instant::now();
    let segment = Segment::open(folder, &meta).expect("the segment opens");
    println!("medsift open {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    println!(
        "medsift memory {:.3} times the vectors",
        segment.memory_bytes() as f64 / segment.vector_bytes() as f64
    );
    for file in &meta.files {
        println!(
            "medsift {} {:.1} bytes a point",
            file.name,
            file.bytes as f64 / vectors.len() as f64
        );
    }
    segment
}

/// Searches at every width in what an earlier run built.
fn reopen(folder: &Path) {
    let json = fs::read(folder.join("bench.json")).expect("an earlier run left its segment");
    let meta: SegmentMeta = serde_json::from_slice(&json).expect("it describes a segment");
    let segment = Segment::open(folder, &meta).expect("the segment opens");
    let snapshot = VectorSnapshot::new(vec![segment], Arc::default());
    let queries = load(&folder.join("queries.f32"), DIMENSION, f32::from_le_bytes);
    let exact = load(&folder.join("answers.u32"), K, u32::from_le_bytes);
    search_widths(&snapshot, &queries, &exact);
}

fn search_widths(snapshot: &VectorSnapshot, queries: &[Vec<f32>], exact: &[Vec<u32>]) {
    for ef in WIDTHS {
        let (found, times) = measured(queries, |query| keys(snapshot, query, ef, Strategy::Graph));
        report(&format!("medsift ef {ef}"), &found, exact, &times);
    }
}

fn keys(snapshot: &VectorSnapshot, query: &[f32], ef: usize, strategy: Strategy) -> Vec<u32> {
    let hits = snapshot.search(query, K, ef, strategy, None);
    let hits = hits.expect("the search succeeds");
    hits.iter().map(|hit| hit.key.0).collect()
}

/// hnsw_rs as it comes, its own distance included.
fn run_stock(
    vectors: &[Vec<f32>],
    queries: &[Vec<f32>],
    exact: &[Vec<u32>],
    params: &SegmentParams,
) {
    let start = Instant::now();
    let graph: Hnsw<'_, f32, DistDot> = Hnsw::new(
        params.m,
        vectors.len(),
        16,
        params.ef_construction,
        DistDot {},
    );
    let numbered: Vec<(&Vec<f32>, usize)> = vectors.iter().zip(0..).collect();
    graph.parallel_insert(&numbered);
    let built = start.elapsed();
    println!(
        "hnsw_rs build {:.0} points/s",
        vectors.len() as f64 / built.as_secs_f64()
    );
    for ef in WIDTHS {
        let (found, times) = measured(queries, |query| {
            let found = graph.search(query, K, ef);
            found.iter().map(|point| point.d_id as u32).collect()
        });
        report(&format!("hnsw_rs ef {ef}"), &found, exact, &times);
    }
}

/// Runs every query three times; keeps the answers and the best time of each.
fn measured(
    queries: &[Vec<f32>],
    search: impl Fn(&[f32]) -> Vec<u32>,
) -> (Vec<Vec<u32>>, Vec<Duration>) {
    let mut best = vec![Duration::MAX; queries.len()];
    let mut found = Vec::new();
    for _ in 0..3 {
        found.clear();
        for (query, best) in queries.iter().zip(&mut best) {
            let start = Instant::now();
            found.push(search(query));
            *best = start.elapsed().min(*best);
        }
    }
    (found, best)
}

fn report(name: &str, found: &[Vec<u32>], exact: &[Vec<u32>], times: &[Duration]) {
    let pairs = found.iter().zip(exact);
    let hits: usize = pairs
        .map(|(found, exact)| found.iter().filter(|key| exact.contains(key)).count())
        .sum();
    let mut times: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!(
        "{name:16} recall@{K} {:.4}  mean {mean:.3} ms  p50 {:.3}  p95 {:.3}  p99 {:.3}",
        hits as f64 / (exact.len() * K) as f64,
        times[times.len() / 2],
        times[times.len() * 95 / 100],
        times[times.len() * 99 / 100],
    );
}

/// Unit vectors around centres, and queries around the same centres.
fn data(points: usize) -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
    let mut state = 42u64;
    let mut number = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // The sum of four is near enough to normal.
        let part = |shift: u32| ((state >> shift) & 0xffff) as f32 / 65_536.0 - 0.5;
        part(48) + part(36) + part(24) + part(40)
    };
    let mut random = || unit((0..DIMENSION).map(|_| number()).collect());
    let centres: Vec<Vec<f32>> = (0..CLUSTERS).map(|_| random()).collect();
    let mut around = |at: usize| {
        let noise = random();
        // Spreads the clusters' sizes and keeps their order mixed.
        let centre = &centres[at.wrapping_mul(2_654_435_761) % CLUSTERS];
        unit(
            centre
                .iter()
                .zip(noise)
                .map(|(c, n)| c + SPREAD * n)
                .collect(),
        )
    };
    let vectors = (0..points).map(&mut around).collect();
    let queries = (0..QUERIES).map(around).collect();
    (vectors, queries)
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

fn save(path: &Path, vectors: &[Vec<f32>]) {
    let bytes: Vec<u8> = vectors
        .iter()
        .flatten()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    fs::write(path, bytes).expect("the data is written");
}

/// Rows of numbers of four bytes.
fn load<T>(path: &Path, width: usize, number: impl Fn([u8; 4]) -> T) -> Vec<Vec<T>> {
    let bytes = fs::read(path).expect("an earlier run left its data");
    let (numbers, _) = bytes.as_chunks::<4>();
    let rows = numbers.chunks_exact(width);
    rows.map(|row| row.iter().map(|bytes| number(*bytes)).collect())
        .collect()
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
