//! The one path that every search takes, whether it came as a query string,
//! as JSON or from the page.

use crate::error::ApiError;
use crate::middleware::timing;
use crate::pool::Done;
use crate::state::{AppState, Shared};
use axum::http::HeaderValue;
use medsift::query::{Query, QueryRequest};
use medsift::searcher::{SearchResponse, Searcher, Took};
use std::time::Duration;

/// What a search became, and where its time went.
pub(crate) struct Answer<T> {
    pub(crate) value: T,
    took: Took,
    waited: Duration,
}

/// Checks a request, has its words encoded along with those whose turn comes
/// before, runs it on the CPU pool, and turns the response into what the client
/// gets, there as well: both writing JSON and rendering a page of a hundred
/// abstracts are computing. `fit` makes the query one for what the index holds.
pub(crate) async fn search<T, P, F>(
    state: &Shared,
    request: QueryRequest,
    fit: P,
    render: F,
) -> Result<Answer<T>, ApiError>
where
    T: Send + 'static,
    P: FnOnce(&Searcher, Query) -> medsift::Result<Query> + Send + 'static,
    F: FnOnce(&AppState, &Searcher, &SearchResponse) -> Result<T, ApiError> + Send + 'static,
{
    search_within(state, state.config.request_timeout(), request, fit, render).await
}

/// The same within a time of its own.
pub(crate) async fn search_within<T, P, F>(
    state: &Shared,
    limit: Duration,
    request: QueryRequest,
    fit: P,
    render: F,
) -> Result<Answer<T>, ApiError>
where
    T: Send + 'static,
    P: FnOnce(&Searcher, Query) -> medsift::Result<Query> + Send + 'static,
    F: FnOnce(&AppState, &Searcher, &SearchResponse) -> Result<T, ApiError> + Send + 'static,
{
    let query = state.query(request)?;
    let expected = state.expect(&query);
    let done = state
        .within(limit, move |state, searcher| {
            let _expected = expected;
            let query = fit(searcher, query)?;
            let response = searcher.search(&query)?;
            Ok((render(state, searcher, &response)?, response.took))
        })
        .await?;
    let Done {
        value: (value, took),
        waited,
    } = done;
    Ok(Answer {
        value,
        took,
        waited,
    })
}

impl<T> Answer<T> {
    /// The stages for the `server-timing` header.
    pub(crate) fn server_timing(&self) -> HeaderValue {
        timing::header_value(&[
            ("queue", self.waited.as_secs_f64() * 1000.0),
            ("encode", self.took.encode_ms),
            ("retrieve", self.took.retrieve_ms),
            ("fetch", self.took.fetch_ms),
            ("enrich", self.took.enrich_ms),
        ])
    }
}
