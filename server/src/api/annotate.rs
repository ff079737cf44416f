//! Entities of texts that a client sends.

use super::body::{self, Arrived};
use super::json::{respond, to_json};
use super::request::{entries, unfit};
use super::tree::Json;
use crate::error::ApiError;
use crate::params::{self, Parameter};
use crate::state::Shared;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use medsift::enrich::exchange::{Document, ExchangeFormat, Provenance};
use medsift::searcher::{AnnotateResponse, NO_ENTITIES, Searcher};

/// Most texts of one request.
const MOST_TEXTS: usize = 64;

/// Most characters of all texts of one request: about thirty abstracts, some
/// seconds of computing.
const MOST_CHARACTERS: usize = 60_000;

/// Texts, and in which form what is found is wanted: as JSON where there is
/// none.
type Wanted = (Vec<String>, Option<ExchangeFormat>);

/// `GET /v1/annotate?text=…`, several times for several texts.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    let parameters = params::of_address(&uri);
    let (mut texts, mut format) = (Vec::new(), None);
    for Parameter { name, value, .. } in parameters {
        match name.as_str() {
            "text" => texts.push(value),
            "format" if format.is_some() => {
                return Err(ApiError::parameter(
                    "format",
                    "format is given more than once",
                ));
            }
            "format" => format = Some(read_format(&value)?),
            _ => {
                let message = format!("unknown parameter {name:?}: use text or format");
                return Err(ApiError::parameter(&name, message));
            }
        }
    }
    answer(&state, (texts, format.flatten())).await
}

/// `POST /v1/annotate` with `{"text": "…"}` or `{"texts": ["…", …]}`, and
/// `format`.
pub(crate) async fn post(
    State(state): State<Shared>,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    let json = body::read(&headers, body, state.config.body_limit_bytes)?;
    answer(&state, wanted(json)?).await
}

fn read_format(name: &str) -> Result<Option<ExchangeFormat>, ApiError> {
    if name == "json" {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|_| {
        let message = format!("unknown format {name:?}: use json, pubtator or bioc");
        ApiError::parameter("format", message)
    })
}

fn wanted(body: Json) -> Result<Wanted, ApiError> {
    let (mut texts, mut format) = (Vec::new(), None);
    for (name, value) in entries("", body, &["text", "texts", "format"])? {
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
            ("format", Json::Text(name)) => format = read_format(&name)?,
            ("text" | "format", other) => return Err(unfit(&name, &other, "a text")),
            (_, other) => return Err(unfit("texts", &other, "a list of texts")),
        }
    }
    Ok((texts, format))
}

async fn answer(state: &Shared, (texts, format): Wanted) -> Result<Response, ApiError> {
    check(&texts)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let found = annotate(searcher, &texts)?;
            match format {
                None => to_json(&found),
                Some(format) => exchanged(&texts, &found, format),
            }
        })
        .await?;
    let mut response = respond(done.value);
    if let Some(format) = format {
        let media_type = HeaderValue::from_static(format.media_type());
        response.headers_mut().insert(CONTENT_TYPE, media_type);
    }
    Ok(response)
}

/// The texts, numbered from 1, with what was found in them.
fn exchanged(
    texts: &[String],
    found: &AnnotateResponse,
    format: ExchangeFormat,
) -> Result<Vec<u8>, ApiError> {
    let each = (1..).zip(texts).zip(&found.documents);
    let documents: Vec<Document> = each
        .map(|((number, text), found): ((usize, _), _)| {
            Document::of_text(&number.to_string(), text, &found.entities, &[])
        })
        .collect();
    let by = Provenance {
        model: &found.model,
        head: &found.head,
    };
    Ok(format.write(&documents, by)?.into_bytes())
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

    fn read(body: &str) -> Result<Wanted, ApiError> {
        wanted(serde_json::from_str(body).unwrap())
    }

    #[test]
    fn one_text_or_several_are_read() {
        assert_eq!(read(r#"{"text": "a"}"#).unwrap().0, ["a"]);
        assert_eq!(read(r#"{"texts": ["a", "b"]}"#).unwrap().0, ["a", "b"]);
        for (name, format) in [
            ("json", None),
            ("bioc", Some(ExchangeFormat::Bioc)),
            ("pubtator", Some(ExchangeFormat::Pubtator)),
        ] {
            let body = format!(r#"{{"text": "a", "format": "{name}"}}"#);
            assert_eq!(read(&body).unwrap().1, format);
        }
        for (body, part) in [
            (r#"{"text": 1}"#, "text is 1"),
            (r#"{"texts": "a"}"#, "a list of texts"),
            (
                r#"{"text": "a", "format": "xml"}"#,
                "unknown format \"xml\"",
            ),
            (r#"{"text": "a", "format": []}"#, "a text"),
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
