//! Similarity of two articles by the MeSH headings that they share.

use super::{Collection, Entry, MeshTree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How headings count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeshWeights {
    /// Factor on the headings that are main topics of an article.
    pub major: f32,
    /// Whether a heading counts by its depth in the tree: a common ancestor
    /// near the top says little.
    pub depth: bool,
    /// Whether a heading counts by its rarity in the collection. Depth alone
    /// would make `Humans`, eleven levels down, the heaviest of all.
    pub rarity: bool,
}

impl Default for MeshWeights {
    fn default() -> Self {
        Self {
            major: 2.0,
            depth: true,
            rarity: true,
        }
    }
}

/// A sparse vector over descriptors for each article of a collection.
///
/// The headings are expanded to their ancestors, and each counts by its depth,
/// as in the supervision of BioHiCL (Lan et al. 2026,
/// <https://arxiv.org/abs/2604.15591>). Rarity and the factor on main topics
/// are additions.
#[derive(Debug, Clone)]
pub struct MeshLabels {
    /// Descriptors, rising, with weights; of length 1, or empty.
    vectors: Vec<Vec<(u32, f32)>>,
    /// Articles of each descriptor that was assigned itself, rising.
    assigned: BTreeMap<u32, Vec<usize>>,
    unknown: usize,
}

impl MeshLabels {
    /// The vectors of a collection's articles.
    pub fn new(collection: &Collection, tree: &MeshTree, weights: &MeshWeights) -> Self {
        let mut assigned: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut unknown = 0;
        let mut vectors: Vec<BTreeMap<u32, f32>> = Vec::new();
        for (number, entry) in collection.entries.iter().enumerate() {
            let (vector, own, missing) = expand(entry, tree, weights);
            unknown += missing;
            for descriptor in own {
                let articles = assigned.entry(descriptor).or_default();
                if articles.last() != Some(&number) {
                    articles.push(number);
                }
            }
            vectors.push(vector);
        }
        if weights.rarity {
            weigh_by_rarity(&mut vectors);
        }
        Self {
            vectors: vectors.into_iter().map(unit).collect(),
            assigned,
            unknown,
        }
    }

    /// Cosine of two articles' vectors, from 0 (nothing shared) to 1; `None`
    /// where one has no heading.
    pub fn similarity(&self, first: usize, second: usize) -> Option<f32> {
        let (mut a, mut b) = (self.vector(first)?, self.vector(second)?);
        let mut sum = 0.0;
        while let ([(left, x), rest_a @ ..], [(right, y), rest_b @ ..]) = (a, b) {
            if left == right {
                sum += x * y;
            }
            if left <= right {
                a = rest_a;
            }
            if right <= left {
                b = rest_b;
            }
        }
        Some(sum.clamp(0.0, 1.0))
    }

    /// Descriptors of an article that tell it apart, and its ancestors'.
    pub fn vector(&self, article: usize) -> Option<&[(u32, f32)]> {
        self.vectors
            .get(article)
            .map(Vec::as_slice)
            .filter(|vector| !vector.is_empty())
    }

    /// Articles to which a descriptor was assigned.
    pub fn articles_of(&self, descriptor: u32) -> &[usize] {
        self.assigned.get(&descriptor).map_or(&[], Vec::as_slice)
    }

    /// Headings that the trees do not know, such as those of another year.
    pub fn unknown(&self) -> usize {
        self.unknown
    }
}

/// Weights by depth and topic, the descriptors assigned, and how many are
/// not known. A descriptor that is reached in several ways counts by the
/// heaviest.
fn expand(
    entry: &Entry,
    tree: &MeshTree,
    weights: &MeshWeights,
) -> (BTreeMap<u32, f32>, Vec<u32>, usize) {
    let mut vector = BTreeMap::new();
    let mut own = Vec::new();
    let mut unknown = 0;
    for heading in &entry.mesh {
        let Some(descriptor) = tree.find(&heading.descriptor) else {
            unknown += 1;
            continue;
        };
        own.push(descriptor);
        let factor = if heading.is_major() {
            weights.major
        } else {
            1.0
        };
        for &(ancestor, depth) in tree.lineage(descriptor) {
            let weight = factor * if weights.depth { depth as f32 } else { 1.0 };
            let known = vector.entry(ancestor).or_insert(weight);
            *known = weight.max(*known);
        }
    }
    (vector, own, unknown)
}

/// Multiplies each weight by ln((N + 1) / n), where n of N articles have the
/// descriptor or one below it.
fn weigh_by_rarity(vectors: &mut [BTreeMap<u32, f32>]) {
    let mut articles: BTreeMap<u32, usize> = BTreeMap::new();
    for descriptor in vectors.iter().flat_map(BTreeMap::keys) {
        *articles.entry(*descriptor).or_default() += 1;
    }
    let all = vectors.len() as f32 + 1.0;
    for vector in vectors {
        for (descriptor, weight) in vector {
            *weight *= (all / articles[descriptor] as f32).ln();
        }
    }
}

fn unit(vector: BTreeMap<u32, f32>) -> Vec<(u32, f32)> {
    let length = vector
        .values()
        .map(|weight| weight * weight)
        .sum::<f32>()
        .sqrt();
    if length <= 0.0 {
        return Vec::new();
    }
    vector
        .into_iter()
        .map(|(descriptor, weight)| (descriptor, weight / length))
        .collect()
}
