//! Which address is answered by what.

use crate::api;
use crate::error::ApiError;
use crate::eutils;
use crate::mcp;
#[cfg(feature = "otel")]
use crate::middleware::trace;
use crate::middleware::{cors, guard, log, measure, request_id, security, timing};
use crate::openapi;
use crate::page;
use crate::state::Shared;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::handler::Handler;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use std::sync::Arc;
use tower_http::compression::CompressionLayer;

/// An address that programs ask, with the methods that it takes.
pub(crate) struct Described {
    pub(crate) path: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "the description is held to it"))]
    pub(crate) methods: &'static [&'static str],
    answers: MethodRouter<Shared>,
}

/// Every address of the API. Each is described in [`crate::openapi`], which a
/// test sees to.
pub(crate) fn described() -> Vec<Described> {
    vec![
        by_get("/health", api::health::live),
        by_get("/health/live", api::health::live),
        by_get("/health/ready", api::health::ready),
        by_get("/metrics", api::metrics::get),
        by_get("/openapi.json", openapi::get),
        by_either("/v1/search", api::search::answer),
        by_either("/v1/answer", api::answer::answer),
        by_both("/v1/annotate", api::annotate::get, api::annotate::post),
        by_either("/v1/passages", api::passages::answer),
        by_post("/v1/embeddings", api::embed::openai::embeddings),
        by_get("/v1/models", api::embed::openai::models),
        by_post("/embed", api::embed::tei::embed),
        by_post("/rerank", api::embed::rerank::post),
        by_get("/info", api::embed::tei::info),
        by_either("/v1/export", api::export::answer),
        by_either("/v1/suggest", api::suggest::answer),
        by_post("/v1/batch", api::batch::post),
        by_both(
            "/v1/articles",
            api::article_list::get,
            api::article_list::post,
        ),
        by_get("/v1/articles/{id}", api::articles::get),
        by_either("/v1/articles/{id}/similar", api::similar::answer),
        by_get("/v1/stats", api::stats::get),
        by_either("/entrez/eutils/einfo.fcgi", eutils::einfo::answer),
        by_either("/entrez/eutils/esearch.fcgi", eutils::esearch::answer),
        by_either("/entrez/eutils/epost.fcgi", eutils::epost::answer),
        by_either("/entrez/eutils/esummary.fcgi", eutils::esummary::answer),
        by_either("/entrez/eutils/efetch.fcgi", eutils::efetch::answer),
        by_either("/entrez/eutils/elink.fcgi", eutils::elink::answer),
    ]
}

/// One handler for both, which reads address and body alike.
fn by_either<T: 'static>(path: &'static str, answers: impl Handler<T, Shared>) -> Described {
    by_both(path, answers.clone(), answers)
}

fn by_get<T: 'static>(path: &'static str, answers: impl Handler<T, Shared>) -> Described {
    Described {
        path,
        methods: &["get"],
        answers: get(answers),
    }
}

fn by_post<T: 'static>(path: &'static str, answers: impl Handler<T, Shared>) -> Described {
    Described {
        path,
        methods: &["post"],
        answers: post(answers),
    }
}

fn by_both<T: 'static, U: 'static>(
    path: &'static str,
    by_get: impl Handler<T, Shared>,
    by_post: impl Handler<U, Shared>,
) -> Described {
    Described {
        path,
        methods: &["get", "post"],
        answers: get(by_get).post(by_post),
    }
}

/// Every route with everything around it; the last layer is the outermost.
pub(crate) fn router(state: Shared) -> Router {
    let body_limit = state.config.body_limit_bytes;
    let api = described().into_iter().fold(Router::new(), |router, one| {
        router.route(one.path, one.answers)
    });
    let router = api
        .route_service("/mcp", mcp::over_http(&state))
        .route("/", get(page::search::get))
        .route("/api", get(openapi::page::get))
        .route("/articles/{id}", get(page::article::get))
        .route("/assets/{name}", get(page::assets::get))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(body_limit))
        .layer(from_fn_with_state(Arc::clone(&state), guard::admit))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(&state), cors::allow))
        .layer(from_fn(security::set))
        .layer(from_fn_with_state(Arc::clone(&state), measure::requests))
        .layer(from_fn(timing::add_total));
    #[cfg(feature = "otel")]
    let router = router.layer(from_fn(trace::requests));
    router
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
    page::error::for_client(&request, error)
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
    page::error::for_client(&request, error)
}
