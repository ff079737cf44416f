use super::asked::Asked;
use super::json::{respond, to_json};
use crate::error::ApiError;
use crate::params;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;
use medsift::searcher::{Suggestion, SuggestionKind};
use serde::Serialize;

#[derive(Serialize)]
struct Suggestions {
    suggestions: Vec<Suggestion>,
    generation: u64,
}

/// `/v1/suggest`: words, MeSH headings and journals that what was typed may
/// become.
pub(crate) async fn answer(
    State(state): State<Shared>,
    asked: Asked,
) -> Result<Response, ApiError> {
    let parameters = &asked.parameters;
    params::check(parameters, &["q", "limit", params::KINDS], false)?;
    let typed = parameters.iter().find(|given| given.name == "q");
    let Some(typed) = typed.map(|given| given.value.clone()) else {
        return Err(ApiError::parameter(
            "q",
            "q is missing: send what was typed",
        ));
    };
    let limit = params::limit(parameters)?;
    let kinds: Vec<SuggestionKind> = params::several(parameters, params::KINDS)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let kinds = match kinds.as_slice() {
                [] => &SuggestionKind::ALL,
                kinds => kinds,
            };
            to_json(&Suggestions {
                suggestions: searcher.suggest(&typed, kinds, limit)?,
                generation: searcher.generation(),
            })
        })
        .await
        .map_err(|error| asked.in_its_names(error))?;
    Ok(respond(done.value))
}
