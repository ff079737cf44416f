//! Where vectors of queries came from.

use medsift::searcher::QueryCounts;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use std::sync::atomic::Ordering;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Source {
    source: &'static str,
}

/// What the core counted, for Prometheus.
#[derive(Default)]
pub(super) struct QueryMetrics {
    vectors: Family<Source, Counter>,
    batches: Counter,
    encoded: Counter,
    kept: Gauge,
    bytes: Gauge,
}

impl QueryMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "query_vectors",
            "Vectors of queries that searches asked for: kept from before or made for another \
             search (cache), or made for this one (encoder)",
            self.vectors.clone(),
        );
        registry.register(
            "query_batches",
            "Runs of the encoder for queries",
            self.batches.clone(),
        );
        registry.register(
            "query_batched",
            "Queries that these runs encoded",
            self.encoded.clone(),
        );
        registry.register(
            "query_cache_vectors",
            "Vectors of queries that are kept",
            self.kept.clone(),
        );
        registry.register_with_unit(
            "query_cache",
            "Memory of the vectors of queries that are kept",
            Unit::Bytes,
            self.bytes.clone(),
        );
    }

    /// Takes over what was counted so far.
    pub(super) fn set(&self, counts: QueryCounts) {
        let size = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        for (source, count) in [("cache", counts.hits), ("encoder", counts.misses)] {
            let counter = self.vectors.get_or_create(&Source { source });
            counter.inner().store(count, Ordering::Relaxed);
        }
        for (counter, count) in [
            (&self.batches, counts.batches),
            (&self.encoded, counts.encoded),
        ] {
            counter.inner().store(count, Ordering::Relaxed);
        }
        self.kept.set(size(counts.kept));
        self.bytes.set(size(counts.kept_bytes));
    }
}
