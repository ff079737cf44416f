use crate::pool::Load;
use crate::state::Shared;
use axum::Json;
use axum::extract::State;
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

/// `GET /health`: answers without touching index or pool, so it stays quick
/// however busy they are.
pub(crate) async fn get(State(state): State<Shared>) -> Response {
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: state.uptime().as_secs(),
        pool: state.pool.load(),
    };
    ([(CACHE_CONTROL, "no-store")], Json(health)).into_response()
}
