//! The walk on one level: best-first, as wide as its collector asks for.

use super::score::score_points;
use super::{GraphView, Scratch};
use crate::deadline::Deadline;
use crate::vector::kernels::{Kernel, prefetch};
use crate::vector::passages::Passages;
use crate::vector::score::Scored;

/// Takes the points that a walk comes by.
pub(in crate::vector) trait Collect {
    /// What a point must exceed to be of use; [`Scored::LEAST`] while there is
    /// room. The walk goes on only through points that exceed it.
    fn floor(&self) -> Scored;

    /// Offers a point that exceeds the floor.
    fn offer(&mut self, point: Scored);
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::vector) enum Outcome {
    /// Nothing better is reachable.
    Done,
    /// The allowed number of points was looked at before.
    Capped,
    /// Its deadline came before.
    Late,
}

/// Where to walk.
pub(in crate::vector) struct Beam<'a> {
    pub(in crate::vector) graph: GraphView<'a>,
    pub(in crate::vector) passages: &'a Passages,
    pub(in crate::vector) kernel: Kernel,
    pub(in crate::vector) deadline: Deadline,
}

impl Beam<'_> {
    /// Walks a level from some points of it, looking at no more than about
    /// `cap` points.
    pub(in crate::vector) fn walk(
        &self,
        level: usize,
        query: &[f32],
        entries: impl IntoIterator<Item = u32>,
        cap: usize,
        collector: &mut impl Collect,
        scratch: &mut Scratch,
    ) -> Outcome {
        let watch = self.deadline.watch();
        let lists = self.graph.lists(level);
        let Scratch {
            visited,
            frontier,
            fresh,
        } = scratch;
        visited.begin(lists.count as usize);
        frontier.clear();
        let mut seen = 0;
        fresh.clear();
        fresh.extend(
            entries
                .into_iter()
                .filter(|id| *id < lists.count && visited.insert(*id)),
        );
        loop {
            seen += fresh.len();
            if watch.steps(fresh.len()).is_err() {
                return Outcome::Late;
            }
            // The best point so far is the one whose list is read next.
            let mut nearest = frontier.peek().copied().unwrap_or(Scored::LEAST);
            let row = |id| self.graph.row(level, id);
            score_points(self.kernel, self.passages, query, fresh, row, |point| {
                if point > collector.floor() {
                    if point > nearest {
                        nearest = point;
                        prefetch(lists.places(point.id()));
                    }
                    frontier.push(point);
                    collector.offer(point);
                }
            });
            if seen > cap {
                return Outcome::Capped;
            }
            let Some(next) = frontier.pop().filter(|next| *next > collector.floor()) else {
                return Outcome::Done;
            };
            if let Some(second) = frontier.peek() {
                prefetch(lists.places(second.id()));
            }
            fresh.clear();
            fresh.extend(lists.of(next.id()).filter(|id| visited.insert(*id)));
        }
    }
}
