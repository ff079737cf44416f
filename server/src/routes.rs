//! Which address is answered by what.

use crate::api;
use crate::error::ApiError;
use crate::middleware::{log, request_id, security, timing};
use crate::page;
use crate::state::Shared;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use axum::http::header::ACCEPT;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::compression::CompressionLayer;

/// Every route with everything around it; the last layer is the outermost.
pub(crate) fn router(state: Shared) -> Router {
    let body_limit = state.config.body_limit_bytes;
    Router::new()
        .route("/health", get(api::health::get))
        .route("/v1/search", get(api::search::get).post(api::search::post))
        .route("/v1/answer", get(api::answer::get).post(api::answer::post))
        .route("/v1/articles/{id}", get(api::articles::get))
        .route("/v1/stats", get(api::stats::get))
        .route("/", get(page::search::get))
        .route("/articles/{id}", get(page::article::get))
        .route("/assets/{name}", get(page::assets::get))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(body_limit))
        .layer(CompressionLayer::new())
        .layer(from_fn(security::set))
        .layer(from_fn(timing::add_total))
        .layer(from_fn(log::requests))
        .layer(from_fn(request_id::set))
        .with_state(state)
}

async fn unknown_path(request: Request) -> Response {
    let path = request.uri().path();
    let error = ApiError::new(
        StatusCode::NOT_FOUND,
        "unknown_path",
        format!("nothing is at {path}"),
    );
    for_client(&request, error)
}

async fn wrong_method(request: Request) -> Response {
    let error = ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "wrong_method",
        format!(
            "{} cannot be used on {}; the allow header lists what can",
            request.method(),
            request.uri().path()
        ),
    );
    for_client(&request, error)
}

/// Programs get JSON, people outside of the API get a page.
fn for_client(request: &Request, error: ApiError) -> Response {
    let accepts_html = request
        .headers()
        .get_all(ACCEPT)
        .iter()
        .any(|value| value.to_str().is_ok_and(|text| text.contains("text/html")));
    if accepts_html && !request.uri().path().starts_with("/v1/") {
        page::error::respond(&error, &Default::default())
    } else {
        error.into_response()
    }
}
