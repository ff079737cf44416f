//! Segments and deletions at one moment, and the search over them.

use super::search::{Asked, Live, search_segment};
use super::segment::Segment;
use crate::deadline::{Deadline, Expired};
use crate::error::{Error, Result};
use crate::key::ArticleKey;
use rayon::prelude::*;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// How a search goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The graph where it is faster, the exact scan elsewhere.
    #[default]
    Auto,
    /// The exact scan everywhere: the oracle.
    Exact,
    /// The graph wherever there is one, completed by the exact scan where the
    /// graph does not find enough articles.
    Graph,
}

/// An article that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VectorHit {
    /// The article.
    pub key: ArticleKey,
    /// Cosine of the query and the article's best passage.
    pub score: f32,
    /// That passage's place in the article, from 0.
    pub ordinal: u32,
    /// Its byte range in the article's running text.
    pub range: Range<u32>,
}

/// The vector side at one moment.
#[derive(Debug, Clone, Default)]
pub struct VectorSnapshot {
    segments: Arc<[Arc<Segment>]>,
    deleted: Arc<RoaringBitmap>,
    deadline: Deadline,
}

impl VectorSnapshot {
    /// A snapshot of segments, of which no two share a key, without the keys
    /// that are deleted.
    pub fn new(segments: Vec<Arc<Segment>>, deleted: Arc<RoaringBitmap>) -> Self {
        Self {
            segments: segments.into(),
            deleted,
            deadline: Deadline::NEVER,
        }
    }

    /// The same for searches that have to be over by a deadline.
    #[must_use]
    pub fn until(&self, deadline: Deadline) -> Self {
        Self {
            deadline,
            ..self.clone()
        }
    }

    /// Its segments.
    pub fn segments(&self) -> &[Arc<Segment>] {
        &self.segments
    }

    /// The keys that are deleted.
    pub fn deleted(&self) -> &RoaringBitmap {
        &self.deleted
    }

    /// The `k` articles whose best passage is nearest to a query, best first;
    /// equal scores in the order of keys.
    ///
    /// `query` is a unit vector. `ef` is the width of the walk through a graph:
    /// larger finds more and takes longer; it is raised to `k`. Articles that
    /// are deleted or not in `allowed` are passed over during retrieval. When
    /// `k` articles are left, `k` are returned.
    ///
    /// Segments, and parts of large ones, are searched on the caller's rayon
    /// pool.
    ///
    /// # Errors
    /// When the query has another dimension than the segments or holds
    /// something that is not a finite number; `TimedOut` when the search was not
    /// over at its deadline.
    pub fn search(
        &self,
        query: &[f32],
        k: usize,
        ef: usize,
        strategy: Strategy,
        allowed: Option<&RoaringBitmap>,
    ) -> Result<Vec<VectorHit>> {
        self.check(query)?;
        if k == 0 {
            return Ok(Vec::new());
        }
        let live = Live {
            deleted: &self.deleted,
            allowed,
        };
        let asked = Asked {
            query,
            k,
            ef: ef.max(k),
            strategy,
            live,
            deadline: self.deadline,
        };
        let one = |segment: &Arc<Segment>| search_segment(segment, asked);
        let mut hits = match &self.segments[..] {
            [segment] => one(segment).map_err(Expired::error)?,
            segments => {
                let found: std::result::Result<Vec<_>, _> = segments.par_iter().map(one).collect();
                found
                    .map_err(Expired::error)?
                    .into_iter()
                    .flatten()
                    .collect()
            }
        };
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        hits.truncate(k);
        Ok(hits)
    }

    fn check(&self, query: &[f32]) -> Result<()> {
        for segment in self.segments.iter() {
            let dimension = segment.meta().dimension;
            if query.len() != dimension {
                return Err(Error::invalid(
                    "vector",
                    format!(
                        "the query vector has {} numbers, the index {dimension}: use the model \
                         that made the index",
                        query.len()
                    ),
                ));
            }
        }
        if query.iter().all(|number| number.is_finite()) {
            Ok(())
        } else {
            Err(Error::invalid(
                "vector",
                "the query vector holds something that is not a finite number",
            ))
        }
    }
}
