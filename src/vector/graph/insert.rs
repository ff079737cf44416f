//! Finds the neighbours of a new point, and what its neighbours make of it.

use super::build::Graph;
use super::select::select;
use super::{Beam, Collect, GraphView, Scratch};
use crate::deadline::Deadline;
use crate::vector::kernels::Kernel;
use crate::vector::passages::Passages;
use crate::vector::score::Scored;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A directed link on a level, with the score of its two ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) level: u8,
    /// Id of the new point.
    pub(super) from: u32,
    /// The neighbour.
    pub(super) to: Scored,
}

impl Link {
    /// Orders links by the point they lead to, best first.
    pub(super) fn by_target(&self) -> (u8, u32, Reverse<Scored>) {
        let back = Scored::new(self.to.score(), self.from);
        (self.level, self.to.id(), Reverse(back))
    }
}

/// Looks for neighbours in a graph that is not changed meanwhile.
pub(super) struct Inserter<'a> {
    pub(super) graph: &'a Graph,
    pub(super) passages: &'a Passages,
    pub(super) kernel: Kernel,
    /// Rows in order of insertion.
    pub(super) order: &'a [u32],
}

impl Inserter<'_> {
    /// The links of the point at a place of the order, on each of its levels.
    pub(super) fn neighbours(&self, place: usize, scratch: &mut Scratch) -> Vec<Link> {
        let mut links = Vec::new();
        if place == 0 {
            return links;
        }
        let view = self.graph.view();
        let row = self.order[place];
        let query = self.passages.vector(row);
        let own = view
            .counts
            .iter()
            .skip(1)
            .take_while(|count| place < **count as usize)
            .count();
        let Some(entry) = view.descend(self.kernel, self.passages, query, own) else {
            return links;
        };
        let beam = Beam {
            graph: view,
            passages: self.passages,
            kernel: self.kernel,
            deadline: Deadline::NEVER,
        };
        let mut entries = vec![entry];
        for level in (0..=own).rev() {
            let mut nearest = Nearest::new(self.graph.ef_construction);
            let from = entries.iter().copied();
            beam.walk(level, query, from, usize::MAX, &mut nearest, scratch);
            let candidates = nearest.into_sorted();
            let vector = |id| self.passages.vector(view.row(level, id));
            let candidate = candidates.iter().copied();
            let id = if level == 0 { row } else { place as u32 };
            let chosen = select(self.kernel, candidate, vector, view.m);
            links.extend(chosen.into_iter().map(|to| Link {
                level: level as u8,
                from: id,
                to,
            }));
            if level > 0 {
                entries.clear();
                entries.extend(
                    candidates
                        .iter()
                        .map(|found| view.down(level - 1, found.id())),
                );
            }
        }
        links
    }
}

/// The list of a point after new links to it, best first: what it had and what
/// is new, chosen again where there is not room for all.
pub(super) fn joined(
    view: GraphView<'_>,
    passages: &Passages,
    kernel: Kernel,
    new: &[Link],
) -> Vec<u32> {
    let level = usize::from(new[0].level);
    let id = new[0].to.id();
    let own = passages.vector(view.row(level, id));
    let vector = |id| passages.vector(view.row(level, id));
    let width = view.width(level);
    let had: Vec<u32> = view.lists(level).of(id).collect();
    if had.len() + new.len() <= width {
        let added = new.iter().map(|link| link.from);
        return had.into_iter().chain(added).collect();
    }
    let mut candidates: Vec<Scored> = had
        .into_iter()
        .map(|id| Scored::new(kernel.dot(own, vector(id)), id))
        .chain(
            new.iter()
                .map(|link| Scored::new(link.to.score(), link.from)),
        )
        .collect();
    candidates.sort_unstable_by_key(|candidate| Reverse(*candidate));
    let chosen = select(kernel, candidates.into_iter(), vector, width);
    chosen.into_iter().map(Scored::id).collect()
}

/// The best points that a walk came by.
struct Nearest {
    most: usize,
    /// The worst on top.
    points: BinaryHeap<Reverse<Scored>>,
}

impl Nearest {
    fn new(most: usize) -> Self {
        Self {
            most,
            points: BinaryHeap::with_capacity(most + 1),
        }
    }

    /// Best first.
    fn into_sorted(self) -> Vec<Scored> {
        let points = self.points.into_sorted_vec();
        points.into_iter().map(|Reverse(point)| point).collect()
    }
}

impl Collect for Nearest {
    #[inline]
    fn floor(&self) -> Scored {
        match self.points.peek() {
            Some(Reverse(worst)) if self.points.len() == self.most => *worst,
            _ => Scored::LEAST,
        }
    }

    #[inline]
    fn offer(&mut self, point: Scored) {
        self.points.push(Reverse(point));
        if self.points.len() > self.most {
            self.points.pop();
        }
    }
}
