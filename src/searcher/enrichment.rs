//! What is found in the hits of a page.

use super::{SearchResponse, Searcher};
use crate::query::{Enrichment, Query};
use std::sync::Arc;

impl Searcher {
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
