//! How often the findings of articles were at hand.

use std::sync::atomic::{AtomicU64, Ordering};

/// Articles whose findings were asked for, by whether they were at hand. Those
/// that the index holds are not among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EnrichmentCounts {
    /// Articles whose findings were kept from earlier searches.
    pub hits: u64,
    /// Articles that had to be read, or would have been had there been time.
    pub misses: u64,
}

/// [`EnrichmentCounts`] that grow.
#[derive(Debug, Default)]
pub(super) struct Counters {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Counters {
    pub(super) fn add(&self, hits: usize, misses: usize) {
        self.hits.fetch_add(hits as u64, Ordering::Relaxed);
        self.misses.fetch_add(misses as u64, Ordering::Relaxed);
    }

    pub(super) fn so_far(&self) -> EnrichmentCounts {
        EnrichmentCounts {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
        }
    }
}
