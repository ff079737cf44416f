//! Memory that a walk needs, kept from one walk to the next.

use crate::vector::score::Scored;
use std::collections::BinaryHeap;

/// Which points a walk has seen. Beginning a new walk costs nothing: a point
/// is seen when its stamp is that of the walk.
#[derive(Debug, Default)]
pub(super) struct Visited {
    stamps: Vec<u16>,
    walk: u16,
}

impl Visited {
    /// Forgets all points, and makes room for `points`.
    pub(super) fn begin(&mut self, points: usize) {
        if self.stamps.len() < points {
            self.stamps.resize(points, 0);
        }
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.stamps.fill(0);
            self.walk = 1;
        }
    }

    /// Marks a point; says whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, point: u32) -> bool {
        let stamp = &mut self.stamps[point as usize];
        let new = *stamp != self.walk;
        *stamp = self.walk;
        new
    }
}

/// Working memory of walks on one thread.
#[derive(Debug, Default)]
pub(in crate::vector) struct Scratch {
    pub(super) visited: Visited,
    pub(super) frontier: BinaryHeap<Scored>,
    pub(super) fresh: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::Visited;

    #[test]
    fn stamps_survive_a_wrap() {
        let mut visited = Visited::default();
        for _ in 0..=u32::from(u16::MAX) + 2 {
            visited.begin(2);
            assert!(visited.insert(1));
            assert!(!visited.insert(1));
        }
        visited.begin(5);
        assert!(visited.insert(4) && visited.insert(1) && !visited.insert(4));
    }
}
