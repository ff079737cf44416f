use super::measure::known;
use super::request_id::RequestId;
use axum::extract::{MatchedPath, Request};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use medsift::trace::TARGET;
use opentelemetry::global::get_text_map_propagator;
use opentelemetry::propagation::Extractor;
use tracing::Instrument;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// A span around each request, within the trace that its `traceparent` names,
/// in the terms of OpenTelemetry's conventions for HTTP servers.
///
/// As in the log, the query string is left out: it says what people look for.
pub(crate) async fn requests(request: Request, next: Next) -> Response {
    // Never what a client made up: names of spans are few.
    let method = match known(request.method()) {
        "other" => "_OTHER",
        method => method,
    };
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map(MatchedPath::as_str);
    let id = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.0.to_str().ok());
    let span = tracing::debug_span!(
        target: TARGET,
        "http",
        otel.name = route.map_or(method.to_owned(), |route| format!("{method} {route}")),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        url.path = request.uri().path(),
        medsift.request_id = id,
    );
    let caller =
        get_text_map_propagator(|propagator| propagator.extract(&Headers(request.headers())));
    // Refused only where nobody listens to this span.
    let _ = span.set_parent(caller);
    let response = next.run(request).instrument(span.clone()).await;
    let status = response.status();
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    response
}

/// Headers of a request, where propagators look for the trace.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}
