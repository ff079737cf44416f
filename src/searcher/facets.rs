//! Counts over everything that a search finds.

use super::Searcher;
use super::list::scope;
use super::retrieve::Candidates;
use crate::error::Result;
use crate::keyword::{ResultSet, ValueCounts, YearCount};
use crate::query::{FacetField, Mode, Query};
use serde::Serialize;

/// How often values occur among the articles that a search finds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Facets {
    /// Which articles were counted.
    pub over: FacetScope,
    /// How many they are.
    pub articles: u64,
    /// By year of publication, earliest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<Vec<YearCount>>,
    /// By journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<ValueCounts>,
    /// By publication type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub publication_type: Option<ValueCounts>,
    /// By MeSH heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<ValueCounts>,
    /// By entity that was found in articles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<ValueCounts>,
}

/// Which articles facets are counted over. All of them pass the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FacetScope {
    /// All that a query of PubMed's language selects, in every mode.
    Selection,
    /// All that hold any of the words: mode keyword.
    Matches,
    /// The nearest by meaning, as many as there are candidates: mode semantic.
    Nearest,
    /// All that hold any of the words, and the nearest: mode hybrid.
    MatchesAndNearest,
}

impl Searcher {
    /// Counts what the query asks for; nothing where it asks for nothing.
    pub(super) fn facets(&self, query: &Query, candidates: &Candidates) -> Result<Option<Facets>> {
        let wanted = query.facets();
        if wanted.is_empty() {
            return Ok(None);
        }
        let (over, set) = self.counted(query, candidates)?;
        let has = |field| wanted.contains(&field);
        let values = |field| {
            has(field)
                .then(|| self.keyword.values(field, &set, query.facet_limit()))
                .transpose()
        };
        Ok(Some(Facets {
            over,
            articles: set.articles(),
            year: has(FacetField::Year)
                .then(|| self.keyword.years(&set))
                .transpose()?,
            journal: values(FacetField::Journal)?,
            publication_type: values(FacetField::Type)?,
            mesh: values(FacetField::Mesh)?,
            entity: values(FacetField::Entity)?,
        }))
    }

    /// Every article of the list is among those that are counted.
    fn counted(&self, query: &Query, candidates: &Candidates) -> Result<(FacetScope, ResultSet)> {
        let scope = scope(query, candidates);
        let matches = || self.keyword.results(query.words(), &scope);
        if candidates.selection.is_some() {
            return Ok((FacetScope::Selection, matches()?));
        }
        let (over, mut set) = match query.mode() {
            Mode::Keyword => return Ok((FacetScope::Matches, matches()?)),
            Mode::Semantic => (FacetScope::Nearest, ResultSet::default()),
            Mode::Hybrid => (FacetScope::MatchesAndNearest, matches()?),
        };
        let nearest = candidates.semantic.iter().flatten().map(|hit| hit.key);
        self.keyword.add_keys(&mut set, nearest)?;
        Ok((over, set))
    }
}
