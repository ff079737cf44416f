//! Articles with the vectors that the index holds of them.

use super::{Searcher, Walk};
use crate::error::Result;
use crate::index::StoredArticle;
use crate::key::ArticleKey;
use crate::trace::stage;
use std::ops::Range;

/// An article and the passages under which it is found.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedArticle {
    /// The article.
    pub stored: StoredArticle,
    /// Its passages in order; none where it has no text.
    pub passages: Vec<EmbeddedPassage>,
}

/// A passage with its vector.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedPassage {
    /// Place among the article's passages, from 0.
    pub ordinal: u32,
    /// Byte range in the article's running text
    /// ([`crate::article::RunningText`]).
    pub range: Range<u32>,
    /// Unit vector of the model's dimension, as the index holds it.
    pub vector: Vec<f32>,
}

impl Searcher {
    /// As [`advance`](Self::advance), with the vectors of each article.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn advance_embedded(&self, walk: &mut Walk, most: usize) -> Result<Vec<EmbeddedArticle>> {
        let _stage = stage!("fetch");
        let keys = self.next_keys(walk, most)?;
        let embedded = |key| {
            Ok(EmbeddedArticle {
                stored: self.stored(key)?,
                passages: self.passages_of(key),
            })
        };
        keys.into_iter().map(embedded).collect()
    }

    fn passages_of(&self, key: ArticleKey) -> Vec<EmbeddedPassage> {
        // No two segments share a key.
        let rows = self.vectors.segments().iter().find_map(|segment| {
            let rows = segment.article_passages(key);
            (!rows.is_empty()).then_some((segment, rows))
        });
        let Some((segment, rows)) = rows else {
            return Vec::new();
        };
        rows.map(|row| {
            let row = segment.passage(row);
            EmbeddedPassage {
                ordinal: row.ordinal,
                range: row.range,
                vector: row.vector.to_vec(),
            }
        })
        .collect()
    }
}
