use super::request_id::RequestId;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;
use tracing::Instrument;

/// One line for each request, and a span around it so that whatever it logs
/// carries its id.
///
/// The query string is left out: it says what people look for.
pub(crate) async fn requests(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.0.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let span = tracing::info_span!("request", %id);
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    async move {
        let response = next.run(request).await;
        tracing::info!(
            %method,
            %path,
            status = response.status().as_u16(),
            ms = start.elapsed().as_millis() as u64,
            "answered"
        );
        response
    }
    .instrument(span)
    .await
}
