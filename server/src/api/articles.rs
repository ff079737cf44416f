use super::json::{respond, to_json};
use crate::error::ApiError;
use crate::params;
use crate::state::Shared;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use medsift::ArticleId;

/// An id in an address, or why it could not be decoded.
pub(crate) type IdInPath = Result<Path<String>, PathRejection>;

/// `GET /v1/articles/{id}`: everything that is stored. A slash within an id is
/// written `%2F`.
pub(crate) async fn get(
    State(state): State<Shared>,
    uri: Uri,
    id: IdInPath,
) -> Result<Response, ApiError> {
    params::refuse_all(&uri)?;
    let id = read_id(id)?;
    let done = state
        .with_searcher(move |_, searcher| match searcher.article(&id)? {
            Some(stored) => to_json(&stored),
            None => Err(ApiError::no_article(id.as_str())),
        })
        .await?;
    Ok(respond(done.value))
}

/// Checks an id that came in an address.
pub(crate) fn read_id(id: IdInPath) -> Result<ArticleId, ApiError> {
    let Path(text) = id.map_err(|error| bad_id(error.body_text()))?;
    ArticleId::new(&text).map_err(|error| bad_id(error.to_string()))
}

fn bad_id(message: String) -> ApiError {
    ApiError {
        field: Some("id".to_owned()),
        ..ApiError::new(StatusCode::BAD_REQUEST, "invalid_parameter", message)
    }
}
