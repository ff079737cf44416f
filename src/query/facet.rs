use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What is counted over the articles that a search finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FacetField {
    /// Years of publication, all of them.
    Year,
    /// Journals, by their short title.
    Journal,
    /// Publication types.
    Type,
    /// MeSH headings, without qualifiers.
    Mesh,
    /// Entities that were found in articles, by their concept where they have
    /// one.
    Entity,
}

impl FacetField {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 5] = [
        Self::Year,
        Self::Journal,
        Self::Type,
        Self::Mesh,
        Self::Entity,
    ];

    /// The name in requests and responses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Journal => "journal",
            Self::Type => "type",
            Self::Mesh => "mesh",
            Self::Entity => "entity",
        }
    }
}

impl FromStr for FacetField {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|field| field.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "facets",
                    format!("unknown facet {text:?}: use year, journal, type, mesh or entity"),
                )
            })
    }
}
