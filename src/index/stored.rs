use super::completeness::Completeness;
use super::order::{Claim, Day, last_revised, nlm_number};
use crate::article::{Article, ArticleKind};
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
    /// How much the format that it came from can say; full where it is not
    /// written.
    #[serde(default, skip_serializing_if = "Completeness::is_full")]
    pub completeness: Completeness,
    /// The article.
    pub article: Article,
}

impl StoredArticle {
    /// Takes an article as it was read from a file.
    pub(crate) fn new(article: Article, source: &str, completeness: Completeness) -> Result<Self> {
        let bytes = serde_json::to_vec(&article).map_err(internal)?;
        // All files of documents say the same of them.
        let completeness = match article.kind {
            ArticleKind::Document => Completeness::Citation,
            ArticleKind::Journal | ArticleKind::Book => completeness,
        };
        Ok(Self {
            source: source.to_owned(),
            content: sha256(&bytes),
            completeness,
            article,
        })
    }

    pub(super) fn claim(&self) -> Claim<'_> {
        Claim {
            version: self.article.version,
            content: &self.content,
            file: nlm_number(&self.source),
            completeness: self.completeness,
            revised: self.revised(),
        }
    }

    /// When the record was last revised.
    pub(super) fn revised(&self) -> Option<Day> {
        last_revised(&self.article)
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(internal)
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut stored: Self = serde_json::from_slice(bytes).map_err(|e| {
            Error::new(
                ErrorKind::Corrupt,
                format!("a stored article cannot be read: {e}; run `medsift verify`"),
            )
        })?;
        // An index that was made before this was recorded does not say so.
        if stored.article.kind == ArticleKind::Document {
            stored.completeness = Completeness::Citation;
        }
        Ok(stored)
    }
}

fn internal(e: serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("cannot store an article: {e}"))
}
