//! Pairs of articles of which one cites the other.

use super::{ArticleText, Collection};
use crate::data::random::generator;
use crate::example::{Example, Label};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// How citation pairs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CitationSettings {
    /// Text of the cited article, the anchor.
    pub cited: ArticleText,
    /// Text of the citing article, the positive.
    pub citing: ArticleText,
    /// Most pairs of one citing article.
    pub per_article: usize,
    /// Most pairs of one cited article: some are cited by everybody.
    pub per_cited: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for CitationSettings {
    fn default() -> Self {
        Self {
            cited: ArticleText::Title,
            citing: ArticleText::TitleAndAbstract,
            per_article: 5,
            per_cited: 5,
            seed: 0,
        }
    }
}

/// Pairs of a cited and a citing article, both in the collection and both
/// with the text that is asked for. Where two articles cite each other one
/// pair is made.
pub fn citations(collection: &Collection, settings: &CitationSettings) -> Vec<Example> {
    let mut cited_times = vec![0; collection.entries.len()];
    let mut made = std::collections::HashSet::new();
    let mut examples = Vec::new();
    for (citing, entry) in collection.entries.iter().enumerate() {
        let Some(positive) = settings.citing.of(entry) else {
            continue;
        };
        let mut cited = collection.cited_by(entry);
        cited.shuffle(&mut generator(settings.seed, "citations", &[citing as u64]));
        let mut own = 0;
        for at in cited {
            if own == settings.per_article {
                break;
            }
            let pair = (citing.min(at), citing.max(at));
            if cited_times[at] == settings.per_cited || made.contains(&pair) {
                continue;
            }
            let Some(anchor) = settings.cited.of(&collection.entries[at]) else {
                continue;
            };
            made.insert(pair);
            cited_times[at] += 1;
            own += 1;
            examples.push(Example {
                texts: vec![anchor, positive.clone()],
                label: Label::None,
            });
        }
    }
    examples
}
