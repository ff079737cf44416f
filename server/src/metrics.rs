//! What the server counts and times, for Prometheus.

mod enrichment;
mod queries;

use crate::pool::Load;
use enrichment::EnrichmentMetrics;
use medsift::enrich::EnrichmentCounts;
use medsift::searcher::QueryCounts;
use medsift::trace::Stages;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use queries::QueryMetrics;
use std::time::Duration;

/// Bounds of the histograms in seconds: from what a cached answer takes to what
/// a request may take at all.
const BOUNDS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// A kind of request and how it was answered. The route is that of the table of
/// routes, never what a client sent: the number of series stays bounded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: String,
    status: u16,
}

/// A kind of request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

/// A part of a job.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Stage {
    stage: &'static str,
}

type Times<L> = Family<L, Histogram, fn() -> Histogram>;

/// Counters, times and gauges of one server.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Times<Route>,
    stages: Times<Stage>,
    threads: Gauge,
    running: Gauge,
    waiting: Gauge,
    generation: Gauge,
    queries: QueryMetrics,
    enrichment: EnrichmentMetrics,
}

/// What others count, at the moment when somebody asks.
pub(crate) struct Seen {
    pub(crate) load: Load,
    pub(crate) queries: QueryCounts,
    pub(crate) enrichment: EnrichmentCounts,
}

fn histogram() -> Histogram {
    Histogram::new(BOUNDS)
}

impl Metrics {
    /// Nothing counted yet.
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("medsift");
        let metrics = Self {
            requests: Family::default(),
            seconds: Family::new_with_constructor(histogram),
            stages: Family::new_with_constructor(histogram),
            threads: Gauge::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            generation: Gauge::default(),
            queries: QueryMetrics::default(),
            enrichment: EnrichmentMetrics::default(),
            registry: Registry::default(),
        };
        registry.register(
            "http_requests",
            "Requests answered",
            metrics.requests.clone(),
        );
        registry.register_with_unit(
            "http_request_duration",
            "Time from a request to its answer",
            Unit::Seconds,
            metrics.seconds.clone(),
        );
        registry.register_with_unit(
            "search_stage_duration",
            "Time of each stage of what runs in the pool: waiting for its turn, encoding, \
             retrieval, fetching articles, enrichment, reading for an answer, choosing passages",
            Unit::Seconds,
            metrics.stages.clone(),
        );
        registry.register(
            "pool_threads",
            "Searches that may run at once",
            metrics.threads.clone(),
        );
        registry.register("pool_running", "Searches that run", metrics.running.clone());
        registry.register(
            "pool_waiting",
            "Searches that wait",
            metrics.waiting.clone(),
        );
        registry.register(
            "index_generation",
            "Commit of the index that the newest search saw",
            metrics.generation.clone(),
        );
        metrics.queries.register(&mut registry);
        metrics.enrichment.register(&mut registry);
        Self {
            registry,
            ..metrics
        }
    }

    /// A request was answered.
    pub(crate) fn answered(&self, method: &'static str, route: &str, status: u16, time: Duration) {
        let labels = Answered {
            method,
            route: route.to_owned(),
            status,
        };
        self.requests.get_or_create(&labels).inc();
        let labels = Route {
            route: route.to_owned(),
        };
        self.seconds
            .get_or_create(&labels)
            .observe(time.as_secs_f64());
    }

    /// A job came to its end, in time or not.
    pub(crate) fn ran(&self, waited: Duration, stages: &Stages) {
        for &(stage, took) in [("queue", waited)].iter().chain(stages) {
            let times = self.stages.get_or_create(&Stage { stage });
            times.observe(took.as_secs_f64());
        }
    }

    /// A job saw this commit of the index.
    pub(crate) fn saw(&self, generation: u64) {
        self.generation
            .set(i64::try_from(generation).unwrap_or(i64::MAX));
    }

    /// All of it in the text form of OpenMetrics 1.0.
    pub(crate) fn text(&self, seen: &Seen) -> String {
        let Seen { load, .. } = seen;
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        self.threads.set(count(load.threads));
        self.running.set(count(load.running));
        self.waiting.set(count(load.waiting));
        self.queries.set(seen.queries);
        self.enrichment.set(seen.enrichment);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_stands_in_the_text() {
        let metrics = Metrics::new();
        metrics.answered("GET", "/v1/search", 200, Duration::from_millis(7));
        metrics.answered("GET", "/v1/search", 200, Duration::from_millis(70));
        metrics.answered("POST", "unmatched", 404, Duration::ZERO);
        let stages = vec![("encode", Duration::from_millis(3))];
        metrics.ran(Duration::from_millis(2), &stages);
        metrics.ran(Duration::from_millis(2), &Stages::new());
        metrics.saw(5);
        let load = Load {
            threads: 2,
            running: 1,
            waiting: 4,
        };
        let queries = QueryCounts {
            hits: 3,
            misses: 2,
            batches: 1,
            encoded: 2,
            kept: 2,
            kept_bytes: 4096,
        };
        let enrichment = EnrichmentCounts { hits: 8, misses: 9 };
        let text = metrics.text(&Seen {
            load,
            queries,
            enrichment,
        });
        for line in [
            r#"medsift_http_requests_total{method="GET",route="/v1/search",status="200"} 2"#,
            r#"medsift_http_requests_total{method="POST",route="unmatched",status="404"} 1"#,
            r#"medsift_http_request_duration_seconds_bucket{le="0.01",route="/v1/search"} 1"#,
            r#"medsift_http_request_duration_seconds_count{route="/v1/search"} 2"#,
            r#"medsift_search_stage_duration_seconds_sum{stage="encode"} 0.003"#,
            r#"medsift_search_stage_duration_seconds_count{stage="queue"} 2"#,
            r#"medsift_enrichment_articles_total{cache="hit"} 8"#,
            r#"medsift_enrichment_articles_total{cache="miss"} 9"#,
            "medsift_pool_waiting 4",
            "medsift_index_generation 5",
            r#"medsift_query_vectors_total{source="cache"} 3"#,
            r#"medsift_query_vectors_total{source="encoder"} 2"#,
            "medsift_query_batches_total 1",
            "medsift_query_batched_total 2",
            "medsift_query_cache_bytes 4096",
            "# EOF",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
        }
    }
}
