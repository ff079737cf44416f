//! What is found in the hits of a page.

use super::{SearchResponse, Searcher};
use crate::enrich::{ArticleEntities, EnrichmentReport};
use crate::query::{Enrichment, Query};
use std::sync::Arc;

impl Searcher {
    /// The entities of an article, given by title and text as hits have them,
    /// and how they were found; none of it where the model has no head for
    /// entities ([`can_enrich`](Self::can_enrich)). Where they could not be
    /// found the report says why. What is known from earlier searches is not
    /// read again.
    pub fn entities_of(
        &self,
        title: &str,
        text: &str,
    ) -> Option<(Option<ArticleEntities>, EnrichmentReport)> {
        let enricher = self.extras.enricher.as_ref()?;
        let (mut found, report) = enricher.enrich(&[(title, text)]);
        let entities = found.pop().flatten().map(Arc::unwrap_or_clone);
        Some((entities, report))
    }

    /// Finds what the query asks for in the hits. Where that cannot be done the
    /// hits stay as they are, and a warning says why.
    pub(super) fn enrich(&self, query: &Query, response: &mut SearchResponse) {
        if !query.enriches(Enrichment::Entities) {
            return;
        }
        let Some(enricher) = &self.extras.enricher else {
            response.warnings.push(
                "the hits are without entities: the model has no head for them \
                 (search.enrich.head names it; `medsift train run config/train/ner.toml` makes one)"
                    .to_owned(),
            );
            return;
        };
        let articles: Vec<(&str, &str)> = response
            .hits
            .iter()
            .map(|hit| (hit.title.as_str(), hit.text.as_str()))
            .collect();
        let (entities, report) = enricher.enrich(&articles);
        for (hit, entities) in response.hits.iter_mut().zip(entities) {
            hit.entities = entities.map(Arc::unwrap_or_clone);
        }
        if let Some(why) = &report.incomplete {
            let warning = format!("some hits are without entities: {why}");
            response.warnings.push(warning);
        }
        response.enrichment = Some(report);
    }
}
