use crate::pool::Load;
use crate::state::Shared;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    uptime_seconds: u64,
    pool: Load,
}

#[derive(Serialize)]
struct Readiness {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// `GET /health` and `/health/live`: answers without touching index or pool, so
/// it stays quick however busy they are.
pub(crate) async fn live(State(state): State<Shared>) -> Response {
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: state.uptime().as_secs(),
        pool: state.pool.load(),
    };
    ([(CACHE_CONTROL, "no-store")], Json(health)).into_response()
}

/// `GET /health/ready`: 200 where a search that came now would be taken up, else
/// 503, so that a balancer sends it elsewhere. It never waits for a search.
pub(crate) async fn ready(State(state): State<Shared>) -> Response {
    let reason = if state.pool.is_full() {
        Some("the queue is full")
    } else if !index_opens(&state).await {
        Some("the index cannot be read")
    } else {
        None
    };
    let (code, status) = match reason {
        None => (StatusCode::OK, "ready"),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "not_ready"),
    };
    let body = Json(Readiness { status, reason });
    (code, [(CACHE_CONTROL, "no-store")], body).into_response()
}

/// Whether the newest commit can be opened. Off the threads that answer: it
/// reads files where there is a new one.
async fn index_opens(state: &Shared) -> bool {
    let state = Shared::clone(state);
    let opened = tokio::task::spawn_blocking(move || state.opens().is_ok());
    opened.await.unwrap_or(false)
}
