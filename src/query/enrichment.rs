use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What is found in the hits beside the words that were searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Enrichment {
    /// Named entities, in title and text.
    Entities,
    /// What they have to do with each other; the entities come with it.
    Relations,
}

impl Enrichment {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 2] = [Self::Entities, Self::Relations];

    /// The name in requests and responses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Entities => "entities",
            Self::Relations => "relations",
        }
    }
}

impl FromStr for Enrichment {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|one| one.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "enrich",
                    format!("unknown enrichment {text:?}: use entities or relations"),
                )
            })
    }
}
