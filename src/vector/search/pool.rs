//! The best articles that a walk came by.

use super::Live;
use crate::vector::graph::{Collect, GraphView};
use crate::vector::passages::Passages;
use crate::vector::score::Scored;

/// Holds the best passage of each of the best live articles.
///
/// The width counts articles, not passages: an article with many near passages
/// takes one place. Sorted arrays are used, since for widths of some hundreds
/// moving a few cache lines is faster than a heap, and finding an article among
/// the keys is a linear pass over one array.
pub(super) struct ArticlePool<'a> {
    graph: GraphView<'a>,
    passages: &'a Passages,
    live: Live<'a>,
    /// Whether every article is live.
    all: bool,
    /// Whether no article can come twice.
    single: bool,
    width: usize,
    /// Best first.
    best: Vec<Scored>,
    /// The articles of `best`, in the same order; empty where none can come
    /// twice.
    keys: Vec<u32>,
}

impl<'a> ArticlePool<'a> {
    pub(super) fn new(
        graph: GraphView<'a>,
        passages: &'a Passages,
        live: Live<'a>,
        all: bool,
        single: bool,
        width: usize,
    ) -> Self {
        let room = width.min(1 << 16) + 1;
        Self {
            graph,
            passages,
            live,
            all,
            single,
            width,
            best: Vec::with_capacity(room),
            keys: Vec::with_capacity(if single { 0 } else { room }),
        }
    }

    /// Whether as many articles were found as there was room for.
    pub(super) fn is_full(&self) -> bool {
        self.best.len() >= self.width
    }

    /// Best first.
    pub(super) fn into_best(self) -> Vec<Scored> {
        self.best
    }

    #[inline]
    fn add(&mut self, point: Scored) {
        // Where every article is live and none comes twice, looking the key up
        // would be a cache miss for nothing.
        if self.all && self.single {
            return self.insert(point, None);
        }
        let key = self.passages.key(point.id());
        if !self.all && !self.live.contains(key) {
            return;
        }
        if self.single {
            return self.insert(point, None);
        }
        if let Some(at) = self.keys.iter().position(|other| *other == key) {
            if self.best[at] >= point {
                return;
            }
            self.best.remove(at);
            self.keys.remove(at);
        }
        self.insert(point, Some(key));
    }

    /// Puts a point in its place, and pushes the worst out where there is no
    /// room.
    #[inline]
    fn insert(&mut self, point: Scored, key: Option<u32>) {
        let at = self.best.partition_point(|other| *other > point);
        if at == self.width {
            return;
        }
        if self.is_full() {
            self.best.pop();
            self.keys.pop();
        }
        self.best.insert(at, point);
        if let Some(key) = key {
            self.keys.insert(at, key);
        }
    }
}

impl Collect for ArticlePool<'_> {
    #[inline]
    fn floor(&self) -> Scored {
        match self.best.last() {
            Some(worst) if self.is_full() => *worst,
            _ => Scored::LEAST,
        }
    }

    #[inline]
    fn offer(&mut self, point: Scored) {
        self.add(point);
        if !self.graph.twins.is_empty() {
            for twin in self.graph.twins_of(point.id()) {
                if twin < self.passages.len() {
                    self.add(Scored::new(point.score(), twin));
                }
            }
        }
    }
}
