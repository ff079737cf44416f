use super::body::Arrived;
use super::json::{respond, to_json};
use super::request;
use crate::error::ApiError;
use crate::middleware::timing::SERVER_TIMING;
use crate::params::{self, OwnNames, Parameters};
use crate::search::search;
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

/// `GET /v1/search?q=…`.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    answer(&state, params::of_address(&uri), OwnNames::Flat).await
}

/// `POST /v1/search` with a request as JSON.
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
    let answer = search(state, request, |_, _, found| to_json(found))
        .await
        .map_err(|error| params::as_given(&parameters, names, error))?;
    let timing = answer.server_timing();
    let mut response = respond(answer.value);
    response.headers_mut().insert(SERVER_TIMING, timing);
    Ok(response)
}
