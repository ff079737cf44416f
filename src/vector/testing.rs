//! Made-up corpora and a plain model of the search, for the tests.

use super::writer::SegmentWriter;
use super::{PassageRow, Segment, SegmentMeta, SegmentParams, VectorHit, VectorSnapshot};
use crate::error::Result;
use crate::key::ArticleKey;
use roaring::RoaringBitmap;
use std::path::Path;
use std::sync::Arc;

/// Numbers that look random and are always the same (SplitMix64).
#[derive(Clone)]
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Between -1 and 1.
    pub(super) fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub(super) fn unit(&mut self, dimension: usize) -> Vec<f32> {
        unit((0..dimension).map(|_| self.signed()).collect())
    }

    /// A unit vector near another one.
    pub(super) fn near(&mut self, centre: &[f32], spread: f32) -> Vec<f32> {
        let noise = self.unit(centre.len());
        unit(
            centre
                .iter()
                .zip(noise)
                .map(|(c, n)| c + spread * n)
                .collect(),
        )
    }
}

pub(super) fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector
        .iter()
        .map(|x| f64::from(*x).powi(2))
        .sum::<f64>()
        .sqrt();
    if length > 0.0 {
        vector
            .iter_mut()
            .for_each(|x| *x = (f64::from(*x) / length) as f32);
    } else {
        vector[0] = 1.0;
    }
    vector
}

/// A passage that owns its vector.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OwnedRow {
    pub(super) key: u32,
    pub(super) ordinal: u32,
    pub(super) vector: Vec<f32>,
}

impl OwnedRow {
    pub(super) fn row(&self) -> PassageRow<'_> {
        PassageRow {
            key: ArticleKey(self.key),
            ordinal: self.ordinal,
            range: self.ordinal * 100..self.ordinal * 100 + 90,
            vector: &self.vector,
        }
    }
}

/// Articles with one to `passages` passages around some centres, from a key on.
pub(super) fn corpus(
    numbers: &mut Numbers,
    first_key: u32,
    articles: usize,
    passages: u64,
    dimension: usize,
    clusters: usize,
) -> Vec<OwnedRow> {
    let centres: Vec<Vec<f32>> = (0..clusters).map(|_| numbers.unit(dimension)).collect();
    let mut rows = Vec::new();
    for key in (first_key..).take(articles) {
        let centre = &centres[numbers.below(clusters as u64) as usize];
        for ordinal in 0..=numbers.below(passages) as u32 {
            let vector = numbers.near(centre, 0.7);
            rows.push(OwnedRow {
                key,
                ordinal,
                vector,
            });
        }
    }
    rows
}

/// Writes rows with small record batches.
pub(super) fn write(
    folder: &Path,
    name: &str,
    dimension: usize,
    rows: &[OwnedRow],
    params: &SegmentParams,
) -> Result<SegmentMeta> {
    let mut writer = SegmentWriter::with_batches(folder, name, dimension, params, 64)?;
    for row in rows {
        writer.push(&row.row())?;
    }
    writer.finish(&|_, _| ())
}

/// Writes rows and opens the segment.
pub(super) fn segment(
    folder: &Path,
    name: &str,
    dimension: usize,
    rows: &[OwnedRow],
    params: &SegmentParams,
) -> Arc<Segment> {
    let meta = write(folder, name, dimension, rows, params).expect("it is written");
    Segment::open(folder, &meta).expect("it opens")
}

pub(super) fn snapshot(segments: Vec<Arc<Segment>>, deleted: RoaringBitmap) -> VectorSnapshot {
    VectorSnapshot::new(segments, Arc::new(deleted))
}

/// What a search must find: every live article by its best passage, in double
/// precision, best first.
pub(super) fn model(
    rows: &[OwnedRow],
    query: &[f32],
    deleted: &RoaringBitmap,
    allowed: Option<&RoaringBitmap>,
) -> Vec<(u32, f64)> {
    let mut best = std::collections::BTreeMap::new();
    for row in rows {
        if deleted.contains(row.key) || allowed.is_some_and(|keys| !keys.contains(row.key)) {
            continue;
        }
        let pairs = row.vector.iter().zip(query);
        let score: f64 = pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        let top = best.entry(row.key).or_insert(score);
        *top = top.max(score);
    }
    let mut best: Vec<(u32, f64)> = best.into_iter().collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best
}

/// Compares hits with the model: as many as there are, sorted, each with its
/// true score, its own passage, and no article that should have come instead.
pub(super) fn assert_exact(
    hits: &[VectorHit],
    rows: &[OwnedRow],
    model: &[(u32, f64)],
    k: usize,
    query: &[f32],
) {
    assert_eq!(hits.len(), k.min(model.len()), "number of hits");
    for (hit, (_, expected)) in hits.iter().zip(model) {
        assert!(
            (f64::from(hit.score) - expected).abs() < 1e-5,
            "{hit:?} where the score is {expected}"
        );
    }
    assert_sound(hits, rows, model, query);
}

/// Checks that hits are sorted, unique, live and truly scored, by their own
/// passage.
pub(super) fn assert_sound(
    hits: &[VectorHit],
    rows: &[OwnedRow],
    model: &[(u32, f64)],
    query: &[f32],
) {
    for pair in hits.windows(2) {
        let order = pair[1]
            .score
            .total_cmp(&pair[0].score)
            .then(pair[0].key.cmp(&pair[1].key));
        assert!(order.is_lt(), "{pair:?} out of order");
    }
    let scores: std::collections::HashMap<u32, f64> = model.iter().copied().collect();
    for hit in hits {
        let best = scores.get(&hit.key.0).expect("a hit is live and allowed");
        assert!(
            (f64::from(hit.score) - best).abs() < 1e-5,
            "{hit:?} for {best}"
        );
        let row = rows
            .iter()
            .find(|row| row.key == hit.key.0 && row.ordinal == hit.ordinal);
        let row = row.expect("the passage exists");
        assert_eq!(row.row().range, hit.range);
        let own: f64 = row
            .vector
            .iter()
            .zip(query)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum();
        assert!((own - best).abs() < 1e-5, "{hit:?} is not the best passage");
    }
}

/// Share of the model's first `k` scores that the hits reach.
pub(super) fn recall(hits: &[VectorHit], model: &[(u32, f64)], k: usize) -> f64 {
    let expected = &model[..k.min(model.len())];
    let Some((_, least)) = expected.last() else {
        return 1.0;
    };
    let found = hits
        .iter()
        .filter(|hit| f64::from(hit.score) >= least - 1e-6)
        .count();
    found.min(expected.len()) as f64 / expected.len() as f64
}
