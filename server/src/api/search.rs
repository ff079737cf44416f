use super::body::{self, Arrived};
use super::json::{respond, to_json};
use crate::error::ApiError;
use crate::middleware::timing::SERVER_TIMING;
use crate::params;
use crate::search::search;
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use medsift::query::QueryRequest;

/// `GET /v1/search?q=…`.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    let request = params::search_request(&params::pairs(&uri))?;
    answer(&state, request)
        .await
        .map_err(params::name_parameter)
}

/// `POST /v1/search` with a request as JSON.
pub(crate) async fn post(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    params::refuse_all(&uri)?;
    let request = body::read(&headers, body, state.config.body_limit_bytes)?;
    answer(&state, request).await
}

async fn answer(state: &Shared, request: QueryRequest) -> Result<Response, ApiError> {
    let answer = search(state, request, |_, _, found| to_json(found)).await?;
    let timing = answer.server_timing();
    let mut response = respond(answer.value);
    response.headers_mut().insert(SERVER_TIMING, timing);
    Ok(response)
}
