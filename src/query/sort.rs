use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// In which order hits are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Best first.
    #[default]
    Relevance,
    /// Newest first, by the day of publication; articles without any last.
    Date,
}

impl Sort {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 2] = [Self::Relevance, Self::Date];

    /// The name in requests and responses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Date => "date",
        }
    }
}

impl FromStr for Sort {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|sort| sort.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "sort",
                    format!("unknown order {text:?}: use relevance or date"),
                )
            })
    }
}
