//! Search of one segment: chooses between graph and scan, and guarantees that
//! as many articles come back as there are.

mod exact;
mod live;
mod pool;
#[cfg(test)]
mod tests;
mod walk;

pub(super) use live::Live;

use super::kernels::Kernel;
use super::score::Scored;
use super::segment::Segment;
use super::snapshot::{Strategy, VectorHit};
use crate::deadline::{Deadline, Expired};
use live::Share;

/// Rows that a scan scores in the time in which a walk fills one place of its
/// beam, where nothing is filtered. Measured for `m` 16 (docs/performance.md):
/// where the two take about the same time, it is 12 to 16. Only speed depends on
/// it.
const LOOKS_PER_PLACE: f64 = 15.0;

/// What segments are asked.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// A unit vector.
    pub(super) query: &'a [f32],
    /// How many articles are wanted.
    pub(super) k: usize,
    /// The width of a walk, at least `k`.
    pub(super) ef: usize,
    pub(super) strategy: Strategy,
    pub(super) live: Live<'a>,
    pub(super) deadline: Deadline,
}

/// The `k` best live articles of a segment, in no particular order.
pub(super) fn search_segment(
    segment: &Segment,
    asked: Asked<'_>,
) -> Result<Vec<VectorHit>, Expired> {
    asked.deadline.watch().look()?;
    let share = asked.live.share(segment);
    if share.articles == 0 {
        return Ok(Vec::new());
    }
    let kernel = Kernel::detect();
    let cap = match asked.strategy {
        Strategy::Exact => None,
        Strategy::Graph => Some(usize::MAX),
        // A walk that looks at more points than the scan would has lost: it ends
        // there, so it costs no more than twice the scan.
        Strategy::Auto => {
            (!scan_is_cheaper(segment, asked.ef, share)).then_some(share.rows as usize)
        }
    };
    let walked = match (segment.graph(), cap) {
        (Some(graph), Some(cap)) => walk::walk(segment, graph, kernel, asked, cap)?,
        _ => None,
    };
    let found = match walked {
        Some(found) => found,
        None => exact::scan(segment, kernel, asked, share)?,
    };
    Ok(found.into_iter().map(|found| hit(segment, found)).collect())
}

/// Compares what a scan of the live rows costs with what a walk would: to fill
/// its beam with live articles it looks at the more points the fewer are live.
fn scan_is_cheaper(segment: &Segment, ef: usize, share: Share) -> bool {
    let rows = f64::from(segment.meta().passages.max(1));
    let selectivity = f64::from(share.rows) / rows;
    let per_article = rows / f64::from(segment.meta().articles.max(1));
    let looks = LOOKS_PER_PLACE * ef as f64 * per_article / selectivity;
    looks >= f64::from(share.rows)
}

fn hit(segment: &Segment, found: Scored) -> VectorHit {
    let row = segment.passage(found.id());
    VectorHit {
        key: row.key,
        score: found.score(),
        ordinal: row.ordinal,
        range: row.range,
    }
}
