use super::body::Arrived;
use super::json::{respond, to_json};
use super::request;
use crate::error::ApiError;
use crate::middleware::timing::{SERVER_TIMING, header_value};
use crate::params::{self, OwnNames, Parameters};
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use medsift::searcher::{NO_HEAD, question};

/// `GET /v1/answer?q=…`, with the filters of a search; `limit` says how many
/// articles are read.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    answer(&state, params::of_address(&uri), OwnNames::Flat).await
}

/// `POST /v1/answer` with the same as JSON.
pub(crate) async fn post(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    let parameters = request::posted(&state, &uri, &headers, body)?;
    answer(&state, parameters, OwnNames::Paths).await
}

async fn answer(
    state: &Shared,
    parameters: Parameters,
    names: OwnNames,
) -> Result<Response, ApiError> {
    let request = params::search_request(&parameters)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let query = question(request, searcher.settings())?;
            if !searcher.can_answer() {
                // Not the operator's news, as a missing file would be.
                let no_head = ApiError::new(StatusCode::NOT_FOUND, "no_head", NO_HEAD);
                return Err(no_head);
            }
            let response = searcher.answer(&query)?;
            Ok((to_json(&response)?, response.took))
        })
        .await
        .map_err(|error| params::as_given(&parameters, names, error))?;
    let (json, took) = done.value;
    let timing = header_value(&[
        ("queue", done.waited.as_secs_f64() * 1000.0),
        ("search", took.search_ms),
        ("read", took.read_ms),
    ]);
    let mut response = respond(json);
    response.headers_mut().insert(SERVER_TIMING, timing);
    Ok(response)
}
