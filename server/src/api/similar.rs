use super::articles::{IdInPath, read_id};
use super::body::Arrived;
use super::json::{respond, to_json};
use super::request;
use crate::error::ApiError;
use crate::params::{self, OwnNames, Parameters};
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

/// `GET /v1/articles/{id}/similar`: the nearest articles by their own vectors.
pub(crate) async fn get(
    State(state): State<Shared>,
    uri: Uri,
    id: IdInPath,
) -> Result<Response, ApiError> {
    answer(&state, id, params::of_address(&uri), OwnNames::Flat).await
}

/// `POST /v1/articles/{id}/similar` with filters and limit as JSON.
pub(crate) async fn post(
    State(state): State<Shared>,
    uri: Uri,
    id: IdInPath,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    let parameters = request::posted(&state, &uri, &headers, body)?;
    answer(&state, id, parameters, OwnNames::Paths).await
}

async fn answer(
    state: &Shared,
    id: IdInPath,
    parameters: Parameters,
    names: OwnNames,
) -> Result<Response, ApiError> {
    let id = read_id(id)?;
    params::check(&parameters, &["limit"], true)?;
    let filter = params::filter(&parameters)?;
    let limit = params::limit(&parameters)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let found = searcher.similar(&id, &filter, limit)?;
            to_json(&found.ok_or_else(|| ApiError::no_article(id.as_str()))?)
        })
        .await
        .map_err(|error| params::as_given(&parameters, names, error))?;
    Ok(respond(done.value))
}
