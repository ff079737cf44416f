//! Several articles in one request.

use super::body::{self, Arrived};
use super::json::{respond, to_json};
use super::request::{entries, unfit};
use super::tree::Json;
use crate::error::ApiError;
use crate::params::{self, Parameter};
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use medsift::ArticleId;
use medsift::index::StoredArticle;
use serde::Serialize;

/// Most articles of one request.
const MOST: usize = 200;

/// The articles that are there, in the order in which they were asked for.
#[derive(Serialize)]
struct Articles {
    articles: Vec<StoredArticle>,
    /// Ids that the index does not hold.
    missing: Vec<ArticleId>,
}

/// `GET /v1/articles?id=…`, several times for several or with commas between
/// them, as clients of the E-utilities write them.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri) -> Result<Response, ApiError> {
    let mut ids = Vec::new();
    for Parameter { name, value, .. } in params::of_address(&uri) {
        if name != "id" {
            let message = format!("unknown parameter {name:?}: use id");
            return Err(ApiError::parameter(&name, message));
        }
        ids.extend(value.split(',').map(str::to_owned));
    }
    answer(&state, "id", ids).await
}

/// `POST /v1/articles` with `{"ids": ["…", …]}`.
pub(crate) async fn post(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    let body = body::posted(&state, &uri, &headers, body)?;
    answer(&state, "ids", wanted(body)?).await
}

fn wanted(body: Json) -> Result<Vec<String>, ApiError> {
    let mut ids = Vec::new();
    for (name, value) in entries("", body, &["ids"])? {
        let Json::List(items) = value else {
            return Err(unfit(&name, &value, "a list of ids"));
        };
        for (place, item) in items.into_iter().enumerate() {
            match item {
                Json::Text(id) => ids.push(id),
                // A PMID that somebody wrote as a number.
                Json::Number(id) if id.is_u64() => ids.push(id.to_string()),
                other => return Err(unfit(&format!("{name}[{place}]"), &other, "an id")),
            }
        }
    }
    Ok(ids)
}

async fn answer(state: &Shared, field: &str, ids: Vec<String>) -> Result<Response, ApiError> {
    let ids = checked(field, &ids)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let mut found = Articles {
                articles: Vec::new(),
                missing: Vec::new(),
            };
            for id in ids {
                match searcher.article(&id)? {
                    Some(article) => found.articles.push(article),
                    None => found.missing.push(id),
                }
            }
            to_json(&found)
        })
        .await?;
    Ok(respond(done.value))
}

/// The ids, each once.
fn checked(field: &str, ids: &[String]) -> Result<Vec<ArticleId>, ApiError> {
    if ids.is_empty() {
        let message = format!("{field} is missing or empty: give one or more");
        return Err(ApiError::parameter(field, message));
    }
    if ids.len() > MOST {
        let message = format!("{} articles: use at most {MOST} at a time", ids.len());
        return Err(ApiError::parameter(field, message));
    }
    let mut known = Vec::new();
    for id in ids {
        let id = ArticleId::new(id).map_err(|e| ApiError::parameter(field, e.to_string()))?;
        if !known.contains(&id) {
            known.push(id);
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Vec<ArticleId>, ApiError> {
        checked("ids", &wanted(serde_json::from_str(body).unwrap())?)
    }

    #[test]
    fn ids_are_texts_or_numbers_each_once() {
        let ids = read(r#"{"ids": ["12", 12, "PMC/1"]}"#).unwrap();
        let ids: Vec<&str> = ids.iter().map(ArticleId::as_str).collect();
        assert_eq!(ids, ["12", "PMC/1"]);
    }

    #[test]
    fn what_is_no_list_of_ids_is_refused() {
        let many = format!(r#"{{"ids": [{}]}}"#, vec!["1"; 201].join(","));
        for (body, message) in [
            ("{}", "missing or empty"),
            (r#"{"ids": []}"#, "missing or empty"),
            (r#"{"ids": "12"}"#, "a list of ids"),
            (r#"{"ids": [true]}"#, "use an id"),
            (r#"{"ids": ["1", 1.5]}"#, "ids[1] is 1.5"),
            (r#"{"ids": [-1]}"#, "use an id"),
            (r#"{"id": ["12"]}"#, "unknown field"),
            (r#"{"ids": [""]}"#, "empty"),
            (&many, "201 articles: use at most 200"),
        ] {
            let error = read(body).unwrap_err();
            assert!(error.message.contains(message), "{body}: {}", error.message);
        }
    }
}
