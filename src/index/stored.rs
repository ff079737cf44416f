use super::order::{Claim, nlm_number};
use crate::article::Article;
use crate::digest::sha256;
use crate::error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

/// An article with what the index knows about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredArticle {
    /// Name of the file that it came from.
    pub source: String,
    /// SHA-256 of the article's content, in hexadecimal: equal content is not
    /// indexed twice.
    pub content: String,
    /// The article.
    pub article: Article,
}

impl StoredArticle {
    /// Takes an article as it was read from a file.
    pub(crate) fn new(article: Article, source: &str) -> Result<Self> {
        let bytes = serde_json::to_vec(&article).map_err(internal)?;
        Ok(Self {
            source: source.to_owned(),
            content: sha256(&bytes),
            article,
        })
    }

    pub(super) fn claim(&self) -> Claim<'_> {
        Claim {
            version: self.article.version,
            content: &self.content,
            file: nlm_number(&self.source),
        }
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(internal)
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(|e| {
            Error::new(
                ErrorKind::Corrupt,
                format!("a stored article cannot be read: {e}; run `medsift verify`"),
            )
        })
    }
}

fn internal(e: serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("cannot store an article: {e}"))
}
