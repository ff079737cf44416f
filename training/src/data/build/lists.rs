//! Lists of passages with a teacher's scores, for listwise distillation.

use super::queries::positive;
use super::{ArticleText, Collection, PseudoQuery};
use crate::data::random::generator;
use crate::example::{Example, Label};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// How a ranking becomes a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ListSettings {
    /// Passages of a list.
    pub passages: usize,
    /// Of these, the first of the ranking.
    pub top: usize,
    /// The others are drawn from the places behind them, down to this one.
    pub depth: usize,
    /// Seed of the draw.
    pub seed: u64,
}

impl Default for ListSettings {
    fn default() -> Self {
        Self {
            passages: 8,
            top: 4,
            depth: 100,
            seed: 0,
        }
    }
}

/// A list for a query from a teacher's ranking of the collection's articles,
/// the best first. `number` tells the query from others with the same seed.
/// `None` where the ranking is too short.
///
/// Near misses come from far enough down that some are misses, and from high
/// enough that the teacher had a reason to find them. Where the query is a
/// piece of one of the articles, that piece is taken out of it: what is found
/// word for word teaches little.
pub fn list(
    collection: &Collection,
    query: &PseudoQuery,
    number: usize,
    ranking: &[(usize, f32)],
    settings: &ListSettings,
) -> Option<Example> {
    let mut seen = HashSet::new();
    let found: Vec<(Arc<str>, f32)> = ranking
        .iter()
        .filter_map(|&(article, score)| {
            let entry = collection.entries.get(article)?;
            let text = if Some(article) == query.article {
                positive(query, entry)
            } else {
                ArticleText::TitleAndAbstract.of(entry)
            };
            Some((text?, score))
        })
        .filter(|(text, _)| seen.insert(Arc::clone(text)))
        .take(settings.depth.max(settings.passages))
        .collect();
    if found.len() < settings.passages {
        return None;
    }
    let top = settings.top.min(settings.passages);
    let mut places: Vec<usize> = (top..found.len()).collect();
    places.shuffle(&mut generator(settings.seed, "lists", &[number as u64]));
    places.truncate(settings.passages - top);
    places.sort_unstable();
    let mut texts = vec![Arc::clone(&query.text)];
    let mut scores = Vec::with_capacity(settings.passages);
    for place in (0..top).chain(places) {
        let (text, score) = &found[place];
        texts.push(Arc::clone(text));
        scores.push(*score);
    }
    Some(Example {
        texts,
        label: Label::Scores(scores),
    })
}
