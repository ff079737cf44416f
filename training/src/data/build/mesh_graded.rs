//! Pairs of articles graded by the MeSH headings that they share.

use super::{ArticleText, Collection, MeshLabels, MeshTree, MeshWeights};
use crate::data::random::generator;
use crate::example::{Example, Label};
use medsift::{Error, Result};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Equal parts of the range of similarities from which pairs are drawn evenly.
const GRADES: usize = 5;

/// How graded pairs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeshGradedSettings {
    /// Text of the articles.
    pub text: ArticleText,
    /// Pairs that each article begins.
    pub per_article: usize,
    /// Articles looked at for each pair.
    pub candidates: usize,
    /// Scores that stand for the similarities 0 and 1. The default makes the
    /// similarity itself the target of a cosine in the STS objective, whose
    /// target is `score / 2.5 - 1`.
    pub score_range: [f32; 2],
    /// How headings count.
    pub weights: MeshWeights,
    /// Seed.
    pub seed: u64,
}

impl Default for MeshGradedSettings {
    fn default() -> Self {
        Self {
            text: ArticleText::TitleAndAbstract,
            per_article: 4,
            candidates: 16,
            score_range: [2.5, 5.0],
            weights: MeshWeights::default(),
            seed: 0,
        }
    }
}

/// Pairs with a score, at most one for two articles. Two articles drawn at
/// random hardly ever share a rare heading, so half of the candidates come
/// from the article's own headings, and of the candidates those are taken
/// whose grade is rarest so far.
///
/// # Errors
/// When the range of scores does not rise.
pub fn mesh_graded(
    collection: &Collection,
    tree: &MeshTree,
    settings: &MeshGradedSettings,
) -> Result<Vec<Example>> {
    let [low, high] = settings.score_range;
    if !(low.is_finite() && high.is_finite() && low < high) {
        return Err(Error::invalid(
            "score_range",
            format!("`score_range` [{low}, {high}] does not rise"),
        ));
    }
    let labels = MeshLabels::new(collection, tree, &settings.weights);
    let mut pairs = Pairs {
        collection,
        tree,
        labels: &labels,
        seen: HashSet::new(),
        grades: [0; GRADES],
    };
    let mut examples = Vec::new();
    for article in 0..collection.entries.len() {
        let Some(anchor) = settings.text.of(&collection.entries[article]) else {
            continue;
        };
        let mut random = generator(settings.seed, "mesh", &[article as u64]);
        for _ in 0..settings.per_article {
            let Some((other, similarity)) = pairs.draw(article, settings, &mut random) else {
                continue;
            };
            let Some(text) = settings.text.of(&collection.entries[other]) else {
                continue;
            };
            examples.push(Example {
                texts: vec![anchor.clone(), text],
                label: Label::Score(low + similarity * (high - low)),
            });
        }
    }
    Ok(examples)
}

struct Pairs<'a> {
    collection: &'a Collection,
    tree: &'a MeshTree,
    labels: &'a MeshLabels,
    seen: HashSet<(usize, usize)>,
    grades: [usize; GRADES],
}

impl Pairs<'_> {
    /// A partner of an article, and their similarity.
    fn draw(
        &mut self,
        article: usize,
        settings: &MeshGradedSettings,
        random: &mut impl Rng,
    ) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for turn in 0..settings.candidates {
            let Some(other) = self.candidate(article, turn % 2 == 0, random) else {
                continue;
            };
            let pair = (article.min(other), article.max(other));
            if other == article
                || self.seen.contains(&pair)
                || settings.text.of(&self.collection.entries[other]).is_none()
            {
                continue;
            }
            let Some(similarity) = self.labels.similarity(article, other) else {
                continue;
            };
            let rarer = |known: f32| self.grades[grade(similarity)] < self.grades[grade(known)];
            if best.is_none_or(|(_, known)| rarer(known)) {
                best = Some((other, similarity));
            }
        }
        let (other, similarity) = best?;
        self.seen.insert((article.min(other), article.max(other)));
        self.grades[grade(similarity)] += 1;
        Some((other, similarity))
    }

    /// An article with one of the same headings, or any article.
    fn candidate(&self, article: usize, related: bool, random: &mut impl Rng) -> Option<usize> {
        let entries = &self.collection.entries;
        if !related {
            return Some(random.random_range(0..entries.len()));
        }
        let mesh = &entries[article].mesh;
        if mesh.is_empty() {
            return None;
        }
        let heading = &mesh[random.random_range(0..mesh.len())];
        let articles = self
            .labels
            .articles_of(self.tree.find(&heading.descriptor)?);
        (!articles.is_empty()).then(|| articles[random.random_range(0..articles.len())])
    }
}

fn grade(similarity: f32) -> usize {
    ((similarity * GRADES as f32) as usize).min(GRADES - 1)
}
