//! The fields of a body in the shape of another program.

use crate::api::body::{self, Arrived};
use crate::api::request::entries;
use crate::api::tree::Json;
use crate::error::ApiError;
use crate::state::Shared;
use axum::http::{HeaderMap, Uri};

/// What an object holds; each field is taken out once.
pub(super) struct Fields(Vec<(String, Json)>);

impl Fields {
    /// Reads a body that is an object with known fields, each once; `null`
    /// counts as absent.
    pub(super) fn posted(
        state: &Shared,
        uri: &Uri,
        headers: &HeaderMap,
        body: Arrived,
        known: &[&str],
    ) -> Result<Self, ApiError> {
        let body = body::posted(state, uri, headers, body)?;
        let Json::Object(_) = body else {
            let what = format!("the body is {}: send an object", body.kind());
            return Err(ApiError {
                field: None,
                ..ApiError::parameter("", what)
            });
        };
        entries("", body, known).map(Self)
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(at).1)
    }

    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text)),
            Some(other) => Err(unfit(name, &other, "a text")),
        }
    }

    pub(super) fn flag(&mut self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Json::Flag(flag)) => Ok(Some(flag)),
            Some(other) => Err(unfit(name, &other, "true or false")),
        }
    }

    pub(super) fn whole(&mut self, name: &str) -> Result<Option<usize>, ApiError> {
        let given = match self.take(name) {
            None => return Ok(None),
            Some(Json::Number(number)) => number.as_u64().and_then(|n| usize::try_from(n).ok()),
            Some(other) => return Err(unfit(name, &other, "a whole number")),
        };
        let what = format!("{name} is no whole number from 0: use one");
        given
            .map(Some)
            .ok_or_else(|| ApiError::parameter(name, what))
    }

    /// A text or a list of texts, and whether it was a list.
    pub(super) fn texts(&mut self, name: &str) -> Result<(Vec<String>, bool), ApiError> {
        let items = match self.take(name) {
            Some(Json::Text(text)) => return Ok((vec![text], false)),
            Some(Json::List(items)) => items,
            Some(other) => return Err(unfit(name, &other, "a text or a list of texts")),
            None => {
                let what = format!("{name} is missing: send a text or a list of texts");
                return Err(ApiError::parameter(name, what));
            }
        };
        let mut texts = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            match item {
                Json::Text(text) => texts.push(text),
                Json::Number(_) | Json::List(_) => {
                    let what = format!(
                        "{name} holds numbers of tokens, which are those of another model's \
                         tokenizer: send texts (in LangChain: check_embedding_ctx_length=False)"
                    );
                    return Err(ApiError::parameter(name, what));
                }
                other => return Err(unfit(&format!("{name}[{at}]"), &other, "a text")),
            }
        }
        Ok((texts, true))
    }
}

fn unfit(place: &str, value: &Json, takes: &str) -> ApiError {
    let what = format!("{place} is {}: use {takes}", value.kind());
    ApiError::parameter(place, what)
}
