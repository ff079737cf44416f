//! Vectors of texts that clients send, in the shapes of other programs, so that
//! whoever speaks to those can speak to this server.
//!
//! Whatever the shape, a text that is longer than the model reads is refused,
//! unless the request asks that it be cut: half a text's vector looks like that
//! of the whole.

mod fields;
pub(crate) mod openai;
pub(crate) mod rerank;
pub(crate) mod tei;

use crate::config::ServerConfig;
use crate::error::ApiError;
use axum::http::StatusCode;
use medsift::encoder::{Embeddings, Encoder, Keep, Role};
use medsift::searcher::Searcher;
use medsift::trace::Clock;

/// Texts of a request.
pub(super) struct Batch {
    pub(super) texts: Vec<String>,
    /// The field that they came in, for messages.
    pub(super) field: &'static str,
    /// Whether the field was a list.
    pub(super) listed: bool,
    pub(super) role: Role,
    /// Which end of too long a text stays; nothing where it is refused.
    pub(super) keep: Option<Keep>,
}

/// Their vectors, and the tokens that the model read for them.
pub(super) struct Encoded {
    pub(super) vectors: Embeddings,
    pub(super) tokens: usize,
}

impl Batch {
    /// Refuses more or longer texts than the configuration allows, and empty
    /// ones, before a place in the queue is taken.
    pub(super) fn check(&self, config: &ServerConfig) -> Result<(), ApiError> {
        let field = self.field;
        if self.texts.is_empty() {
            let what = format!("{field} is empty: send at least one text");
            return Err(ApiError::parameter(field, what));
        }
        let (count, most) = (self.texts.len(), config.embed_inputs);
        if count > most {
            let what = format!(
                "{field} holds {count} texts, more than {most} (server.embed_inputs): send them \
                 in several requests"
            );
            return Err(too_large(field, what));
        }
        for (at, text) in self.texts.iter().enumerate() {
            if text.trim().is_empty() {
                let place = self.place(at);
                let what = format!("{place} is empty: leave it out");
                return Err(ApiError::parameter(&place, what));
            }
        }
        let characters: usize = self.texts.iter().map(|text| text.chars().count()).sum();
        if characters > config.embed_chars {
            let what = format!(
                "{field} holds {characters} characters, more than {} (server.embed_chars): send \
                 the texts in several requests",
                config.embed_chars
            );
            return Err(too_large(field, what));
        }
        Ok(())
    }

    /// The vectors, of length one. Computes: call it within a job.
    pub(super) fn encode(&self, encoder: &Encoder) -> Result<Encoded, ApiError> {
        let _clock = Clock::of("encode");
        let mut texts = Vec::with_capacity(self.texts.len());
        let mut tokens = 0;
        for (at, text) in self.texts.iter().enumerate() {
            let mut text = text.as_str();
            let mut own = encoder.tokens_as(self.role, text)?;
            if own > encoder.max_tokens() {
                let Some(keep) = self.keep else {
                    return Err(self.too_long(at, own, encoder.max_tokens()));
                };
                text = encoder.shortened(self.role, text, keep)?;
                own = encoder.tokens_as(self.role, text)?;
            }
            tokens += own;
            texts.push(text);
        }
        let vectors = encoder.encode_as(self.role, &texts)?;
        Ok(Encoded { vectors, tokens })
    }

    fn too_long(&self, at: usize, tokens: usize, most: usize) -> ApiError {
        let place = self.place(at);
        let message = format!(
            "{place} has {tokens} tokens, the model reads {most} at once (prompt and special \
             tokens included): send it in parts; nothing is cut in silence"
        );
        ApiError {
            field: Some(place),
            ..ApiError::new(StatusCode::BAD_REQUEST, "input_too_long", message)
        }
    }

    fn place(&self, at: usize) -> String {
        match self.listed {
            true => format!("{}[{at}]", self.field),
            false => self.field.to_owned(),
        }
    }
}

fn too_large(field: &str, message: String) -> ApiError {
    ApiError {
        field: Some(field.to_owned()),
        ..ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_many_inputs", message)
    }
}

/// The model of the index.
pub(super) fn model(searcher: &Searcher) -> Result<&Encoder, ApiError> {
    let encoder = searcher.encoder();
    encoder.map(AsRef::as_ref).ok_or_else(|| {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "no_model",
            "the model of the index is not open, so that nothing can be embedded: start medsift \
             with it (--model DIR)",
        )
    })
}

/// The length that vectors are wanted in: the model's own, or one to which they
/// may be cut.
pub(super) fn dimension(asked: Option<usize>, encoder: &Encoder) -> Result<usize, ApiError> {
    let own = encoder.dimension();
    let asked = asked.unwrap_or(own);
    if asked == own || encoder.matryoshka().contains(&asked) {
        return Ok(asked);
    }
    let shorter: Vec<String> = encoder.matryoshka().iter().map(usize::to_string).collect();
    let message = match shorter.is_empty() {
        true => format!(
            "dimensions is {asked}: the model gives {own} numbers and was not trained to be cut \
             (its directory declares no matryoshka_dimensions)"
        ),
        false => format!(
            "dimensions is {asked}: use {own}, or one of those that the model was trained to be \
             cut to: {}",
            shorter.join(", ")
        ),
    };
    Err(ApiError::parameter("dimensions", message))
}
