//! Search through the graph.

use super::Asked;
use super::pool::ArticlePool;
use crate::deadline::Expired;
use crate::vector::graph::{Beam, MappedGraph, Outcome, Scratch};
use crate::vector::kernels::Kernel;
use crate::vector::passages::Passages;
use crate::vector::score::Scored;
use crate::vector::segment::Segment;
use std::cell::RefCell;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The `k` best live articles that a walk `ef` articles wide finds, or nothing
/// when it was capped or ran out of points before its beam was full: only the
/// scan then knows the rest.
pub(super) fn walk(
    segment: &Segment,
    graph: &MappedGraph,
    kernel: Kernel,
    asked: Asked<'_>,
    cap: usize,
) -> Result<Option<Vec<Scored>>, Expired> {
    let Asked {
        query, k, ef, live, ..
    } = asked;
    let (graph, passages) = (graph.view(), segment.passages());
    let single = segment.meta().articles == segment.meta().passages && graph.twins.is_empty();
    let all = live.is_all(segment);
    let Some(entry) = graph.descend(kernel, passages, query, 0) else {
        return Ok(None);
    };
    let mut pool = ArticlePool::new(graph, passages, live, all, single, ef);
    let beam = Beam {
        graph,
        passages,
        kernel,
        deadline: asked.deadline,
    };
    let outcome =
        SCRATCH.with_borrow_mut(|scratch| beam.walk(0, query, [entry], cap, &mut pool, scratch));
    match outcome {
        Outcome::Late => return Err(Expired),
        Outcome::Done if pool.is_full() => {}
        Outcome::Done | Outcome::Capped => return Ok(None),
    }
    let mut best = pool.into_best();
    best.truncate(k);
    if !single {
        for found in &mut best {
            *found = best_passage(passages, kernel, query, *found);
        }
    }
    Ok(Some(best))
}

/// The best passage of an article that was found by one of its passages: the
/// walk need not have come by the others.
fn best_passage(passages: &Passages, kernel: Kernel, query: &[f32], found: Scored) -> Scored {
    let key = passages.key(found.id());
    let own = |row: &u32| passages.key(*row) == key;
    let before = (0..found.id()).rev().take_while(own);
    let after = (found.id() + 1..passages.len()).take_while(own);
    before
        .chain(after)
        .map(|row| Scored::new(kernel.dot(query, passages.vector(row)), row))
        .fold(found, Ord::max)
}
