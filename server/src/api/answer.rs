use super::asked::Asked;
use super::json::{respond_timed, to_json};
use crate::error::ApiError;
use crate::middleware::timing::header_value;
use crate::params;
use crate::state::Shared;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use medsift::query::QueryRequest;
use medsift::searcher::{AnswerResponse, NO_HEAD, Searcher, question};

/// `/v1/answer`: answers out of articles, with the filters of a search; `limit`
/// says how many are read.
pub(crate) async fn answer(
    State(state): State<Shared>,
    asked: Asked,
) -> Result<Response, ApiError> {
    let request = params::search_request(&asked.parameters)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let response = read(searcher, request)?;
            Ok((to_json(&response)?, response.took))
        })
        .await
        .map_err(|error| asked.in_its_names(error))?;
    let (json, took) = done.value;
    let timing = header_value(&[
        ("queue", done.waited.as_secs_f64() * 1000.0),
        ("search", took.search_ms),
        ("read", took.read_ms),
    ]);
    Ok(respond_timed(json, timing))
}

/// Reads articles for an answer, where the model has a head for it.
pub(crate) fn read(searcher: &Searcher, request: QueryRequest) -> Result<AnswerResponse, ApiError> {
    let query = question(request, searcher.settings())?;
    if !searcher.can_answer() {
        // Not the operator's news, as a missing file would be.
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_head", NO_HEAD));
    }
    Ok(searcher.answer(&query)?)
}
