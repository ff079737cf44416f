use super::asked::Asked;
use super::json::{respond_timed, to_json};
use crate::error::ApiError;
use crate::middleware::timing::header_value;
use crate::params::{self, Parameters};
use crate::state::Shared;
use axum::extract::State;
use axum::http::StatusCode;
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

/// `/v1/passages`: what a language model should read for a question.
pub(crate) async fn answer(
    State(state): State<Shared>,
    asked: Asked,
) -> Result<Response, ApiError> {
    let request = read(&asked.parameters)?;
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
        .map_err(|error| asked.in_its_names(error))?;
    let (json, took) = done.value;
    let timing = header_value(&[
        ("queue", done.waited.as_secs_f64() * 1000.0),
        ("search", took.search_ms),
        ("choose", took.choose_ms),
    ]);
    Ok(respond_timed(json, timing))
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
