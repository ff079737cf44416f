use super::json::{respond, to_json};
use crate::error::ApiError;
use crate::params;
use crate::state::Shared;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

/// `GET /v1/stats`.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    params::refuse_all(&uri)?;
    let done = state
        .with_searcher(|state, searcher| to_json(&*state.stats(searcher)?))
        .await?;
    Ok(respond(done.value))
}
