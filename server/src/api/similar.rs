use super::articles::{IdInPath, read_id};
use super::asked::Asked;
use super::json::{respond, to_json};
use crate::error::ApiError;
use crate::params;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;

/// `/v1/articles/{id}/similar`: the nearest articles by their own vectors.
pub(crate) async fn answer(
    State(state): State<Shared>,
    id: IdInPath,
    asked: Asked,
) -> Result<Response, ApiError> {
    let id = read_id(id)?;
    params::check(&asked.parameters, &["limit"], true)?;
    let filter = params::filter(&asked.parameters)?;
    let limit = params::limit(&asked.parameters)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let found = searcher.similar(&id, &filter, limit)?;
            to_json(&found.ok_or_else(|| ApiError::no_article(id.as_str()))?)
        })
        .await
        .map_err(|error| asked.in_its_names(error))?;
    Ok(respond(done.value))
}
