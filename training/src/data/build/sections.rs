//! Triplets of sentences after Dor et al. 2018 (<https://aclanthology.org/P18-2009>):
//! two sentences of one section belong together more closely than one of
//! another section of the same article.

use super::Collection;
use crate::data::random::generator;
use crate::example::{Example, Label};
use medsift::passage::sentences;
use rand::Rng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// How section triplets are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SectionSettings {
    /// Most triplets of one article.
    pub per_article: usize,
    /// Shorter sentences are not drawn, in characters.
    pub min_characters: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for SectionSettings {
    fn default() -> Self {
        Self {
            per_article: 4,
            min_characters: 30,
            seed: 0,
        }
    }
}

/// Triplets of articles with two sections or more, one of which has two
/// sentences: anchor and positive from one section, negative from another. No
/// sentence is anchor twice.
pub fn sections(collection: &Collection, settings: &SectionSettings) -> Vec<Example> {
    let mut examples = Vec::new();
    for (number, entry) in collection.entries.iter().enumerate() {
        let sections: Vec<Vec<&str>> = entry
            .sections
            .iter()
            .map(|section| {
                let mut found = sentences(section);
                found.retain(|text| text.chars().count() >= settings.min_characters);
                found
            })
            .filter(|found| !found.is_empty())
            .collect();
        if sections.len() < 2 {
            continue;
        }
        let mut anchors: Vec<(usize, usize)> = sections
            .iter()
            .enumerate()
            .filter(|(_, sentences)| sentences.len() >= 2)
            .flat_map(|(section, sentences)| (0..sentences.len()).map(move |at| (section, at)))
            .collect();
        let mut random = generator(settings.seed, "sections", &[number as u64]);
        anchors.shuffle(&mut random);
        for (section, anchor) in anchors.into_iter().take(settings.per_article) {
            let own = &sections[section];
            let positive = other_than(anchor, own.len(), &mut random);
            let other = &sections[other_than(section, sections.len(), &mut random)];
            let negative = random.random_range(0..other.len());
            examples.push(Example {
                texts: vec![
                    own[anchor].into(),
                    own[positive].into(),
                    other[negative].into(),
                ],
                label: Label::None,
            });
        }
    }
    examples
}

/// One of `count` numbers (two or more) that is not `taken`.
fn other_than(taken: usize, count: usize, random: &mut impl Rng) -> usize {
    let drawn = random.random_range(0..count - 1);
    if drawn < taken { drawn } else { drawn + 1 }
}
