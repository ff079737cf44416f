use super::json::to_json;
use crate::error::ApiError;
use crate::params::{self, Parameter};
use crate::state::Shared;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use medsift::ArticleId;
use medsift::article::citation::CitationFormat;
use medsift::digest::sha256;

/// An id in an address, or why it could not be decoded.
pub(crate) type IdInPath = Result<Path<String>, PathRejection>;

/// What an address may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Everything that is stored.
    Json,
    Citation(CitationFormat),
}

/// `GET /v1/articles/{id}`: everything that is stored, or with `format` a
/// citation. A slash within an id is written `%2F`.
pub(crate) async fn get(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    id: IdInPath,
) -> Result<Response, ApiError> {
    let format = read_format(&params::of_address(&uri))?;
    let id = read_id(id)?;
    let named = id.clone();
    let done = state
        .with_searcher(move |_, searcher| {
            let stored = searcher.article(&id)?;
            let stored = stored.ok_or_else(|| ApiError::no_article(id.as_str()))?;
            Ok(match format {
                Format::Json => to_json(&stored)?,
                Format::Citation(format) => format.write(&stored.article).into_bytes(),
            })
        })
        .await?;
    let body = done.value;
    // Weak, since the same content may go out compressed.
    let tag = format!("W/\"{}\"", &sha256(&body)[..32]);
    let unchanged = is_known(&headers, &tag);
    // To be kept, but asked about again: a later update may change it.
    let head = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    if unchanged {
        return Ok((StatusCode::NOT_MODIFIED, head).into_response());
    }
    Ok(match format {
        Format::Json => (head, [(CONTENT_TYPE, "application/json")], body).into_response(),
        Format::Citation(format) => {
            let name = format.file_name(&named);
            let headers = [
                (CONTENT_TYPE, format.media_type().to_owned()),
                (
                    CONTENT_DISPOSITION,
                    format!("attachment; filename=\"{name}\""),
                ),
            ];
            (head, headers, body).into_response()
        }
    })
}

/// Whether a client names the tag of what it has (RFC 9110, section 13.1.2).
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|known| known.trim() == "*" || opaque(known) == opaque(tag))
}

fn read_format(parameters: &[Parameter]) -> Result<Format, ApiError> {
    let mut format = None;
    for Parameter { name, value, .. } in parameters {
        if name != "format" {
            return Err(ApiError::parameter(
                name,
                format!("unknown parameter {name:?}: use format"),
            ));
        }
        if format.is_some() {
            return Err(ApiError::parameter(name, "format is given more than once"));
        }
        format = Some(match value.as_str() {
            "json" => Format::Json,
            other => Format::Citation(other.parse().map_err(|_| {
                ApiError::parameter(
                    name,
                    format!("unknown format {other:?}: use json, nbib, ris, bibtex, csl or xml"),
                )
            })?),
        });
    }
    Ok(format.unwrap_or(Format::Json))
}

/// Checks an id that came in an address.
pub(crate) fn read_id(id: IdInPath) -> Result<ArticleId, ApiError> {
    let Path(text) = id.map_err(|error| bad_id(error.body_text()))?;
    ArticleId::new(&text).map_err(|error| bad_id(error.to_string()))
}

fn bad_id(message: String) -> ApiError {
    ApiError {
        field: Some("id".to_owned()),
        ..ApiError::new(StatusCode::BAD_REQUEST, "invalid_parameter", message)
    }
}
