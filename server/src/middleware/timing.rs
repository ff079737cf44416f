use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::fmt::Write as _;
use std::time::Instant;

/// The W3C's header for where the time went.
pub(crate) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Stages and their milliseconds as a value of [`SERVER_TIMING`].
pub(crate) fn header_value(stages: &[(&str, f64)]) -> HeaderValue {
    let mut text = String::new();
    for (name, milliseconds) in stages {
        let comma = if text.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{name};dur={milliseconds:.2}");
    }
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("total"))
}

/// Adds the whole time to whatever stages the handler reported.
pub(crate) async fn add_total(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let mut response = next.run(request).await;
    let total = header_value(&[("total", start.elapsed().as_secs_f64() * 1000.0)]);
    response.headers_mut().append(SERVER_TIMING, total);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_listed() {
        let value = header_value(&[("queue", 0.0), ("encode", 7.126)]);
        assert_eq!(value, "queue;dur=0.00, encode;dur=7.13");
    }
}
