//! The exact scan: every live row is scored.

use super::live::Share;
use super::{Asked, Live};
use crate::deadline::{Expired, Watch};
use crate::vector::kernels::{Kernel, LANES};
use crate::vector::passages::Passages;
use crate::vector::score::Scored;
use crate::vector::segment::Segment;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Live rows from which on a scan is spread over threads.
const PARALLEL_FROM: u32 = 1 << 13;
/// Parts for each thread, so that uneven parts even out.
const PARTS_PER_THREAD: u32 = 4;

/// The `k` best live articles of a segment, each by its best passage.
pub(super) fn scan(
    segment: &Segment,
    kernel: Kernel,
    asked: Asked<'_>,
    share: Share,
) -> Result<Vec<Scored>, Expired> {
    let passages = segment.passages();
    let Asked { query, k, live, .. } = asked;
    let all = live.is_all(segment);
    let scan = |rows: Range<u32>| -> Result<Best, Expired> {
        let watch = asked.deadline.watch();
        watch.look()?;
        let rows = live_rows(passages, rows, live, all);
        let mut best = Best::new(k);
        score(passages, kernel, query, &rows, &watch, &mut best)?;
        Ok(best)
    };
    if share.rows < PARALLEL_FROM {
        return Ok(scan(0..passages.len())?.into_vec());
    }
    let parts = (rayon::current_num_threads() as u32).saturating_mul(PARTS_PER_THREAD);
    let parts = parts.clamp(1, share.rows / (PARALLEL_FROM / PARTS_PER_THREAD));
    let border = |part: u32| {
        let row = (u64::from(passages.len()) * u64::from(part) / u64::from(parts)) as u32;
        article_start(passages, row)
    };
    let best = (0..parts)
        .into_par_iter()
        .map(|part| scan(border(part)..border(part + 1)))
        .try_reduce(|| Best::new(k), |one, other| Ok(one.join(other)))?;
    Ok(best.into_vec())
}

/// The first row at or after this one that begins an article.
fn article_start(passages: &Passages, mut row: u32) -> u32 {
    while row > 0 && row < passages.len() && passages.key(row) == passages.key(row - 1) {
        row += 1;
    }
    row
}

/// The live rows of a range that begins and ends with an article.
fn live_rows(passages: &Passages, rows: Range<u32>, live: Live<'_>, all: bool) -> Vec<u32> {
    if all {
        return rows.collect();
    }
    let Some(allowed) = live.allowed else {
        return rows
            .filter(|row| live.contains(passages.key(*row)))
            .collect();
    };
    if rows.is_empty() {
        return Vec::new();
    }
    let keys = passages.key(rows.start)..=passages.key(rows.end - 1);
    if keys.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = rows.start;
    for key in allowed.range(keys) {
        at = passages.seek(at..rows.end, key);
        while at < rows.end && passages.key(at) == key {
            if !live.deleted.contains(key) {
                found.push(at);
            }
            at += 1;
        }
    }
    found
}

/// Scores rows, of which those of one article are adjacent.
fn score(
    passages: &Passages,
    kernel: Kernel,
    query: &[f32],
    rows: &[u32],
    watch: &Watch,
    best: &mut Best,
) -> Result<(), Expired> {
    let mut article: Option<(u32, Scored)> = None;
    let mut each = |row: u32, score: f32| {
        let (key, scored) = (passages.key(row), Scored::new(score, row));
        match &mut article {
            Some((current, top)) if *current == key => *top = scored.max(*top),
            _ => {
                if let Some((_, top)) = article.replace((key, scored)) {
                    best.add(top);
                }
            }
        }
    };
    let (fours, rest) = rows.as_chunks::<LANES>();
    for four in fours {
        watch.steps(LANES)?;
        let scores = kernel.dot4(query, four.map(|row| passages.vector(row)));
        for (row, score) in four.iter().zip(scores) {
            each(*row, score);
        }
    }
    for row in rest {
        each(*row, kernel.dot(query, passages.vector(*row)));
    }
    if let Some((_, top)) = article {
        best.add(top);
    }
    Ok(())
}

/// The best of what was added.
struct Best {
    most: usize,
    /// The worst on top.
    heap: BinaryHeap<Reverse<Scored>>,
}

impl Best {
    fn new(most: usize) -> Self {
        Self {
            most,
            heap: BinaryHeap::new(),
        }
    }

    #[inline]
    fn add(&mut self, scored: Scored) {
        if self.heap.len() < self.most {
            self.heap.push(Reverse(scored));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && scored > worst.0
        {
            *worst = Reverse(scored);
        }
    }

    fn join(mut self, other: Self) -> Self {
        for Reverse(scored) in other.heap {
            self.add(scored);
        }
        self
    }

    fn into_vec(self) -> Vec<Scored> {
        self.heap
            .into_iter()
            .map(|Reverse(scored)| scored)
            .collect()
    }
}
