//! `POST /embed` and `GET /info` in the shape of Hugging Face's
//! text-embeddings-inference
//! (<https://huggingface.github.io/text-embeddings-inference/>).

use super::fields::Fields;
use super::{Batch, dimension, model};
use crate::api::body::Arrived;
use crate::api::json::{respond, to_json};
use crate::error::{ApiError, add_retry_after};
use crate::params;
use crate::state::{AppState, Shared};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use medsift::encoder::{Keep, Role};
use medsift::searcher::Searcher;
use serde::Serialize;
use serde_json::{Value, json};

const FIELDS: [&str; 6] = [
    "inputs",
    "normalize",
    "truncate",
    "truncation_direction",
    "prompt_name",
    "dimensions",
];

/// `POST /embed`: a list of vectors.
pub(crate) async fn embed(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, TeiError> {
    let mut fields = Fields::posted(&state, &uri, &headers, body, &FIELDS)?;
    let (texts, listed) = fields.texts("inputs")?;
    let role = match fields.text("prompt_name")?.as_deref() {
        None | Some("passage" | "document") => Role::Passage,
        Some("query") => Role::Query,
        Some(other) => {
            let what = format!("prompt_name is {other:?}: use query, passage or document");
            return Err(ApiError::parameter("prompt_name", what).into());
        }
    };
    let batch = Batch {
        texts,
        field: "inputs",
        listed,
        role,
        keep: cut(&mut fields)?,
    };
    let normalize = fields.flag("normalize")?.unwrap_or(true);
    let dimensions = fields.whole("dimensions")?;
    batch.check(&state.config)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let encoder = model(searcher)?;
            let dimension = dimension(dimensions, encoder)?;
            let vectors = batch.encode(encoder)?.vectors;
            let vectors = match normalize {
                true => vectors.unit(dimension),
                false => vectors.cut(dimension),
            };
            to_json(&vectors.rows().collect::<Vec<&[f32]>>())
        })
        .await?;
    Ok(respond(done.value))
}

/// `GET /info`: the model, and what a request may hold.
pub(crate) async fn info(State(state): State<Shared>, uri: Uri) -> Result<Response, TeiError> {
    params::refuse_all(&uri)?;
    let done = state
        .with_searcher(|state, searcher| to_json(&about(state, searcher)?))
        .await?;
    Ok(respond(done.value))
}

fn about(state: &AppState, searcher: &Searcher) -> Result<Value, ApiError> {
    let encoder = model(searcher)?;
    let fingerprint = encoder.fingerprint();
    let load = state.pool.load();
    Ok(json!({
        "model_id": fingerprint.name,
        "model_sha": fingerprint.vectors_sha256(),
        "model_dtype": "float32",
        "model_type": {"embedding": {"pooling": fingerprint.pooling.to_string()}},
        "max_concurrent_requests": load.threads + state.config.queue,
        "max_input_length": encoder.max_tokens(),
        "max_batch_tokens": state.config.embed_inputs * encoder.max_tokens(),
        "max_batch_requests": null,
        "max_client_batch_size": state.config.embed_inputs,
        "max_client_batch_chars": state.config.embed_chars,
        "auto_truncate": false,
        "tokenization_workers": load.threads,
        "version": env!("CARGO_PKG_VERSION"),
        "dimension": encoder.dimension(),
        "matryoshka_dimensions": encoder.matryoshka(),
        "reranking": "cosine of the embeddings of query and text; there is no cross-encoder",
    }))
}

/// Which end of too long a text stays, where the request lets texts be cut.
pub(super) fn cut(fields: &mut Fields) -> Result<Option<Keep>, ApiError> {
    let keep = match fields.text("truncation_direction")?.as_deref() {
        // Cut on the right, the beginning stays.
        None | Some("Right" | "right") => Keep::Beginning,
        Some("Left" | "left") => Keep::End,
        Some(other) => {
            let what = format!("truncation_direction is {other:?}: use Right or Left");
            return Err(ApiError::parameter("truncation_direction", what));
        }
    };
    let truncate = fields.flag("truncate")?.unwrap_or(false);
    Ok(truncate.then_some(keep))
}

/// An error in this shape: `{"error": "…", "error_type": "…"}`.
#[derive(Debug)]
pub(crate) struct TeiError(ApiError);

impl From<ApiError> for TeiError {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    error_type: &'static str,
}

impl TeiError {
    /// Statuses and names that clients of this shape know.
    fn status(&self) -> (StatusCode, &'static str) {
        match (self.0.status, self.0.code) {
            (_, "input_too_long" | "too_many_inputs") => {
                (StatusCode::PAYLOAD_TOO_LARGE, "Validation")
            }
            (StatusCode::SERVICE_UNAVAILABLE, _) => (StatusCode::TOO_MANY_REQUESTS, "Overloaded"),
            (StatusCode::BAD_REQUEST, _) => (StatusCode::UNPROCESSABLE_ENTITY, "Validation"),
            (status, _) if status.is_client_error() => (status, "Validation"),
            (StatusCode::GATEWAY_TIMEOUT, _) => (StatusCode::GATEWAY_TIMEOUT, "Overloaded"),
            _ => (StatusCode::FAILED_DEPENDENCY, "Backend"),
        }
    }
}

impl IntoResponse for TeiError {
    fn into_response(self) -> Response {
        let (status, error_type) = self.status();
        let body = Body {
            error: &self.0.message,
            error_type,
        };
        // The wait is told by the status that the refusal had.
        let mut waits = self.0.status.into_response();
        add_retry_after(&mut waits);
        let mut response = (status, Json(body)).into_response();
        response.headers_mut().extend(
            waits
                .headers()
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        response
    }
}
