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
use live::Share;

/// Rows that a scan scores in the time in which a walk fills one place of its
/// beam, where nothing is filtered. Measured for `m` 16 (docs/performance.md):
/// where the two take about the same time, it is 12 to 16. Only speed depends on
/// it.
const LOOKS_PER_PLACE: f64 = 15.0;

/// The `k` best live articles of a segment, in no particular order.
pub(super) fn search_segment(
    segment: &Segment,
    query: &[f32],
    k: usize,
    ef: usize,
    strategy: Strategy,
    live: Live<'_>,
) -> Vec<VectorHit> {
    let share = live.share(segment);
    if share.articles == 0 {
        return Vec::new();
    }
    let kernel = Kernel::detect();
    let ef = ef.max(k);
    let walked = match (segment.graph(), strategy) {
        (None, _) | (_, Strategy::Exact) => None,
        (Some(graph), Strategy::Graph) => {
            walk::walk(segment, graph, kernel, query, k, ef, usize::MAX, live)
        }
        (Some(graph), Strategy::Auto) => (!scan_is_cheaper(segment, ef, share))
            .then(|| {
                // A walk that looks at more points than the scan would has
                // lost: it ends there, so it costs no more than twice the scan.
                let cap = share.rows as usize;
                walk::walk(segment, graph, kernel, query, k, ef, cap, live)
            })
            .flatten(),
    };
    let found = walked.unwrap_or_else(|| exact::scan(segment, kernel, query, k, live, share));
    found.into_iter().map(|found| hit(segment, found)).collect()
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
