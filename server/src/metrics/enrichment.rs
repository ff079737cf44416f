//! Whether findings of articles were at hand.

use medsift::enrich::EnrichmentCounts;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use std::sync::atomic::Ordering;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Cache {
    cache: &'static str,
}

/// What the core counted, for Prometheus.
#[derive(Default)]
pub(super) struct EnrichmentMetrics {
    articles: Family<Cache, Counter>,
}

impl EnrichmentMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "enrichment_articles",
            "Articles whose findings were asked for and which the index does not hold: kept from \
             earlier searches (hit), or to be read (miss)",
            self.articles.clone(),
        );
    }

    /// Takes over what was counted so far.
    pub(super) fn set(&self, counts: EnrichmentCounts) {
        for (cache, count) in [("hit", counts.hits), ("miss", counts.misses)] {
            let counter = self.articles.get_or_create(&Cache { cache });
            counter.inner().store(count, Ordering::Relaxed);
        }
    }
}
