//! `GET /`: the first page, or the results where there is a query.

use super::{error, facets, home, html, results};
use crate::error::ApiError;
use crate::middleware::timing::SERVER_TIMING;
use crate::params::{self, OwnNames, Parameters};
use crate::search::search;
use crate::state::Shared;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use medsift::query::{Enrichment, FacetField, Query, QueryRequest};
use medsift::searcher::Searcher;

/// Answers with the first page, results, or a page about what went wrong.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Response {
    let parameters = filled(params::of_address(&uri));
    let request = match params::search_request(&parameters) {
        Ok(request) => request,
        Err(trouble) => return error::respond(&trouble, &typed(&parameters), Some(&uri)),
    };
    let answered = if request.query.trim().is_empty() {
        first_page(&state, request.clone()).await
    } else {
        results_page(&state, request.clone()).await
    };
    answered.unwrap_or_else(|trouble| {
        let trouble = params::as_given(&parameters, OwnNames::Flat, trouble);
        error::respond(&trouble, &request, Some(&uri))
    })
}

/// A browser sends every field of a form, empty ones too; those say nothing.
fn filled(mut parameters: Parameters) -> Parameters {
    parameters.retain(|given| !given.value.trim().is_empty());
    parameters
}

/// What can be saved of a request that is not understood: its words.
fn typed(parameters: &Parameters) -> QueryRequest {
    let words = parameters.iter().find(|given| params::is_text(&given.name));
    QueryRequest {
        query: words.map(|given| given.value.clone()).unwrap_or_default(),
        ..QueryRequest::default()
    }
}

async fn first_page(state: &Shared, request: QueryRequest) -> Result<Response, ApiError> {
    let done = state
        .with_searcher(move |state, searcher| {
            let stats = state.stats(searcher)?;
            Ok(home::page(&request, &stats, searcher.settings()))
        })
        .await?;
    Ok(html::respond(StatusCode::OK, done.value))
}

async fn results_page(state: &Shared, request: QueryRequest) -> Result<Response, ApiError> {
    let shown = request.clone();
    // Somebody at a keyboard sees how the query was read, and goes on from it.
    let request = QueryRequest {
        lenient: true,
        facets: FacetField::ALL.to_vec(),
        facet_limit: Some(facets::VALUES),
        ..request
    };
    // Nothing to count, and nothing to be warned of, before it is enriched. Then
    // relations cost no time either.
    let fit = |searcher: &Searcher, query: Query| match searcher.enriched_articles()? {
        0 => Ok(query.without_facet(FacetField::Entity)),
        _ if query.enriches(Enrichment::Entities) && searcher.can_relate() => {
            Ok(query.enriching(Enrichment::Relations))
        }
        _ => Ok(query),
    };
    let answer = search(state, request, fit, move |_, searcher, found| {
        let beside = results::Beside::of(searcher, found);
        Ok(results::page(&shown, found, searcher.settings(), &beside))
    })
    .await?;
    let timing = answer.server_timing();
    let mut response = html::respond(StatusCode::OK, answer.value);
    response.headers_mut().insert(SERVER_TIMING, timing);
    Ok(response)
}
