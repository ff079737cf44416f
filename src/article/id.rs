use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

/// Key of an article: its PMID, or the `_id` of a JSONL record.
///
/// At most [`ArticleId::MAX_BYTES`] bytes, no white space, no control
/// characters, so that it stands in TREC run files, URLs and file names of a
/// quarantine without escaping surprises.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ArticleId(Box<str>);

/// Why a text is not an [`ArticleId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArticleIdError {
    /// Nothing there.
    #[error("an article id is empty")]
    Empty,
    /// Longer than [`ArticleId::MAX_BYTES`].
    #[error("an article id of {0} bytes is longer than {max} bytes", max = ArticleId::MAX_BYTES)]
    TooLong(usize),
    /// White space or a control character inside.
    #[error("an article id holds white space or a control character: {0:?}")]
    BadCharacter(String),
}

impl ArticleId {
    /// Longest id that is taken, in bytes.
    pub const MAX_BYTES: usize = 256;

    /// Checks and takes a text as an id. Surrounding white space is dropped.
    pub fn new(text: &str) -> Result<Self, ArticleIdError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ArticleIdError::Empty);
        }
        if text.len() > Self::MAX_BYTES {
            return Err(ArticleIdError::TooLong(text.len()));
        }
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(ArticleIdError::BadCharacter(text.to_owned()));
        }
        Ok(Self(text.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ArticleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for ArticleId {
    type Err = ArticleIdError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

impl TryFrom<String> for ArticleId {
    type Error = ArticleIdError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<ArticleId> for String {
    fn from(id: ArticleId) -> Self {
        id.0.into()
    }
}

impl Borrow<str> for ArticleId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_sources_use() {
        for text in ["11943073", "MED-10", "PMC123", "a/b:c"] {
            assert_eq!(ArticleId::new(text).unwrap().as_str(), text);
        }
        assert_eq!(ArticleId::new(" 7 ").unwrap().as_str(), "7");
    }

    #[test]
    fn refuses_what_would_break_a_run_file() {
        assert_eq!(ArticleId::new("  "), Err(ArticleIdError::Empty));
        assert!(matches!(
            ArticleId::new("a b"),
            Err(ArticleIdError::BadCharacter(_))
        ));
        assert!(matches!(
            ArticleId::new(&"x".repeat(257)),
            Err(ArticleIdError::TooLong(257))
        ));
    }
}
