use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;

/// A request body as it arrived, or why it did not.
pub(crate) type Arrived = Result<Bytes, BytesRejection>;

/// Reads a JSON body.
///
/// # Errors
///
/// 415 for another content type, 413 for a body over the limit, 400 for what
/// is not JSON or has not the shape, with line, column and path.
pub(crate) fn read<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: Arrived,
    limit: usize,
) -> Result<T, ApiError> {
    if !is_json(headers) {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "send the search as JSON, with content-type: application/json",
        ));
    }
    let body = body.map_err(|rejection| rejected(rejection, limit))?;
    let mut reader = serde_json::Deserializer::from_slice(&body);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let field = Some(path).filter(|path| path != ".");
        invalid_json(error.inner(), field)
    })?;
    reader.end().map_err(|error| invalid_json(&error, None))?;
    // serde takes an array for a struct, its fields in order: nobody means that.
    if body.trim_ascii_start().first() == Some(&b'[') {
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "invalid_parameter",
            "the search is not understood: send an object, not an array",
        ));
    }
    Ok(value)
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn rejected(rejection: BytesRejection, limit: usize) -> ApiError {
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

/// serde_json's messages end in line and column.
fn invalid_json(error: &serde_json::Error, field: Option<String>) -> ApiError {
    let (code, what) = if error.is_data() {
        ("invalid_parameter", "the search is not understood")
    } else {
        ("invalid_json", "the body is not JSON")
    };
    ApiError {
        field,
        ..ApiError::new(StatusCode::BAD_REQUEST, code, format!("{what}: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::query::QueryRequest;

    fn parse(body: &'static str) -> Result<QueryRequest, ApiError> {
        let headers = HeaderMap::from_iter([(
            CONTENT_TYPE,
            "Application/JSON; charset=utf-8".parse().unwrap(),
        )]);
        read(&headers, Ok(Bytes::from_static(body.as_bytes())), 100)
    }

    #[test]
    fn a_whole_request_is_read() {
        let request = parse(r#"{"q":"asthma","filter":{"year":{"from":2019}},"explain":true}"#);
        let request = request.unwrap();
        assert_eq!(request.query, "asthma");
        assert!(request.explain);
    }

    #[test]
    fn faults_carry_line_column_and_path() {
        for (body, code, field, place) in [
            ("", "invalid_json", None, "line 1 column 0"),
            (
                "{\n\"q\": asthma}",
                "invalid_json",
                Some("q"),
                "line 2 column 6",
            ),
            ("{\"q\":\"a\"} x", "invalid_json", None, "line 1 column 11"),
            ("[]", "invalid_parameter", None, "an object"),
            (
                r#"{"colour":1}"#,
                "invalid_parameter",
                Some("colour"),
                "line 1",
            ),
            (
                r#"{"filter":{"year":{"from":"x"}}}"#,
                "invalid_parameter",
                Some("filter.year.from"),
                "line 1",
            ),
            (
                r#"{"limit":-1}"#,
                "invalid_parameter",
                Some("limit"),
                "line 1",
            ),
        ] {
            let error = parse(body).unwrap_err();
            assert_eq!(error.status, StatusCode::BAD_REQUEST, "{body}");
            assert_eq!(error.code, code, "{body}: {}", error.message);
            assert_eq!(error.field.as_deref(), field, "{body}: {}", error.message);
            assert!(error.message.contains(place), "{body}: {}", error.message);
        }
    }

    #[test]
    fn another_content_type_is_refused() {
        let error = read::<QueryRequest>(&HeaderMap::new(), Ok(Bytes::new()), 100).unwrap_err();
        assert_eq!(error.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
}
