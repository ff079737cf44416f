//! Builds a graph, in parallel and yet always the same.
//!
//! Points are inserted in batches that grow with the graph. All points of a
//! batch look for their neighbours in the graph as it was before, so their
//! searches are independent; then the links are entered list by list. Nothing
//! depends on the number of threads or on their timing, and no lock is needed.
//! (Batches that double: Dobson et al., ParlayANN, arXiv:2305.04359.)

use super::insert::{Inserter, Link};
use super::order::Order;
use super::{GraphView, MAX_LEVELS, NONE, Scratch, twins};
use crate::vector::kernels::Kernel;
use crate::vector::passages::Passages;
use crate::vector::segment::SegmentParams;
use rayon::prelude::*;

/// A batch is this fraction of the points that are already there. Points of a
/// batch do not see each other: the larger it is, the more links are missed.
const BATCH_FRACTION: usize = 32;
/// Points of a batch at most: bounds the memory for links.
const BATCH_MOST: usize = 1 << 14;

/// A graph in memory.
#[derive(Debug)]
pub(in crate::vector) struct Graph {
    pub(super) m: usize,
    pub(super) ef_construction: usize,
    pub(super) seed: u64,
    pub(super) counts: [u32; MAX_LEVELS],
    pub(super) ranks: Vec<u32>,
    pub(super) base: Vec<u32>,
    pub(super) upper: Vec<u32>,
    pub(super) twins: Vec<[u32; 2]>,
}

impl Graph {
    /// Its arrays.
    pub(in crate::vector) fn view(&self) -> GraphView<'_> {
        GraphView {
            m: self.m,
            counts: &self.counts,
            ranks: &self.ranks,
            base: &self.base,
            upper: &self.upper,
            twins: self.twins.as_flattened(),
        }
    }

    /// The places of a point's list on a level.
    fn places(&mut self, level: usize, id: u32) -> &mut [u32] {
        let (width, start) = {
            let view = self.view();
            let width = view.width(level);
            let start = if level == 0 {
                0
            } else {
                view.level_start(level)
            };
            (width, start + id as usize * width)
        };
        let lists = if level == 0 {
            &mut self.base
        } else {
            &mut self.upper
        };
        &mut lists[start..start + width]
    }

    fn set(&mut self, level: usize, id: u32, neighbours: impl Iterator<Item = u32>) {
        let places = self.places(level, id);
        places.fill(NONE);
        for (place, neighbour) in places.iter_mut().zip(neighbours) {
            *place = neighbour;
        }
    }
}

/// Builds the graph of passages on the rayon pool of the caller; `progress` is
/// told the points done and all.
pub(in crate::vector) fn build(
    passages: &Passages,
    params: &SegmentParams,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Graph {
    let (mut graph, order) = empty(passages, params);
    let all = order.len();
    let kernel = Kernel::detect();
    let mut done = 0;
    while done < all {
        let size = (done / BATCH_FRACTION).clamp(1, BATCH_MOST).min(all - done);
        let batch = done..done + size;
        let inserter = Inserter {
            graph: &graph,
            passages,
            kernel,
            order: &order,
        };
        let found: Vec<Vec<Link>> = batch
            .clone()
            .into_par_iter()
            .with_min_len(4)
            .map_init(Scratch::default, |scratch, place| {
                inserter.neighbours(place, scratch)
            })
            .collect();
        enter(
            &mut graph,
            passages,
            kernel,
            found.into_iter().flatten().collect(),
        );
        done = batch.end;
        progress(done as u64, all as u64);
    }
    graph
}

/// The graph without links, and the points in order of insertion.
fn empty(passages: &Passages, params: &SegmentParams) -> (Graph, Vec<u32>) {
    let twins = twins::find(passages);
    let mut is_twin = vec![false; passages.len() as usize];
    for [_, twin] in &twins {
        is_twin[*twin as usize] = true;
    }
    let points = (0..passages.len()).filter(|row| !is_twin[*row as usize]);
    let Order { rows, mut counts } = Order::draw(points, params.m, params.seed);
    counts[0] = passages.len();
    // The entry has a rank even where there is nothing but level 0.
    let ranks = rows[..rows.len().min(counts[1].max(1) as usize)].to_vec();
    let upper: usize = counts[1..]
        .iter()
        .map(|count| *count as usize * params.m)
        .sum();
    let graph = Graph {
        m: params.m,
        ef_construction: params.ef_construction,
        seed: params.seed,
        counts,
        ranks,
        base: vec![NONE; passages.len() as usize * 2 * params.m],
        upper: vec![NONE; upper],
        twins,
    };
    (graph, rows)
}

/// Enters links both ways.
fn enter(graph: &mut Graph, passages: &Passages, kernel: Kernel, mut links: Vec<Link>) {
    for own in links.chunk_by(|a, b| (a.level, a.from) == (b.level, b.from)) {
        let neighbours = own.iter().map(|link| link.to.id());
        graph.set(own[0].level.into(), own[0].from, neighbours);
    }
    links.par_sort_unstable_by_key(Link::by_target);
    let groups: Vec<&[Link]> = links
        .chunk_by(|a, b| (a.level, a.to.id()) == (b.level, b.to.id()))
        .collect();
    let shared = &*graph;
    let lists: Vec<Vec<u32>> = groups
        .par_iter()
        .with_min_len(16)
        .map(|group| super::insert::joined(shared.view(), passages, kernel, group))
        .collect();
    for (group, list) in groups.iter().zip(lists) {
        graph.set(group[0].level.into(), group[0].to.id(), list.into_iter());
    }
}
