//! Pseudo-queries: what somebody might have typed to find an article.

use super::{ArticleText, Collection, Entry};
use crate::data::random::generator;
use crate::example::{Example, Label};
use medsift::article::MeshHeading;
use medsift::passage::sentences;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// Headings that say who or what was studied, not what about.
const CHECK_TAGS: [&str; 18] = [
    "Adolescent",
    "Adult",
    "Aged",
    "Aged, 80 and over",
    "Animals",
    "Child",
    "Child, Preschool",
    "Female",
    "Humans",
    "Infant",
    "Infant, Newborn",
    "Male",
    "Mice",
    "Middle Aged",
    "Pregnancy",
    "Rats",
    "Retrospective Studies",
    "Young Adult",
];

/// Where a pseudo-query comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryKind {
    /// The title.
    Title,
    /// The first sentence of the abstract.
    FirstSentence,
    /// The last sentence of the abstract, mostly its conclusion.
    LastSentence,
    /// Up to three keywords.
    Keywords,
    /// A main heading with its qualifier: `Asthma drug therapy`.
    MeshHeading,
    /// Two main headings.
    MeshPair,
    /// What somebody asked; it has no article of its own.
    Asked,
}

/// Which pseudo-queries are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QuerySettings {
    /// Kinds.
    pub kinds: Vec<QueryKind>,
    /// Most of one article, drawn from its queries of all kinds.
    pub per_article: usize,
    /// Shorter queries are left out, in characters.
    pub min_characters: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for QuerySettings {
    fn default() -> Self {
        Self {
            kinds: vec![
                QueryKind::Title,
                QueryKind::FirstSentence,
                QueryKind::LastSentence,
                QueryKind::Keywords,
                QueryKind::MeshHeading,
                QueryKind::MeshPair,
            ],
            per_article: 3,
            min_characters: 8,
            seed: 0,
        }
    }
}

/// A pseudo-query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PseudoQuery {
    /// Where it comes from.
    pub kind: QueryKind,
    /// Its words.
    pub text: Arc<str>,
    /// Number of its article in the collection; none for a query that
    /// somebody asked.
    pub article: Option<usize>,
}

/// Pseudo-queries of a collection's articles; no text comes twice.
pub fn pseudo_queries(collection: &Collection, settings: &QuerySettings) -> Vec<PseudoQuery> {
    let mut seen = HashSet::new();
    let mut queries = Vec::new();
    for (article, entry) in collection.entries.iter().enumerate() {
        let mut random = generator(settings.seed, "queries", &[article as u64]);
        let mut own: Vec<(QueryKind, String)> = settings
            .kinds
            .iter()
            .flat_map(|&kind| {
                texts(kind, entry, &mut random)
                    .into_iter()
                    .map(move |text| (kind, text))
            })
            .filter(|(_, text)| text.chars().count() >= settings.min_characters)
            .collect();
        own.shuffle(&mut random);
        let mut taken = 0;
        for (kind, text) in own {
            if taken == settings.per_article {
                break;
            }
            if seen.insert(text.to_lowercase()) {
                taken += 1;
                queries.push(PseudoQuery {
                    kind,
                    text: text.into(),
                    article: Some(article),
                });
            }
        }
    }
    queries
}

/// Ranking pairs of pseudo-queries and their articles. A query that is a piece
/// of the abstract is found in it word for word, which teaches little; so the
/// sentence is taken out of the positive, and the title where it is the query.
pub fn query_pairs(collection: &Collection, queries: &[PseudoQuery]) -> Vec<Example> {
    queries
        .iter()
        .filter_map(|query| {
            Some(Example {
                texts: vec![
                    Arc::clone(&query.text),
                    positive(query, &collection.entries[query.article?])?,
                ],
                label: Label::None,
            })
        })
        .collect()
}

/// The text of a query's own article without the query.
pub(super) fn positive(query: &PseudoQuery, entry: &Entry) -> Option<Arc<str>> {
    let text: Arc<str> = match query.kind {
        QueryKind::Title => ArticleText::Abstract.of(entry)?,
        QueryKind::FirstSentence | QueryKind::LastSentence => {
            let rest = entry.abstract_text.replacen(query.text.as_ref(), "", 1);
            format!("{} {}", entry.title, rest.trim()).trim().into()
        }
        _ => ArticleText::TitleAndAbstract.of(entry)?,
    };
    (!text.is_empty()).then_some(text)
}

fn texts(kind: QueryKind, entry: &Entry, random: &mut impl rand::Rng) -> Vec<String> {
    let one = |text: Option<&str>| text.map(str::to_owned).into_iter().collect();
    match kind {
        QueryKind::Title => one(Some(entry.title.as_ref())),
        QueryKind::FirstSentence | QueryKind::LastSentence => {
            let found = abstract_sentences(entry);
            // Of an abstract of one sentence nothing would be left.
            match kind {
                _ if found.len() < 2 => Vec::new(),
                QueryKind::FirstSentence => one(found.first().copied()),
                _ => one(found.last().copied()),
            }
        }
        QueryKind::Keywords => {
            let mut keywords: Vec<&str> = entry.keywords.iter().map(|k| k.trim()).collect();
            keywords.retain(|keyword| !keyword.is_empty());
            keywords.shuffle(random);
            keywords.truncate(3);
            one((!keywords.is_empty()).then_some(keywords.join(" ").as_str()))
        }
        QueryKind::MeshHeading => main_headings(entry).into_iter().flat_map(phrases).collect(),
        QueryKind::MeshPair => {
            let mut names: Vec<String> = main_headings(entry)
                .into_iter()
                .map(|heading| in_order(&heading.descriptor.name))
                .collect();
            names.shuffle(random);
            match names.as_slice() {
                [first, second, ..] => vec![format!("{first} {second}")],
                _ => Vec::new(),
            }
        }
        QueryKind::Asked => Vec::new(),
    }
}

/// Sentences of the abstract, the labels of its sections left out.
fn abstract_sentences(entry: &Entry) -> Vec<&str> {
    entry
        .sections
        .iter()
        .filter(|section| entry.abstract_text.contains(section.as_ref()))
        .flat_map(|section| sentences(section))
        .collect()
}

/// The main topics; where the source marks none as main, all headings but
/// those that NLM assigns to every article that they fit (`Humans`, `Adult`).
fn main_headings(entry: &Entry) -> Vec<&MeshHeading> {
    let main: Vec<&MeshHeading> = entry.mesh.iter().filter(|h| h.is_major()).collect();
    if main.is_empty() {
        let told = |heading: &&MeshHeading| !CHECK_TAGS.contains(&heading.descriptor.name.as_str());
        return entry.mesh.iter().filter(told).collect();
    }
    main
}

/// A heading with each of its qualifiers, or alone where it has none.
fn phrases(heading: &MeshHeading) -> Vec<String> {
    let name = in_order(&heading.descriptor.name);
    if heading.qualifiers.is_empty() {
        return vec![name];
    }
    heading
        .qualifiers
        .iter()
        .map(|(qualifier, _)| format!("{name} {}", qualifier.name))
        .collect()
}

/// `Diabetes Mellitus, Type 2` as it is said: `Type 2 Diabetes Mellitus`.
fn in_order(name: &str) -> String {
    match name.split_once(", ") {
        Some((noun, adjective)) if !adjective.contains(',') => format!("{adjective} {noun}"),
        _ => name.to_owned(),
    }
}
