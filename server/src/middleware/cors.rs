use crate::state::Shared;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    VARY,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Lets pages of the configured origins ask, without credentials, and answers
/// their browsers when those ask beforehand (the Fetch standard's CORS
/// protocol). Where none is configured nothing is added.
pub(crate) async fn allow(State(state): State<Shared>, request: Request, next: Next) -> Response {
    let allowed = &state.config.cors_origins;
    if allowed.is_empty() {
        return next.run(request).await;
    }
    let origin = request.headers().get(ORIGIN).cloned();
    let granted = origin.filter(|origin| {
        let origin = origin.as_bytes();
        allowed
            .iter()
            .any(|one| one == "*" || one.as_bytes() == origin)
    });
    let headers = request.headers();
    let beforehand = request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if beforehand {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    // The answer differs by origin, granted or not.
    headers.append(VARY, HeaderValue::from_static("origin"));
    let Some(origin) = granted else {
        return response;
    };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let fixed = if beforehand {
        vec![
            (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
            (
                ACCESS_CONTROL_ALLOW_HEADERS,
                "authorization, content-type, if-none-match, x-api-key, x-request-id",
            ),
            (ACCESS_CONTROL_MAX_AGE, "86400"),
        ]
    } else {
        let exposed =
            "etag, medsift-articles, medsift-warnings, retry-after, server-timing, x-request-id";
        vec![(ACCESS_CONTROL_EXPOSE_HEADERS, exposed)]
    };
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
