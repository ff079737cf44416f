use super::tree::Json;
use crate::error::ApiError;
use crate::params;
use crate::state::Shared;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::IntoResponse;
use serde::de::Deserialize;

/// A request body as it arrived, or why it did not.
pub(crate) type Arrived = Result<Bytes, BytesRejection>;

/// The JSON body of a request that says nothing in its address.
///
/// # Errors
///
/// Parameters in the address; and as [`read`].
pub(super) fn posted(
    state: &Shared,
    uri: &Uri,
    headers: &HeaderMap,
    body: Arrived,
) -> Result<Json, ApiError> {
    params::refuse_all(uri)?;
    read(headers, body, state.config.body_limit_bytes)
}

/// Reads a JSON body.
///
/// # Errors
///
/// 415 for another content type, 413 for a body over the limit, 400 for what
/// is not JSON, with line and column.
pub(crate) fn read(headers: &HeaderMap, body: Arrived, limit: usize) -> Result<Json, ApiError> {
    if !is_json(headers) {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "send the search as JSON, with content-type: application/json",
        ));
    }
    let body = body.map_err(|rejection| rejected(rejection, limit))?;
    let mut reader = serde_json::Deserializer::from_slice(&body);
    let value = Json::deserialize(&mut reader).map_err(|error| not_json(&error))?;
    reader.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

pub(crate) fn rejected(rejection: BytesRejection, limit: usize) -> ApiError {
    if rejection.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE {
        ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            format!("the body is larger than {limit} bytes"),
        )
    } else {
        ApiError::new(
            StatusCode::BAD_REQUEST,
            "unreadable_body",
            "the body broke off",
        )
    }
}

/// In our own words: the reader's speak of its insides.
fn not_json(error: &serde_json::Error) -> ApiError {
    let what = if error.is_eof() {
        "it ends too early"
    } else {
        "it goes wrong"
    };
    ApiError::new(
        StatusCode::BAD_REQUEST,
        "invalid_json",
        format!(
            "the body is not JSON: {what} at line {}, column {}",
            error.line(),
            error.column()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &'static str) -> Result<Json, ApiError> {
        let headers = HeaderMap::from_iter([(
            CONTENT_TYPE,
            "Application/JSON; charset=utf-8".parse().unwrap(),
        )]);
        read(&headers, Ok(Bytes::from_static(body.as_bytes())), 100)
    }

    #[test]
    fn faults_of_the_text_carry_line_and_column() {
        for (body, place) in [
            ("", "ends too early at line 1, column 0"),
            ("{\n\"q\": asthma}", "goes wrong at line 2, column 6"),
            ("{\"q\":\"a\"} x", "goes wrong at line 1, column 11"),
            ("{\"q\":\"a\"", "ends too early at line 1, column 8"),
        ] {
            let error = parse(body).unwrap_err();
            assert_eq!(error.status, StatusCode::BAD_REQUEST, "{body}");
            assert_eq!(error.code, "invalid_json", "{body}");
            assert!(error.message.contains(place), "{body}: {}", error.message);
        }
    }

    #[test]
    fn depth_without_end_is_refused() {
        let deep = "[".repeat(100_000).leak();
        assert_eq!(parse(deep).unwrap_err().code, "invalid_json");
    }

    #[test]
    fn another_content_type_is_refused() {
        let error = read(&HeaderMap::new(), Ok(Bytes::new()), 100).unwrap_err();
        assert_eq!(error.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
}
