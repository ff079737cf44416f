//! Entities of texts that are not in the index.

use super::Searcher;
use crate::enrich::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::trace::stage;
use serde::Serialize;
use std::time::Instant;

/// Entities of texts, and what found them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotateResponse {
    /// The texts in their order.
    pub documents: Vec<AnnotatedText>,
    /// The encoder, as its fingerprint has it.
    pub model: String,
    /// The head over it.
    pub head: String,
    /// Milliseconds that it took.
    pub took_ms: f64,
}

/// Entities of one text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotatedText {
    /// In the order of the text.
    pub entities: Vec<Entity>,
}

/// What whoever asks is told where the model has no head for entities.
pub const NO_ENTITIES: &str = "texts cannot be annotated: the model has no head for entities \
                               (search.enrich.head names it; `medsift train run \
                               config/train/ner.toml` makes one)";

impl Searcher {
    /// Finds the entities of texts, with their concepts where they are known.
    ///
    /// # Errors
    ///
    /// `InvalidInput` where the model has no head for entities
    /// ([`can_enrich`](Self::can_enrich)).
    pub fn annotate(&self, texts: &[&str]) -> Result<AnnotateResponse> {
        let start = Instant::now();
        let Some(enricher) = &self.extras.enricher else {
            return Err(Error::new(ErrorKind::InvalidInput, NO_ENTITIES));
        };
        let _stage = stage!("enrich");
        let found = enricher.entities(texts)?.into_iter();
        Ok(AnnotateResponse {
            documents: found.map(|entities| AnnotatedText { entities }).collect(),
            model: enricher.model().to_owned(),
            head: enricher.head().to_owned(),
            took_ms: start.elapsed().as_secs_f64() * 1e3,
        })
    }
}
