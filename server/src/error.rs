//! What goes wrong, as statuses and as one JSON shape:
//! `{"error": {"code": "…", "message": "…", "field": "…" or null}}`.

use crate::pool::PoolError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use medsift::{Error, ErrorKind};
use serde::Serialize;
use std::time::Duration;

/// Seconds after which a refused client may try again.
const RETRY_AFTER_SECONDS: &str = "1";

/// A request that is answered with an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    /// Stable name that programs may rely on.
    pub(crate) code: &'static str,
    /// For people.
    pub(crate) message: String,
    /// The parameter or the path into the body that is at fault.
    pub(crate) field: Option<String>,
}

#[derive(Serialize)]
struct Body<'a> {
    error: Fields<'a>,
}

#[derive(Serialize)]
struct Fields<'a> {
    code: &'a str,
    message: &'a str,
    field: Option<&'a str>,
}

impl ApiError {
    /// An error without a field.
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            field: None,
        }
    }

    /// A parameter that is not understood.
    pub(crate) fn parameter(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: Some(field.to_owned()),
            ..Self::new(StatusCode::BAD_REQUEST, "invalid_parameter", message)
        }
    }

    /// The one JSON shape.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        // Texts alone: writing them cannot fail.
        serde_json::to_vec(&self.body()).unwrap_or_default()
    }

    fn body(&self) -> Body<'_> {
        Body {
            error: Fields {
                code: self.code,
                message: &self.message,
                field: self.field.as_deref(),
            },
        }
    }

    /// An article that is not in the index.
    pub(crate) fn no_article(id: &str) -> Self {
        Self {
            field: Some("id".to_owned()),
            ..Self::new(
                StatusCode::NOT_FOUND,
                "article_not_found",
                format!("no article {id:?} in this index"),
            )
        }
    }

    /// A job that gave no value within `limit`.
    pub(crate) fn from_pool(error: PoolError, limit: Duration) -> Self {
        match error {
            PoolError::Full => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                format!("too many searches are waiting: try again in {RETRY_AFTER_SECONDS} second"),
            ),
            PoolError::TimedOut => Self::new(
                StatusCode::GATEWAY_TIMEOUT,
                "timeout",
                format!(
                    "the search took longer than {} ms, waiting included: try again, or use \
                     fewer or rarer words, no phrase of frequent words, or a filter",
                    limit.as_millis()
                ),
            ),
            PoolError::Panicked(message) => {
                tracing::error!(%message, "a search panicked");
                Self::internal()
            }
        }
    }

    fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the server failed on this request; its log says more under the request id",
        )
    }
}

/// Statuses and codes of the core's error kinds: the one table.
fn status_of(kind: ErrorKind) -> (StatusCode, &'static str) {
    match kind {
        ErrorKind::InvalidInput => (StatusCode::BAD_REQUEST, "invalid_parameter"),
        ErrorKind::Outdated => (StatusCode::GONE, "cursor_expired"),
        ErrorKind::Locked => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
        ErrorKind::StorageFull => (StatusCode::INSUFFICIENT_STORAGE, "storage_full"),
        // An article that is not there is no error of the core, so what is
        // missing here is a file of the index: the operator's news.
        ErrorKind::NotFound
        | ErrorKind::Corrupt
        | ErrorKind::Incompatible
        | ErrorKind::Permission
        | ErrorKind::Io => (StatusCode::INTERNAL_SERVER_ERROR, "index_unreadable"),
        ErrorKind::TimedOut => (StatusCode::GATEWAY_TIMEOUT, "timeout"),
        ErrorKind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
    }
}

impl From<Error> for ApiError {
    /// The client is told its own faults in full, and that its search took too
    /// long; faults of the index, whose messages name files, go to the log.
    fn from(error: Error) -> Self {
        let (status, code) = status_of(error.kind());
        if status.is_client_error() || error.kind() == ErrorKind::TimedOut {
            return Self {
                status,
                code,
                message: error.to_string(),
                field: error.field().map(str::to_owned),
            };
        }
        tracing::error!(%error, code, "a request failed");
        Self {
            status,
            code,
            ..match code {
                "index_unreadable" => Self::new(
                    status,
                    code,
                    "the index cannot be read; the server's log names the file under the request id",
                ),
                _ => Self::internal(),
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        add_retry_after(&mut response);
        response
    }
}

/// A refusal for want of room says when to come back.
pub(crate) fn add_retry_after(response: &mut Response) {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(
            header::RETRY_AFTER,
            HeaderValue::from_static(RETRY_AFTER_SECONDS),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_clients_faults_are_told_in_full() {
        let error = ApiError::from(Error::invalid("limit", "limit is 0: use 1 to 100"));
        assert_eq!(error.status, StatusCode::BAD_REQUEST);
        assert_eq!(error.message, "limit is 0: use 1 to 100");
        assert_eq!(error.field.as_deref(), Some("limit"));
    }

    #[test]
    fn a_search_that_was_broken_off_is_late() {
        let error = ApiError::from(Error::new(ErrorKind::TimedOut, "use rarer words"));
        assert_eq!(error.status, StatusCode::GATEWAY_TIMEOUT);
        let late = ApiError::from_pool(PoolError::TimedOut, Duration::from_millis(5));
        assert_eq!((error.status, error.code), (late.status, late.code));
        assert_eq!(error.message, "use rarer words");
    }

    #[test]
    fn faults_of_the_index_name_no_file() {
        for kind in [
            ErrorKind::NotFound,
            ErrorKind::Corrupt,
            ErrorKind::Incompatible,
            ErrorKind::Permission,
            ErrorKind::Io,
            ErrorKind::Internal,
            ErrorKind::StorageFull,
            ErrorKind::Locked,
        ] {
            let error = ApiError::from(Error::new(kind, "/srv/secret/index/LOCK is gone"));
            assert!(error.status.is_server_error(), "{kind:?}");
            assert!(!error.message.contains("secret"), "{kind:?}");
        }
        let damaged = ApiError::from(Error::corrupt(Path::new("/srv/x"), "checksum"));
        assert_eq!(damaged.code, "index_unreadable");
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let limit = Duration::from_millis(5);
        let busy = ApiError::from_pool(PoolError::Full, limit).into_response();
        assert_eq!(busy.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(busy.headers()[header::RETRY_AFTER], "1");
        let late = ApiError::from_pool(PoolError::TimedOut, limit).into_response();
        assert_eq!(late.status(), StatusCode::GATEWAY_TIMEOUT);
        assert!(!late.headers().contains_key(header::RETRY_AFTER));
        let broken = ApiError::from_pool(PoolError::Panicked("key".into()), limit);
        assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!broken.message.contains("key"));
    }
}
