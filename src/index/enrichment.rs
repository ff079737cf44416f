//! What was found in an article, as the index keeps it.

use crate::enrich::{ArticleFindings, LookupValues};
use crate::error::{Error, ErrorKind, Result};
use crate::keyword::Findings;
use serde::{Deserialize, Serialize};

/// What was found in an article, and by what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredFindings {
    /// [`crate::enrich::Recipe::digest`] of what found it.
    pub recipe: String,
    /// What was found.
    #[serde(flatten)]
    pub found: ArticleFindings,
}

impl StoredFindings {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(|error| {
            Error::new(
                ErrorKind::Corrupt,
                format!("stored findings cannot be read: {error}; run `medsift verify`"),
            )
        })
    }

    /// As the keyword side keeps them.
    pub(super) fn to_keyword(&self) -> Result<Findings> {
        let values = LookupValues::of(&self.found);
        let stored = serde_json::to_vec(self).map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot store findings: {error}"),
            )
        })?;
        Ok(Findings {
            stored,
            by: self.recipe.clone(),
            entities: values.entities.into_iter().collect(),
            relations: values.relations.into_iter().collect(),
            counted: values
                .counted
                .into_iter()
                .map(|one| [one.value, one.kind, one.name])
                .collect(),
        })
    }
}
