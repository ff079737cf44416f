//! What links entities to MeSH: the table of the user, and the vectors of its
//! names where they were made.

use crate::context::Context;
use crate::error::Result;
use crate::mesh;
use crate::model;
use crate::open::LoadedModel;
use medsift::enrich::link::{Lexicon, Linker, NameVectors};
use std::path::PathBuf;
use std::sync::Arc;

/// Where vectors of names lie: beside the table.
pub(crate) fn dir() -> Result<PathBuf> {
    model::cache_root()
}

/// A linker over the user's table, with the vectors that the model made of its
/// names. Where they are missing a note says what is lost; the small table of
/// the program is not worth one.
pub(crate) fn linker(context: &Context, model: &LoadedModel) -> Result<Linker> {
    let (table, imported) = mesh::table()?;
    let lexicon = Lexicon::new(table);
    let fingerprint = model.encoder.fingerprint();
    let Some(vectors) = NameVectors::read(&dir()?, &fingerprint.sha256, &lexicon)? else {
        if imported {
            context.note(&format!(
                "note: entities are linked to MeSH by their names alone: {} has not embedded \
                 them; `medsift mesh embed --model {}` does",
                fingerprint.name, model.location
            ));
        }
        return Ok(Linker::new(lexicon));
    };
    let encoder = Arc::clone(&model.encoder);
    Ok(Linker::new(lexicon).with_vectors(encoder, vectors)?)
}
