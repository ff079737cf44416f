//! Where the exact scan beats the walk: both under filters that leave many
//! shares of the articles, and what the search chooses by itself.
//!
//! Run with `RAYON_NUM_THREADS=1`, so that the scan is charged for all its work.

use super::K;
use medsift::ArticleKey;
use medsift::vector::{Segment, SegmentMeta, Strategy, VectorSnapshot};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SHARES: [f64; 10] = [0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.003, 0.001];
const WIDTHS: [usize; 5] = [40, 100, 200, 400, 1000];
const QUERIES: usize = 60;
const ROUNDS: usize = 3;

type Search<'a> = dyn Fn(&[f32], usize, Strategy) -> Vec<ArticleKey> + 'a;

/// Prints a line for each share and width.
///
/// `looks` is what `LOOKS_PER_PLACE` of the search would have to be for it to
/// hold walk and scan equally dear there; it matters where `walk/scan` is near 1.
pub(crate) fn run(segment: &Arc<Segment>, queries: &[Vec<f32>]) {
    let snapshot = VectorSnapshot::new(vec![Arc::clone(segment)], Arc::default());
    let queries = &queries[..queries.len().min(QUERIES)];
    println!(" share    ef  scan ms  walk ms  auto ms walk/scan auto/best  looks recall");
    for share in SHARES {
        let mut allowed = snapshot.deleted().clone();
        allowed.extend(thinned(segment.meta(), share));
        let live = allowed.len() as f64 / f64::from(segment.meta().articles);
        let search = |query: &[f32], ef, how| {
            let hits = snapshot.search(query, K, ef, how, Some(&allowed));
            let hits = hits.expect("the search succeeds");
            hits.into_iter().map(|hit| hit.key).collect()
        };
        for ef in WIDTHS {
            line(segment.meta(), &search, queries, live, ef);
        }
    }
}

fn line(meta: &SegmentMeta, search: &Search<'_>, queries: &[Vec<f32>], live: f64, ef: usize) {
    let strategies = [Strategy::Exact, Strategy::Graph, Strategy::Auto];
    let mut best = strategies.map(|_| vec![Duration::MAX; queries.len()]);
    let (mut found, mut all) = (0, 0);
    // The three take turns, so that what else the machine does hits all alike.
    for _ in 0..ROUNDS {
        let mut answers = Vec::new();
        for (best, how) in best.iter_mut().zip(strategies) {
            for (query, best) in queries.iter().zip(best) {
                let start = Instant::now();
                answers.push(search(query, ef, how));
                *best = start.elapsed().min(*best);
            }
        }
        let (exact, others) = answers.split_at(queries.len());
        all += exact.iter().map(Vec::len).sum::<usize>();
        for (exact, walked) in exact.iter().zip(others) {
            found += walked.iter().filter(|key| exact.contains(key)).count();
        }
    }
    let [scan, walk, auto] = best.map(|times| {
        let total: Duration = times.iter().sum();
        total.as_secs_f64() * 1e3 / times.len() as f64
    });
    let looks = walk / scan * live * live * f64::from(meta.articles) / ef as f64;
    println!(
        "{live:6.4} {ef:>5} {scan:>8.3} {walk:>8.3} {auto:>8.3} {:>9.2} {:>9.2} {looks:>6.1} {:.4}",
        walk / scan,
        auto / scan.min(walk),
        f64::from(found as u32) / f64::from(all.max(1) as u32),
    );
}

/// The keys of a share of the articles, without a pattern.
fn thinned(meta: &SegmentMeta, share: f64) -> impl Iterator<Item = u32> {
    let most = (share * f64::from(u32::MAX)) as u32;
    let keys = meta.min_key.zip(meta.max_key);
    let keys = keys.into_iter().flat_map(|(first, last)| first.0..=last.0);
    keys.filter(move |key| {
        let mixed = key.wrapping_add(1).wrapping_mul(0x9e37_79b9);
        let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca6b);
        mixed ^ (mixed >> 13) <= most
    })
}
