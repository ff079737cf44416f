//! `POST /v1/embeddings` and `GET /v1/models` in OpenAI's shape
//! (<https://platform.openai.com/docs/api-reference/embeddings>), so that its
//! clients work by their base URL.

use super::fields::Fields;
use super::{Batch, dimension, model};
use crate::api::body::Arrived;
use crate::api::json::{respond, to_json};
use crate::error::{ApiError, add_retry_after};
use crate::params;
use crate::state::Shared;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use medsift::encoder::{Encoder, Role};
use medsift::searcher::Searcher;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

/// A name under which clients may ask for whatever model the index has.
const ALIAS: &str = "medsift";

/// Fewest characters of a fingerprint that name a model.
const SHORT: usize = 12;

const FIELDS: [&str; 6] = [
    "input",
    "model",
    "encoding_format",
    "dimensions",
    "user",
    "input_type",
];

#[derive(Serialize)]
struct Answer {
    object: &'static str,
    data: Vec<Embedding>,
    model: String,
    usage: Usage,
}

#[derive(Serialize)]
struct Embedding {
    object: &'static str,
    index: usize,
    embedding: Vector,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Vector {
    Numbers(Vec<f32>),
    /// 32-bit numbers, little-endian, in base64.
    Bytes(String),
}

#[derive(Serialize)]
struct Usage {
    prompt_tokens: usize,
    total_tokens: usize,
}

#[derive(Serialize)]
struct Models {
    object: &'static str,
    data: Vec<Model>,
}

#[derive(Serialize)]
struct Model {
    id: String,
    object: &'static str,
    created: u64,
    owned_by: &'static str,
}

struct Request {
    batch: Batch,
    model: String,
    bytes: bool,
    dimensions: Option<usize>,
}

/// `POST /v1/embeddings`.
pub(crate) async fn embeddings(
    State(state): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, OpenAiError> {
    let fields = Fields::posted(&state, &uri, &headers, body, &FIELDS)?;
    let request = read(fields)?;
    request.batch.check(&state.config)?;
    let done = state
        .with_searcher(move |_, searcher| answer(searcher, &request))
        .await?;
    Ok(respond(done.value))
}

/// `GET /v1/models`: the model of the index, where it is open.
pub(crate) async fn models(State(state): State<Shared>, uri: Uri) -> Result<Response, OpenAiError> {
    params::refuse_all(&uri)?;
    let since = SystemTime::now() - state.uptime();
    let created = since.duration_since(UNIX_EPOCH).unwrap_or_default();
    let done = state
        .with_searcher(move |_, searcher| {
            let one = |encoder: &Encoder| Model {
                id: encoder.fingerprint().name.clone(),
                object: "model",
                created: created.as_secs(),
                owned_by: ALIAS,
            };
            let encoder = searcher.encoder();
            to_json(&Models {
                object: "list",
                data: encoder.into_iter().map(|encoder| one(encoder)).collect(),
            })
        })
        .await?;
    Ok(respond(done.value))
}

fn read(mut fields: Fields) -> Result<Request, ApiError> {
    let (texts, listed) = fields.texts("input")?;
    let model = fields.text("model")?.ok_or_else(|| {
        let what = format!("model is missing: GET /v1/models names it, {ALIAS} does as well");
        ApiError::parameter("model", what)
    })?;
    let bytes = match fields.text("encoding_format")?.as_deref() {
        None | Some("float") => false,
        Some("base64") => true,
        Some(other) => {
            let what = format!("encoding_format is {other:?}: use float or base64");
            return Err(ApiError::parameter("encoding_format", what));
        }
    };
    let role = match fields.text("input_type")?.as_deref() {
        None | Some("passage") => Role::Passage,
        Some("query") => Role::Query,
        Some(other) => {
            let what = format!("input_type is {other:?}: use query or passage");
            return Err(ApiError::parameter("input_type", what));
        }
    };
    // Whom the client asks for is of no interest here, but must be a text.
    fields.text("user")?;
    Ok(Request {
        batch: Batch {
            texts,
            field: "input",
            listed,
            role,
            keep: None,
        },
        model,
        bytes,
        dimensions: fields.whole("dimensions")?,
    })
}

fn answer(searcher: &Searcher, request: &Request) -> Result<Vec<u8>, ApiError> {
    let encoder = model(searcher)?;
    check_model(searcher, encoder, &request.model)?;
    let dimension = dimension(request.dimensions, encoder)?;
    let encoded = request.batch.encode(encoder)?;
    let vectors = encoded.vectors.unit(dimension);
    let written = |row: &[f32]| match request.bytes {
        false => Vector::Numbers(row.to_vec()),
        true => {
            let bytes: Vec<u8> = row.iter().flat_map(|number| number.to_le_bytes()).collect();
            Vector::Bytes(STANDARD.encode(bytes))
        }
    };
    let data = vectors.rows().enumerate().map(|(index, row)| Embedding {
        object: "embedding",
        index,
        embedding: written(row),
    });
    to_json(&Answer {
        object: "list",
        data: data.collect(),
        model: encoder.fingerprint().name.clone(),
        usage: Usage {
            prompt_tokens: encoded.tokens,
            total_tokens: encoded.tokens,
        },
    })
}

/// Refuses the name of another model: its vectors could not be compared with
/// those that the client may have of it.
fn check_model(searcher: &Searcher, encoder: &Encoder, asked: &str) -> Result<(), ApiError> {
    let own = encoder.fingerprint();
    let names = [
        ALIAS,
        own.name.as_str(),
        searcher.commit().model.name.as_str(),
    ];
    let vectors = own.vectors_sha256();
    let is_fingerprint =
        asked.len() >= SHORT && (own.sha256.starts_with(asked) || vectors.starts_with(asked));
    if names.contains(&asked) || is_fingerprint {
        return Ok(());
    }
    Err(ApiError {
        field: Some("model".to_owned()),
        ..ApiError::new(
            StatusCode::NOT_FOUND,
            "model_not_found",
            format!(
                "no model {asked:?}: this index was made with {own}; ask for {:?}, its \
                 fingerprint, or {ALIAS:?}",
                own.name
            ),
        )
    })
}

/// An error in OpenAI's shape.
#[derive(Debug)]
pub(crate) struct OpenAiError(ApiError);

impl From<ApiError> for OpenAiError {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

#[derive(Serialize)]
struct Body<'a> {
    error: Told<'a>,
}

#[derive(Serialize)]
struct Told<'a> {
    message: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    param: Option<&'a str>,
    code: &'a str,
}

impl IntoResponse for OpenAiError {
    fn into_response(self) -> Response {
        let error = &self.0;
        let kind = match error.status.is_client_error() {
            true => "invalid_request_error",
            false => "server_error",
        };
        let body = Body {
            error: Told {
                message: &error.message,
                kind,
                param: error.field.as_deref(),
                code: error.code,
            },
        };
        let mut response = (error.status, Json(body)).into_response();
        add_retry_after(&mut response);
        response
    }
}
