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
use medsift::article::Article;
use medsift::article::citation::{CitationFormat, file_name};
use medsift::digest::sha256;
use medsift::enrich::exchange::{Document, ExchangeFormat, Provenance};
use medsift::searcher::{NO_ENTITIES, Searcher};

/// An id in an address, or why it could not be decoded.
pub(crate) type IdInPath = Result<Path<String>, PathRejection>;

/// What an address may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Everything that is stored.
    Json,
    Citation(CitationFormat),
    /// Title and abstract with the entities in them.
    Annotated(ExchangeFormat),
}

impl Format {
    /// Media type, and the name of the file that is offered.
    fn file(self, id: &ArticleId) -> (&'static str, Option<String>) {
        match self {
            Self::Json => ("application/json", None),
            Self::Citation(format) => (format.media_type(), Some(format.file_name(id))),
            Self::Annotated(format) => (format.media_type(), Some(file_name(id, format.ending()))),
        }
    }
}

/// `GET /v1/articles/{id}`: everything that is stored, or with `format` a
/// citation, or what is found in title and abstract. A slash within an id is written `%2F`.
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
                Format::Annotated(format) => annotated(searcher, &stored.article, format)?,
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
    let (media_type, name) = format.file(&named);
    let offered = name.map(|name| format!("attachment; filename=\"{name}\""));
    let offered = offered.map(|offered| [(CONTENT_DISPOSITION, offered)]);
    let headers = [(CONTENT_TYPE, media_type)];
    Ok(match offered {
        Some(offered) => (head, headers, offered, body).into_response(),
        None => (head, headers, body).into_response(),
    })
}

/// Title and abstract with their entities; the body of a full text is left out,
/// as the formats have it.
fn annotated(
    searcher: &Searcher,
    article: &Article,
    format: ExchangeFormat,
) -> Result<Vec<u8>, ApiError> {
    let title = &article.display_title().plain;
    let text = article.abstract_text();
    let Some((found, report)) = searcher.findings_of(&article.id, title, &text) else {
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_head", NO_ENTITIES));
    };
    let found = found.ok_or_else(|| {
        let why = report.incomplete.unwrap_or_default();
        ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not_annotated",
            format!("the entities could not be found: {why}"),
        )
    })?;
    let document = Document::of_article(article.id.as_str(), title, &text, &found);
    let by = Provenance {
        model: &report.model,
        head: &report.head,
    };
    Ok(format.write(&[document], by)?.into_bytes())
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
            other => {
                let citation = other.parse().map(Format::Citation);
                let annotated = || other.parse().map(Format::Annotated);
                citation.or_else(|_| annotated()).map_err(|_| {
                    let message = format!(
                        "unknown format {other:?}: use json, nbib, ris, bibtex, csl, xml, \
                         pubtator or bioc"
                    );
                    ApiError::parameter(name, message)
                })?
            }
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
