//! What is read from clients, for the fuzz targets: no part of the interface,
//! compiled for them alone.

use crate::api::body;
use crate::api::request;
use crate::config::ServerConfig;
use crate::params::{self, Parameters};
use crate::routes;
use crate::state::AppState;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, Uri};
use medsift::index::Index;
use medsift::query::{Query, QueryDefaults};
use std::sync::Arc;

/// Every address of a server over an index, without a listener.
///
/// # Errors
/// When its threads cannot be started.
pub fn app(index: Arc<Index>) -> medsift::Result<Router> {
    Ok(routes::router(AppState::new(
        index,
        ServerConfig::default(),
    )?))
}

/// Reads a search from a query string.
///
/// # Panics
/// When what was read is written and not read again as the same.
pub fn address(query: &str) {
    let escaped: String = form_urlencoded::byte_serialize(query.as_bytes()).collect();
    // As it is, where that is an address, and as the text of a search.
    for query in [query, &format!("q={escaped}")] {
        if let Ok(uri) = format!("/v1/search?{query}").parse::<Uri>() {
            check(&params::of_address(&uri));
        }
    }
}

/// Reads a search from a body.
///
/// # Panics
/// As [`address`].
pub fn body(bytes: &[u8]) {
    let json = HeaderValue::from_static("application/json");
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, json)]);
    let body = Ok(Bytes::copy_from_slice(bytes));
    let parameters = body::read(&headers, body, usize::MAX).and_then(request::parameters);
    if let Ok(parameters) = parameters {
        check(&parameters);
    }
}

fn check(parameters: &Parameters) {
    let Ok(request) = params::search_request(parameters) else {
        return;
    };
    let written = params::query_string(&request);
    let uri = format!("/v1/search?{written}").parse::<Uri>();
    let again = uri.map(|uri| params::search_request(&params::of_address(&uri)));
    assert!(
        matches!(&again, Ok(Ok(again)) if *again == request),
        "{request:?} is written as {written:?} and read as {again:?}"
    );
    let _ = Query::new(request, &QueryDefaults::default());
}
