use crate::error::ApiError;
use crate::middleware::timing::SERVER_TIMING;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use medsift::{Error, ErrorKind};
use serde::Serialize;

/// A value as JSON text; called within a job, since it computes.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(value).map_err(|error| {
        Error::new(
            ErrorKind::Internal,
            format!("cannot write the response as JSON: {error}"),
        )
        .into()
    })
}

/// Answers with JSON text that is made already. What it says holds for one
/// state of the index, so nobody may keep it.
pub(crate) fn respond(json: Vec<u8>) -> Response {
    (
        [
            (CONTENT_TYPE, "application/json"),
            (CACHE_CONTROL, "no-store"),
        ],
        json,
    )
        .into_response()
}

/// The same with where the time went.
pub(crate) fn respond_timed(json: Vec<u8>, timing: HeaderValue) -> Response {
    let mut response = respond(json);
    response.headers_mut().insert(SERVER_TIMING, timing);
    response
}
