//! The graph of a segment: a hierarchical navigable small world (Malkov and
//! Yashunin, arXiv:1603.09320) in flat arrays.
//!
//! **Ids.** On level 0 a point is its row. The points of the levels above are
//! numbered by **rank**: they are the first points in order of insertion, which
//! is by falling level, so those that reach level `l` are the ranks below
//! `counts[l]`, and rank 0 is the entry.
//!
//! **Lists.** Every list of neighbours has a fixed number of places, `2 m` on
//! level 0 and `m` above; what is not used holds [`NONE`]. A list ends at the
//! first id that is not below the level's count, which makes a damaged id end a
//! list instead of leading astray.
//!
//! **Twins.** Rows with bit-equal vectors (titles such as "Reply" are frequent)
//! would fill each other's lists and cut themselves off. Only the first of them
//! is a point; the others stand in a list of pairs and are found through it.

mod beam;
mod build;
mod file;
mod insert;
mod order;
mod score;
mod select;
#[cfg(test)]
mod tests;
mod twins;
mod visited;

pub(super) use beam::{Beam, Collect, Outcome};
pub(super) use build::build;
pub(super) use file::MappedGraph;
pub(super) use visited::Scratch;

use super::kernels::Kernel;
use super::passages::Passages;
use super::score::Scored;
use crate::error::{Error, Result};
use score::score_points;
use std::path::Path;

/// Marks an unused place in a list.
pub(super) const NONE: u32 = u32::MAX;
/// Levels a graph may have; a level more is reached by one point in `m`.
pub(super) const MAX_LEVELS: usize = 16;

/// A graph's arrays, wherever they are: being built, or mapped.
#[derive(Debug, Clone, Copy)]
pub(super) struct GraphView<'a> {
    /// Connections per level above 0.
    pub(super) m: usize,
    /// Points on each level; `counts[0]` is the number of rows, twins included.
    pub(super) counts: &'a [u32; MAX_LEVELS],
    /// Row of each rank.
    pub(super) ranks: &'a [u32],
    /// Lists of level 0, by row.
    pub(super) base: &'a [u32],
    /// Lists of the levels above, one level after the other, by rank.
    pub(super) upper: &'a [u32],
    /// Row of a point and row of its twin, in turn; sorted.
    pub(super) twins: &'a [u32],
}

impl<'a> GraphView<'a> {
    /// Number of levels.
    pub(super) fn levels(&self) -> usize {
        self.counts.iter().take_while(|count| **count > 0).count()
    }

    /// Places in a list of a level.
    #[inline]
    pub(super) fn width(&self, level: usize) -> usize {
        if level == 0 { 2 * self.m } else { self.m }
    }

    /// Where a level's lists begin in `upper`.
    fn level_start(&self, level: usize) -> usize {
        let before = self.counts[1..level].iter();
        before.map(|count| *count as usize * self.m).sum()
    }

    /// The lists of a level, by id.
    #[inline]
    pub(super) fn lists(&self, level: usize) -> Lists<'a> {
        let width = self.width(level);
        let count = self.counts[level];
        let lists = if level == 0 {
            self.base
        } else {
            let start = self.level_start(level);
            &self.upper[start..start + count as usize * width]
        };
        Lists {
            lists,
            width,
            count,
        }
    }

    /// The row of a point on a level.
    #[inline]
    pub(super) fn row(&self, level: usize, id: u32) -> u32 {
        if level == 0 {
            id
        } else {
            self.ranks[id as usize]
        }
    }

    /// The id on a level of the point with a rank.
    pub(super) fn down(&self, level: usize, rank: u32) -> u32 {
        if level == 0 { self.row(1, rank) } else { rank }
    }

    /// The rows whose vectors equal that of a point.
    #[inline]
    pub(super) fn twins_of(&self, row: u32) -> impl Iterator<Item = u32> + 'a {
        let (pairs, _) = self.twins.as_chunks::<2>();
        let start = pairs.partition_point(|pair| pair[0] < row);
        let own = pairs[start..].iter().take_while(move |pair| pair[0] == row);
        own.map(|pair| pair[1])
    }

    /// Walks from the entry down to a level, always to the nearest neighbour;
    /// gives the id to begin with on that level, or nothing if there are no
    /// points.
    pub(super) fn descend(
        &self,
        kernel: Kernel,
        passages: &Passages,
        query: &[f32],
        to_level: usize,
    ) -> Option<u32> {
        let top = self.levels().checked_sub(1)?;
        // A graph of one level has its entry in the ranks as well.
        let mut rank = 0u32;
        let row_of = |rank: u32| self.ranks[rank as usize];
        // Only a damaged file has ranks that lead nowhere.
        let is_sound = |rank: &u32| {
            let row = self.ranks.get(*rank as usize);
            row.is_some_and(|row| *row < passages.len())
        };
        if !is_sound(&rank) {
            return None;
        }
        let mut best = Scored::new(kernel.dot(query, passages.vector(row_of(rank))), rank);
        let mut near = Vec::with_capacity(self.m);
        for level in (to_level.max(1)..=top).rev() {
            let lists = self.lists(level);
            loop {
                near.clear();
                near.extend(lists.of(rank).filter(is_sound));
                score_points(kernel, passages, query, &near, row_of, |point| {
                    best = best.max(point);
                });
                if best.id() == rank {
                    break;
                }
                rank = best.id();
            }
        }
        Some(self.down(to_level, rank))
    }

    /// Checks every id, and that no point is its own neighbour.
    pub(super) fn verify(&self, path: &Path) -> Result<()> {
        let wrong = |what| Err(Error::corrupt(path, what));
        let rows = self.counts[0];
        for level in 0..self.levels() {
            let lists = self.lists(level);
            for id in 0..lists.count {
                let (own, rest) = lists.split(id);
                if own.contains(&id) || rest.iter().any(|id| *id != NONE) {
                    return wrong("a list of neighbours is malformed");
                }
            }
        }
        if self.ranks.iter().any(|row| *row >= rows) {
            return wrong("a point's row lies beyond the end");
        }
        let (pairs, _) = self.twins.as_chunks::<2>();
        if pairs
            .iter()
            .any(|pair| pair[0] >= pair[1] || pair[1] >= rows)
            || pairs.windows(2).any(|pair| pair[0] >= pair[1])
        {
            return wrong("its list of equal vectors is malformed");
        }
        Ok(())
    }
}

/// The neighbour lists of one level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists<'a> {
    lists: &'a [u32],
    width: usize,
    count: u32,
}

impl<'a> Lists<'a> {
    /// The neighbours of a point; none for an id that is not on the level.
    #[inline]
    pub(super) fn of(&self, id: u32) -> impl Iterator<Item = u32> + use<'a> {
        let count = self.count;
        let places = self.places(id).iter().copied();
        places.take_while(move |id| *id < count)
    }

    /// All places of a point's list; none for an id beyond the arrays.
    #[inline]
    pub(super) fn places(&self, id: u32) -> &'a [u32] {
        let start = id as usize * self.width;
        self.lists
            .get(start..start + self.width)
            .unwrap_or_default()
    }

    /// The neighbours of a point, and its unused places.
    fn split(&self, id: u32) -> (&'a [u32], &'a [u32]) {
        let places = self.places(id);
        places.split_at(self.of(id).count())
    }
}
