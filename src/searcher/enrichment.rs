//! What is found in the hits of a page.

use super::{Hit, SearchResponse, Searcher};
use crate::article::ArticleId;
use crate::enrich::{ArticleFindings, Enricher, EnrichmentReport, Recipe};
use crate::error::Result;
use crate::index::StoredFindings;
use crate::query::{Enrichment, Query};
use crate::trace::stage;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

impl Searcher {
    /// What is found in an article, given by title and text as hits have them
    /// or by the beginning of the text, and how it was found; none of it where
    /// the model has no head for entities ([`can_enrich`](Self::can_enrich))
    /// and the index does not hold it. Where it could not be found the report
    /// says why. What the index holds, or is known from earlier searches, is
    /// not read again; relations are there where the index holds them.
    pub fn findings_of(
        &self,
        id: &ArticleId,
        title: &str,
        text: &str,
    ) -> Option<(Option<ArticleFindings>, EnrichmentReport)> {
        let _stage = stage!("enrich");
        // What cannot be read is found again.
        if let Ok(Some((mut found, recipe))) = self.held(id) {
            let all = found.entities.text.len();
            found.entities.text.retain(|entity| entity.stands_in(text));
            if found.entities.text.len() < all {
                // Relations name entities by their places.
                found.relations = None;
            }
            let mut report = EnrichmentReport::by(recipe, found.relations.is_some());
            report.stored = 1;
            return Some((Some(found), report));
        }
        let enricher = self.extras.enricher.as_ref()?;
        let (mut found, report) = enricher.enrich(&[(title, text)], false);
        let found = found.pop().flatten().map(Arc::unwrap_or_clone);
        Some((found, report))
    }

    /// What the index holds of what was found in an article, and by what; none
    /// where it was not enriched.
    ///
    /// # Errors
    ///
    /// `Corrupt` when stored findings cannot be read.
    pub fn stored_findings(&self, id: &ArticleId) -> Result<Option<(StoredFindings, &Recipe)>> {
        let Some(key) = self.keyword.key_of(id)? else {
            return Ok(None);
        };
        let Some(bytes) = self.keyword.findings_by_key(key)? else {
            return Ok(None);
        };
        let stored = StoredFindings::parse(&bytes)?;
        let recipe = self.commit.recipe(&stored.recipe);
        Ok(recipe.map(|recipe| (stored, recipe)))
    }

    /// Articles with stored findings, by the digests of their recipes.
    pub(super) fn enriched(&self) -> Result<&BTreeMap<String, u64>> {
        if let Some(counted) = self.gathered.enriched.get() {
            return Ok(counted);
        }
        let counted = self.unhurried().enriched()?;
        Ok(self.gathered.enriched.get_or_init(|| counted))
    }

    /// How many articles have stored findings.
    ///
    /// # Errors
    ///
    /// `Corrupt` when they cannot be counted.
    pub fn enriched_articles(&self) -> Result<u64> {
        Ok(self.enriched()?.values().sum())
    }

    /// Finds what the query asks for in the hits: as the index holds it, where
    /// that is what would be found now. Where that cannot be done the hits stay
    /// as they are, and a warning says why.
    pub(super) fn enrich(&self, query: &Query, response: &mut SearchResponse) {
        let relations = query.enriches(Enrichment::Relations);
        if !relations && !query.enriches(Enrichment::Entities) {
            return;
        }
        let _stage = stage!("enrich");
        let start = Instant::now();
        let mut recipe = None;
        let mut stored = 0;
        for hit in &mut response.hits {
            match self.held(&hit.id) {
                Ok(Some((found, by))) => {
                    put(hit, found, relations);
                    recipe = Some(by);
                    stored += 1;
                }
                Ok(None) => {}
                Err(error) => {
                    let warning = format!("article {}: {error}", hit.id);
                    response.warnings.push(warning);
                }
            }
        }
        let mut report = match (&self.extras.enricher, recipe) {
            (Some(enricher), _) => find(enricher, response, relations),
            (None, Some(recipe)) => EnrichmentReport::by(recipe, relations),
            (None, None) => {
                response.warnings.push(NO_HEAD.to_owned());
                return;
            }
        };
        report.stored = stored;
        report.took_ms = start.elapsed().as_secs_f64() * 1e3;
        if relations && report.relation_heads.is_empty() {
            response.warnings.push(NO_RELATIONS.to_owned());
        }
        response.enrichment = Some(report);
    }

    /// What the index holds of an article, where that is what would be found now, or
    /// where nothing can be found now.
    fn held(&self, id: &ArticleId) -> Result<Option<(ArticleFindings, &Recipe)>> {
        let Some((stored, recipe)) = self.stored_findings(id)? else {
            return Ok(None);
        };
        let enricher = self.extras.enricher.as_ref();
        let fits = enricher.is_none_or(|one| one.recipe_digest() == stored.recipe);
        Ok(fits.then_some((stored.found, recipe)))
    }
}

/// Reads the hits that have nothing yet.
fn find(enricher: &Enricher, response: &mut SearchResponse, relations: bool) -> EnrichmentReport {
    let unread = |hit: &&mut Hit| hit.entities.is_none();
    let mut hits: Vec<&mut Hit> = response.hits.iter_mut().filter(unread).collect();
    let articles: Vec<(&str, &str)> = hits
        .iter()
        .map(|hit| (hit.title.as_str(), hit.text.as_str()))
        .collect();
    let (found, report) = enricher.enrich(&articles, relations);
    for (hit, found) in hits.iter_mut().zip(found) {
        if let Some(found) = found {
            put(hit, Arc::unwrap_or_clone(found), relations);
        }
    }
    if let Some(why) = &report.incomplete {
        let warning = format!("some hits are without entities: {why}");
        response.warnings.push(warning);
    }
    report
}

const NO_HEAD: &str = "the hits are without entities: the model has no head for them \
                       (search.enrich.head names it; `medsift train run config/train/ner.toml` \
                       makes one)";

const NO_RELATIONS: &str = "the hits are without relations: the model has no head for them \
                            (search.enrich.relations names those that are used)";

fn put(hit: &mut Hit, found: ArticleFindings, relations: bool) {
    hit.entities = Some(found.entities);
    hit.relations = found.relations.filter(|_| relations);
}
