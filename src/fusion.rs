//! Joins the ranked lists of the two sides into one: pure functions over keys.
//!
//! Two ways: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)
//! looks at ranks alone; weighted fusion looks at the scores, each side scaled
//! to 0–1 over its own candidates (min–max) before they are added.

use crate::error::{Error, Result};
use crate::key::ArticleKey;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How two ranked lists become one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case", deny_unknown_fields)]
pub enum Fusion {
    /// Reciprocal rank fusion: the sum over sides of `weight / (k + rank)`.
    Rrf {
        /// Constant that flattens the top ranks; 60 in the paper.
        #[serde(default = "default_k")]
        k: f32,
        /// Share of the semantic side, 0 to 1; the keyword side has the rest.
        #[serde(default = "half")]
        semantic_weight: f32,
    },
    /// Weighted sum of the min–max scaled scores.
    Weighted {
        /// Share of the semantic side, 0 to 1; the keyword side has the rest.
        #[serde(default = "half")]
        semantic_weight: f32,
    },
}

fn default_k() -> f32 {
    60.0
}

fn half() -> f32 {
    0.5
}

impl Default for Fusion {
    fn default() -> Self {
        Self::Weighted {
            semantic_weight: 0.5,
        }
    }
}

impl Fusion {
    /// Refuses weights outside 0–1 and a constant that is not positive.
    pub fn check(&self) -> Result<()> {
        let weight = match self {
            Self::Rrf { k, semantic_weight } => {
                if !(k.is_finite() && *k > 0.0) {
                    return Err(Error::invalid(
                        "fusion.k",
                        format!("fusion.k is {k}: use a positive number"),
                    ));
                }
                *semantic_weight
            }
            Self::Weighted { semantic_weight } => *semantic_weight,
        };
        if (0.0..=1.0).contains(&weight) {
            Ok(())
        } else {
            Err(Error::invalid(
                "fusion.semantic_weight",
                format!("fusion.semantic_weight is {weight}: use 0 to 1"),
            ))
        }
    }
}

/// An article's place on one side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SideRank {
    /// From 1.
    pub rank: u32,
    /// The side's own score: BM25, or cosine similarity.
    pub score: f32,
}

/// An article in the joined list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fused {
    /// Which article.
    pub key: ArticleKey,
    /// The joined score; higher is better.
    pub score: f32,
    /// Place on the keyword side, where it was found there.
    pub keyword: Option<SideRank>,
    /// Place on the semantic side, where it was found there.
    pub semantic: Option<SideRank>,
}

/// Joins two lists, each in its own order, best first, without repetition.
///
/// The result is sorted by score, then by key, so equal input gives equal
/// output.
pub fn fuse(
    fusion: &Fusion,
    keyword: &[(ArticleKey, f32)],
    semantic: &[(ArticleKey, f32)],
) -> Vec<Fused> {
    let mut joined: HashMap<ArticleKey, Fused> =
        HashMap::with_capacity(keyword.len() + semantic.len());
    let empty = |key| Fused {
        key,
        score: 0.0,
        keyword: None,
        semantic: None,
    };
    for (rank, &(key, score)) in (1..).zip(keyword) {
        joined.entry(key).or_insert_with(|| empty(key)).keyword = Some(SideRank { rank, score });
    }
    for (rank, &(key, score)) in (1..).zip(semantic) {
        joined.entry(key).or_insert_with(|| empty(key)).semantic = Some(SideRank { rank, score });
    }
    let keyword_scale = Scale::over(keyword);
    let semantic_scale = Scale::over(semantic);
    let mut fused: Vec<Fused> = joined
        .into_values()
        .map(|mut article| {
            article.score = match *fusion {
                Fusion::Rrf { k, semantic_weight } => {
                    let part = |place: Option<SideRank>| {
                        place.map_or(0.0, |place| 1.0 / (k + place.rank as f32))
                    };
                    (1.0 - semantic_weight) * part(article.keyword)
                        + semantic_weight * part(article.semantic)
                }
                Fusion::Weighted { semantic_weight } => {
                    let part = |place: Option<SideRank>, scale: Scale| {
                        place.map_or(0.0, |place| scale.apply(place.score))
                    };
                    (1.0 - semantic_weight) * part(article.keyword, keyword_scale)
                        + semantic_weight * part(article.semantic, semantic_scale)
                }
            };
            article
        })
        .collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
    fused
}

/// Maps the scores of one side's candidates onto 0–1.
#[derive(Clone, Copy)]
struct Scale {
    lowest: f32,
    width: f32,
}

impl Scale {
    fn over(list: &[(ArticleKey, f32)]) -> Self {
        let scores = || list.iter().map(|&(_, score)| score);
        let lowest = scores().fold(f32::INFINITY, f32::min);
        let highest = scores().fold(f32::NEG_INFINITY, f32::max);
        Self {
            lowest,
            width: highest - lowest,
        }
    }

    /// A side with one distinct score says 1 of all that it found.
    fn apply(self, score: f32) -> f32 {
        if self.width > 0.0 {
            (score - self.lowest) / self.width
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RRF: Fusion = Fusion::Rrf {
        k: 60.0,
        semantic_weight: 0.5,
    };
    const WEIGHTED: Fusion = Fusion::Weighted {
        semantic_weight: 0.5,
    };

    fn list(keys: &[u32]) -> Vec<(ArticleKey, f32)> {
        (0..)
            .zip(keys)
            .map(|(place, &key)| (ArticleKey(key), 10.0 - place as f32))
            .collect()
    }

    fn keys(fused: &[Fused]) -> Vec<u32> {
        fused.iter().map(|article| article.key.0).collect()
    }

    #[test]
    fn rrf_adds_the_reciprocal_ranks() {
        let fused = fuse(&RRF, &list(&[1, 2]), &list(&[2, 3]));
        assert_eq!(keys(&fused), [2, 1, 3]);
        let expected = 0.5 / 62.0 + 0.5 / 61.0;
        assert!((fused[0].score - expected).abs() < 1e-7);
        assert_eq!(fused[1].semantic, None);
    }

    #[test]
    fn weighted_scales_each_side_to_one() {
        let keyword = [(ArticleKey(1), 30.0), (ArticleKey(2), 10.0)];
        let semantic = [(ArticleKey(2), 0.9), (ArticleKey(1), 0.5)];
        let weighted = Fusion::Weighted {
            semantic_weight: 0.75,
        };
        let fused = fuse(&weighted, &keyword, &semantic);
        assert_eq!(keys(&fused), [2, 1]);
        assert!((fused[0].score - 0.75).abs() < 1e-6);
        assert!((fused[1].score - 0.25).abs() < 1e-6);
    }

    #[test]
    fn equal_scores_are_ordered_by_key() {
        let same = [(ArticleKey(9), 1.0), (ArticleKey(4), 1.0)];
        assert_eq!(keys(&fuse(&WEIGHTED, &same, &[])), [4, 9]);
    }

    #[test]
    fn nonsense_is_refused() {
        for fusion in [
            Fusion::Rrf {
                k: 0.0,
                semantic_weight: 0.5,
            },
            Fusion::Weighted {
                semantic_weight: 1.5,
            },
            Fusion::Weighted {
                semantic_weight: f32::NAN,
            },
        ] {
            assert!(fusion.check().is_err(), "{fusion:?}");
        }
    }

    fn ranked() -> impl Strategy<Value = Vec<(ArticleKey, f32)>> {
        prop::collection::btree_map(0u32..40, -50f32..50.0, 0..30).prop_map(|scores| {
            let mut list: Vec<_> = scores
                .into_iter()
                .map(|(k, s)| (ArticleKey(k), s))
                .collect();
            list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            list
        })
    }

    proptest! {
        #[test]
        fn every_article_comes_out_once_with_its_ranks(
            keyword in ranked(),
            semantic in ranked(),
            rrf in any::<bool>(),
        ) {
            let fused = fuse(if rrf { &RRF } else { &WEIGHTED }, &keyword, &semantic);
            let mut expected: Vec<u32> =
                keyword.iter().chain(&semantic).map(|&(key, _)| key.0).collect();
            expected.sort_unstable();
            expected.dedup();
            let mut got = keys(&fused);
            got.sort_unstable();
            prop_assert_eq!(got, expected);
            for article in &fused {
                prop_assert!((0.0..=1.0).contains(&article.score));
                for (place, side) in [(article.keyword, &keyword), (article.semantic, &semantic)] {
                    if let Some(place) = place {
                        let (key, score) = side[place.rank as usize - 1];
                        prop_assert_eq!((key, score), (article.key, place.score));
                    }
                }
            }
            prop_assert!(fused.windows(2).all(|pair| pair[0].score >= pair[1].score));
        }

        #[test]
        fn an_article_better_on_both_sides_comes_first(keyword in ranked(), rrf in any::<bool>()) {
            let fused = fuse(if rrf { &RRF } else { &WEIGHTED }, &keyword, &keyword);
            let in_order: Vec<u32> = keyword.iter().map(|&(key, _)| key.0).collect();
            prop_assert_eq!(keys(&fused), in_order);
        }
    }
}
