use super::asked::Asked;
use super::json::{respond_timed, to_json};
use crate::error::ApiError;
use crate::params;
use crate::search::search;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;

/// `/v1/search`: a page of hits.
pub(crate) async fn answer(
    State(state): State<Shared>,
    asked: Asked,
) -> Result<Response, ApiError> {
    let request = params::search_request(&asked.parameters)?;
    let answer = search(
        &state,
        request,
        |_, query| Ok(query),
        |_, _, found| to_json(found),
    )
    .await
    .map_err(|error| asked.in_its_names(error))?;
    let timing = answer.server_timing();
    Ok(respond_timed(answer.value, timing))
}
