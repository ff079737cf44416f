//! Which model made the vectors of a file: entries of the schema's metadata.

use super::schema::{DIMENSION, FORMAT, MODEL, NORMALISED, PASSAGES, POOLING, VERSION};
use crate::encoder::ModelFingerprint;
use crate::index::{Commit, PassageMode};
use arrow::datatypes::Metadata;

/// What the vectors of a file are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorModel {
    /// The model that made them.
    pub model: ModelFingerprint,
    /// How articles became passages.
    pub passages: PassageMode,
    /// Whether they have length 1 already; those of an index have.
    pub normalised: bool,
}

impl VectorModel {
    /// What the vectors of an index are.
    pub fn of(commit: &Commit) -> Self {
        Self {
            model: commit.model.clone(),
            passages: commit.passages,
            // An index holds unit vectors, whatever its model gives.
            normalised: true,
        }
    }

    /// Entries of the metadata of a schema.
    ///
    /// # Errors
    /// Where the fingerprint cannot be written as JSON.
    pub fn entries(&self) -> Result<Vec<(&'static str, String)>, serde_json::Error> {
        let passages = match self.passages {
            PassageMode::On => "on",
            PassageMode::Off => "off",
        };
        Ok(vec![
            (MODEL, serde_json::to_string(&self.model)?),
            (DIMENSION, self.model.dimension.to_string()),
            (POOLING, self.model.pooling.to_string()),
            (NORMALISED, self.normalised.to_string()),
            (PASSAGES, passages.to_owned()),
        ])
    }

    /// Reads them.
    ///
    /// # Errors
    /// In words, where an entry is missing or makes no sense.
    pub(super) fn read(metadata: &Metadata) -> Result<Self, String> {
        let entry = |key: &str| metadata.get(key).map(String::as_str);
        let Some(model) = entry(MODEL) else {
            return Err(format!(
                "has vectors and does not say of which model: its schema's metadata has no entry \
                 `{MODEL}` (docs/data.md); write it, or leave the vectors out with --reencode"
            ));
        };
        let wrong = |key: &str, what: String| {
            format!("has a wrong entry `{key}` in its schema's metadata: {what}")
        };
        let model: ModelFingerprint =
            serde_json::from_str(model).map_err(|error| wrong(MODEL, error.to_string()))?;
        for (key, expected) in [
            (DIMENSION, model.dimension.to_string()),
            (POOLING, model.pooling.to_string()),
        ] {
            if let Some(found) = entry(key).filter(|found| *found != expected) {
                return Err(wrong(key, format!("{found}, and {MODEL} says {expected}")));
            }
        }
        Ok(Self {
            passages: match entry(PASSAGES) {
                Some("on") | None => PassageMode::On,
                Some("off") => PassageMode::Off,
                Some(other) => return Err(wrong(PASSAGES, format!("{other:?} is not on or off"))),
            },
            normalised: match entry(NORMALISED) {
                Some("true") => true,
                Some("false") | None => false,
                Some(other) => {
                    return Err(wrong(NORMALISED, format!("{other:?} is not true or false")));
                }
            },
            model,
        })
    }
}

/// Refuses a version that a later medsift may write; files of other programs
/// need not name any.
pub(super) fn check_version(metadata: &Metadata) -> Result<(), String> {
    match metadata.get(FORMAT) {
        Some(found) if *found != VERSION => Err(format!(
            "has version {found} of medsift's columns, this medsift reads {VERSION}: use the \
             medsift that wrote it, or a newer one"
        )),
        _ => Ok(()),
    }
}
