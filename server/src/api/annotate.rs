//! Entities of texts that a client sends.

use super::body::{self, Arrived};
use super::json::{respond, to_json};
use super::request::{entries, unfit};
use super::tree::Json;
use crate::error::ApiError;
use crate::params::{self, Parameter};
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use medsift::searcher::{AnnotateResponse, NO_ENTITIES, Searcher};

/// Most texts of one request.
const MOST_TEXTS: usize = 64;

/// Most characters of all texts of one request: about thirty abstracts, some
/// seconds of computing.
const MOST_CHARACTERS: usize = 60_000;

/// `GET /v1/annotate?text=…`, several times for several texts.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    let parameters = params::of_address(&uri);
    let mut texts = Vec::new();
    for Parameter { name, value, .. } in parameters {
        if name != "text" {
            let message = format!("unknown parameter {name:?}: use text");
            return Err(ApiError::parameter(&name, message));
        }
        texts.push(value);
    }
    answer(&state, texts).await
}

/// `POST /v1/annotate` with `{"text": "…"}` or `{"texts": ["…", …]}`.
pub(crate) async fn post(
    State(state): State<Shared>,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    let json = body::read(&headers, body, state.config.body_limit_bytes)?;
    answer(&state, texts_of(json)?).await
}

fn texts_of(body: Json) -> Result<Vec<String>, ApiError> {
    let mut texts = Vec::new();
    for (name, value) in entries("", body, &["text", "texts"])? {
        match (name.as_str(), value) {
            ("text", Json::Text(text)) => texts.push(text),
            ("texts", Json::List(items)) => {
                for item in items {
                    match item {
                        Json::Text(text) => texts.push(text),
                        other => return Err(unfit("texts", &other, "texts in the list")),
                    }
                }
            }
            ("text", other) => return Err(unfit("text", &other, "a text")),
            (_, other) => return Err(unfit("texts", &other, "a list of texts")),
        }
    }
    Ok(texts)
}

async fn answer(state: &Shared, texts: Vec<String>) -> Result<Response, ApiError> {
    check(&texts)?;
    let done = state
        .with_searcher(move |_, searcher| to_json(&annotate(searcher, &texts)?))
        .await?;
    Ok(respond(done.value))
}

/// Annotates texts that were checked.
pub(crate) fn annotate(
    searcher: &Searcher,
    texts: &[String],
) -> Result<AnnotateResponse, ApiError> {
    if !searcher.can_enrich() {
        // Not the operator's news, as a missing file would be.
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_head", NO_ENTITIES));
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(searcher.annotate(&texts)?)
}

/// Refuses what would take too long, or is nothing.
pub(crate) fn check(texts: &[String]) -> Result<(), ApiError> {
    let message = match texts.len() {
        0 => "there is no text: send text, or texts as a list".to_owned(),
        count if count > MOST_TEXTS => {
            format!("{count} texts are too many: send at most {MOST_TEXTS} at once")
        }
        _ => {
            let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
            if characters <= MOST_CHARACTERS {
                return Ok(());
            }
            format!(
                "the texts have {characters} characters: send at most {MOST_CHARACTERS} at once"
            )
        }
    };
    Err(ApiError::parameter("text", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Vec<String>, ApiError> {
        texts_of(serde_json::from_str(body).unwrap())
    }

    #[test]
    fn one_text_or_several_are_read() {
        assert_eq!(read(r#"{"text": "a"}"#).unwrap(), ["a"]);
        assert_eq!(read(r#"{"texts": ["a", "b"]}"#).unwrap(), ["a", "b"]);
        for (body, part) in [
            (r#"{"text": 1}"#, "text is 1"),
            (r#"{"texts": "a"}"#, "a list of texts"),
            (r#"{"texts": [null]}"#, "texts in the list"),
            (r#"{"txt": "a"}"#, "unknown field \"txt\""),
        ] {
            let message = read(body).unwrap_err().message;
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn too_much_and_nothing_are_refused() {
        assert!(check(&["a".to_owned()]).is_ok());
        for (texts, part) in [
            (vec![], "there is no text"),
            (vec![String::new(); 65], "at most 64"),
            (vec!["é".repeat(60_001)], "60001 characters"),
        ] {
            let message = check(&texts).unwrap_err().message;
            assert!(message.contains(part), "{message}");
        }
    }
}
