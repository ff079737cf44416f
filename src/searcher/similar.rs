//! The articles that are nearest to one of the index.

use super::findings::Asked;
use super::page::Marks;
use super::{Hit, Searcher};
use crate::article::ArticleId;
use crate::encoder::normalise;
use crate::error::{Error, Result};
use crate::fusion::{Fused, SideRank};
use crate::key::ArticleKey;
use crate::keyword::Scope;
use crate::query::Filter;
use crate::trace::stage;
use crate::vector::Strategy;
use serde::Serialize;

/// The nearest articles to one.
#[derive(Debug, Clone, Serialize)]
pub struct SimilarResponse {
    /// The article that the others are like.
    pub id: ArticleId,
    /// The filter that every hit passes.
    #[serde(skip_serializing_if = "Filter::is_empty")]
    pub filter: Filter,
    /// The nearest articles, nearest first, with the cosine as score. The
    /// article itself is not among them.
    pub hits: Vec<Hit>,
    /// What the user should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Which model made the vectors.
    pub model: String,
    /// Which committed state answered.
    pub generation: u64,
}

impl Searcher {
    /// The articles whose best passage is nearest to the mean of an article's
    /// passages, without the article itself. The vectors are those of the
    /// index, so that no model is needed. `None` where there is no such article.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for a filter that cannot be met or a limit out of bounds.
    pub fn similar(
        &self,
        id: &ArticleId,
        filter: &Filter,
        limit: Option<usize>,
    ) -> Result<Option<SimilarResponse>> {
        filter.check()?;
        let defaults = &self.settings.query;
        let limit = limit.unwrap_or(defaults.limit);
        if limit == 0 || limit > defaults.max_limit {
            return Err(Error::invalid(
                "limit",
                format!("limit is {limit}: use 1 to {}", defaults.max_limit),
            ));
        }
        let Some(key) = self.keyword.key_of(id)? else {
            return Ok(None);
        };
        let mut response = SimilarResponse {
            id: id.clone(),
            filter: filter.clone(),
            hits: Vec::new(),
            warnings: self.unknown_filter_values(filter)?,
            model: self.commit.model.name.clone(),
            generation: self.commit.generation,
        };
        let findings = self.not_enriched(Asked::by(filter))?;
        response.warnings.extend(findings);
        match self.centre(key) {
            Some(centre) => response.hits = self.around(key, &centre, filter, limit)?,
            None => response
                .warnings
                .push("the article has no text that could be compared".to_owned()),
        }
        Ok(Some(response))
    }

    /// The mean of an article's vectors, of length one.
    fn centre(&self, key: ArticleKey) -> Option<Vec<f32>> {
        let mut sum: Option<Vec<f32>> = None;
        for segment in self.vectors.segments() {
            for row in segment.article_passages(key) {
                let vector = segment.passage(row).vector;
                let sum = sum.get_or_insert_with(|| vec![0.0; vector.len()]);
                for (sum, number) in sum.iter_mut().zip(vector) {
                    *sum += number;
                }
            }
        }
        let mut centre = sum?;
        normalise(&mut centre);
        // Vectors that cancel each other out have no direction.
        let is_unit = centre.iter().any(|&number| number != 0.0);
        (is_unit && centre.iter().all(|number| number.is_finite())).then_some(centre)
    }

    fn around(
        &self,
        key: ArticleKey,
        centre: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Hit>> {
        let allowed = (!filter.is_empty())
            .then(|| self.keyword.matching_in(&Scope::of(filter)))
            .transpose()?;
        // One more than is wanted: the article is nearest to itself.
        let ef = self.settings.ef_search.max(limit + 1);
        let strategy = Strategy::Auto;
        let found = {
            let _stage = stage!("retrieve");
            self.vectors
                .search(centre, limit + 1, ef, strategy, allowed.as_ref())?
        };
        let _stage = stage!("fetch");
        let others = found.iter().filter(|hit| hit.key != key).take(limit);
        (1..)
            .zip(others)
            .map(|(rank, nearest)| {
                let score = nearest.score;
                let fused = Fused {
                    key: nearest.key,
                    score,
                    keyword: None,
                    semantic: Some(SideRank { rank, score }),
                };
                self.hit(&fused, rank as usize, Some(nearest), &mut Marks::none())
            })
            .collect()
    }
}
