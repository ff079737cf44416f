use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Header that names a request in answers and in the log.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id that is taken over from a client.
const MAX_LENGTH: usize = 64;

/// The id of the request at hand, among its extensions.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) HeaderValue);

/// Gives each request an id: the client's own where it is harmless, else a new
/// one. The response carries it.
pub(crate) async fn set(mut request: Request, next: Next) -> Response {
    let id = request
        .headers()
        .get(REQUEST_ID)
        .filter(|id| is_harmless(id.as_bytes()))
        .cloned()
        .unwrap_or_else(new_id);
    request.extensions_mut().insert(RequestId(id.clone()));
    let mut response = next.run(request).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// What can stand in a log line without confusing anyone.
fn is_harmless(id: &[u8]) -> bool {
    (1..=MAX_LENGTH).contains(&id.len())
        && id
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

/// Sixteen hexadecimal digits: a counter, scrambled by a secret of the process.
fn new_id() -> HeaderValue {
    static SECRET: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = SECRET.hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::from_str(&format!("{number:016x}"))
        .unwrap_or_else(|_| HeaderValue::from_static("unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_harmless_and_differ() {
        let ids: HashSet<_> = (0..1000).map(|_| new_id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| is_harmless(id.as_bytes())));
    }

    #[test]
    fn a_clients_id_cannot_forge_log_lines() {
        assert!(is_harmless(b"trace-1.2_x"));
        for id in [&b""[..], b"a b", b"a=\"", b"\xff", &[b'a'; 65]] {
            assert!(!is_harmless(id));
        }
    }
}
