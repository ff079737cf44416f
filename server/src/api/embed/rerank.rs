//! `POST /rerank` in the shape of text-embeddings-inference.
//!
//! There is no cross-encoder here: a text's score is the cosine of its vector
//! and that of the query, each behind the prompt of its role. That orders as a
//! semantic search does, and no better.

use super::fields::Fields;
use super::tei::{TeiError, cut};
use super::{Batch, model};
use crate::api::body::Arrived;
use crate::api::json::{respond, to_json};
use crate::error::ApiError;
use crate::state::Shared;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use medsift::encoder::{Encoder, Role};
use serde::Serialize;

const FIELDS: [&str; 6] = [
    "query",
    "texts",
    "raw_scores",
    "return_text",
    "truncate",
    "truncation_direction",
];

#[derive(Serialize)]
struct Rank<'a> {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    score: f32,
}

struct Request {
    query: Batch,
    texts: Batch,
    raw_scores: bool,
    return_text: bool,
}

/// `POST /rerank`: the texts by their nearness to a query, best first.
pub(crate) async fn post(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, TeiError> {
    let fields = Fields::posted(&state, &uri, &headers, body, &FIELDS)?;
    let request = read(fields)?;
    request.query.check(&state.config)?;
    request.texts.check(&state.config)?;
    let done = state
        .with_searcher(move |_, searcher| to_json(&ranks(model(searcher)?, &request)?))
        .await?;
    Ok(respond(done.value))
}

fn read(mut fields: Fields) -> Result<Request, ApiError> {
    let query = fields.text("query")?.ok_or_else(|| {
        ApiError::parameter(
            "query",
            "query is missing: send what the texts are ranked by",
        )
    })?;
    let (texts, listed) = fields.texts("texts")?;
    if !listed {
        let what = "texts is a text: send a list of texts";
        return Err(ApiError::parameter("texts", what));
    }
    let keep = cut(&mut fields)?;
    Ok(Request {
        query: Batch {
            texts: vec![query],
            field: "query",
            listed: false,
            role: Role::Query,
            keep,
        },
        texts: Batch {
            texts,
            field: "texts",
            listed,
            role: Role::Passage,
            keep,
        },
        raw_scores: fields.flag("raw_scores")?.unwrap_or(false),
        return_text: fields.flag("return_text")?.unwrap_or(false),
    })
}

fn ranks<'a>(encoder: &Encoder, request: &'a Request) -> Result<Vec<Rank<'a>>, ApiError> {
    let dimension = encoder.dimension();
    let query = request.query.encode(encoder)?.vectors.unit(dimension);
    let vectors = request.texts.encode(encoder)?.vectors.unit(dimension);
    let cosine = |row: &[f32]| -> f32 { row.iter().zip(query.row(0)).map(|(a, b)| a * b).sum() };
    let mut ranks: Vec<Rank<'a>> = vectors
        .rows()
        .zip(&request.texts.texts)
        .enumerate()
        .map(|(index, (row, text))| Rank {
            index,
            text: request.return_text.then_some(text.as_str()),
            // 0 to 1, as clients expect of scores that are not raw.
            score: match request.raw_scores {
                true => cosine(row),
                false => f32::midpoint(1.0, cosine(row)).clamp(0.0, 1.0),
            },
        })
        .collect();
    // Stable: of equals the first comes first.
    ranks.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(ranks)
}
