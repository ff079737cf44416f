use super::body::Arrived;
use super::json::{respond, to_json};
use super::request;
use crate::error::ApiError;
use crate::middleware::timing::{SERVER_TIMING, header_value};
use crate::params::{self, OwnNames, Parameters};
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use medsift::searcher::{NO_TOKENIZER, PassageQuery, PassageRequest};

/// Parameters of passages alone.
const OWN: [&str; 3] = ["budget", "diversity", "count_citations"];

/// Parameters that they share with searches, beside filters.
const OF_SEARCH: [&str; 10] = [
    "q",
    "query",
    "syntax",
    "lenient",
    "mode",
    "limit",
    "fusion",
    "fusion_k",
    "semantic_weight",
    "exact",
];

/// All of them but filters.
pub(crate) fn names() -> Vec<&'static str> {
    OWN.into_iter().chain(OF_SEARCH).collect()
}

/// `GET /v1/passages?q=…&budget=2000`: what a language model should read for a
/// question.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    answer(&state, params::of_address(&uri), OwnNames::Flat).await
}

/// `POST /v1/passages` with the same as JSON.
pub(crate) async fn post(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    let parameters = request::posted(&state, &uri, &headers, body)?;
    answer(&state, parameters, OwnNames::Paths).await
}

async fn answer(
    state: &Shared,
    parameters: Parameters,
    names: OwnNames,
) -> Result<Response, ApiError> {
    let request = read(&parameters)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let query = PassageQuery::new(request, searcher.settings())?;
            if searcher.encoder().is_none() {
                // Not the operator's news, as a missing file would be.
                let no_model = ApiError::new(StatusCode::NOT_FOUND, "no_model", NO_TOKENIZER);
                return Err(no_model);
            }
            let response = searcher.passages(&query)?;
            Ok((to_json(&response)?, response.took))
        })
        .await
        .map_err(|error| params::as_given(&parameters, names, error))?;
    let (json, took) = done.value;
    let timing = header_value(&[
        ("queue", done.waited.as_secs_f64() * 1000.0),
        ("search", took.search_ms),
        ("choose", took.choose_ms),
    ]);
    let mut response = respond(json);
    response.headers_mut().insert(SERVER_TIMING, timing);
    Ok(response)
}

fn read(parameters: &Parameters) -> Result<PassageRequest, ApiError> {
    params::check(parameters, &names(), true)?;
    let once = |name: &str| parameters.iter().find(|given| given.name == name);
    let search = parameters
        .iter()
        .filter(|given| !OWN.contains(&given.name.as_str()));
    let search: Parameters = search.cloned().collect();
    Ok(PassageRequest {
        search: params::search_request(&search)?,
        budget: params::whole(once("budget"))?,
        diversity: params::number(once("diversity"), "a number from 0 to 1")?,
        count_citations: params::flag(once("count_citations"))?.unwrap_or(false),
    })
}
