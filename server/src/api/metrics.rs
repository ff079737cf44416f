use crate::metrics::Seen;
use crate::state::Shared;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// The text form of OpenMetrics, which Prometheus reads.
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /metrics`: never waits for a search.
pub(crate) async fn get(State(state): State<Shared>) -> Response {
    let text = state.metrics.text(&Seen {
        load: state.pool.load(),
        queries: state.query_counts(),
        enrichment: state.enrichment_counts(),
    });
    ([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "no-store")], text).into_response()
}
