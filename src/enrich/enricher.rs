//! Entities of the hits of a search: within a time, and each article once.

use super::entity::Entity;
use super::link::{Link, Linker, Part};
use super::tagger::Tagger;
use crate::digest::sha256;
use crate::error::{Error, Result};
use lru::LruCache;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Articles that go through the encoder together; between two such groups it
/// is seen whether time is left.
const TOGETHER: usize = 4;

/// How hits are enriched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EnrichSettings {
    /// The head that finds entities, where the model has one of this name.
    pub head: String,
    /// Milliseconds that the enrichment of one search may take. What is not
    /// done by then is left out, and the response says so.
    pub budget_ms: u64,
    /// Articles whose entities are kept in memory.
    pub cached_articles: usize,
}

impl Default for EnrichSettings {
    fn default() -> Self {
        Self {
            head: "entities".to_owned(),
            budget_ms: 2000,
            cached_articles: 4096,
        }
    }
}

impl EnrichSettings {
    /// Refuses settings with which nothing would be found.
    ///
    /// # Errors
    /// When a value is 0.
    pub fn check(&self) -> Result<()> {
        for (field, value) in [
            ("search.enrich.budget_ms", self.budget_ms),
            ("search.enrich.cached_articles", self.cached_articles as u64),
        ] {
            if value == 0 {
                return Err(Error::invalid(
                    field,
                    format!("{field} is 0: use at least 1, or do not ask for enrichment"),
                ));
            }
        }
        Ok(())
    }
}

/// Entities of an article.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArticleEntities {
    /// In its title.
    pub title: Vec<Entity>,
    /// In its running text.
    pub text: Vec<Entity>,
}

impl ArticleEntities {
    /// What is mentioned, each once however it is capitalised, in the order of
    /// first mention and by type: the type, and each name with its mentions.
    pub fn by_type(&self) -> Vec<(&str, Vec<(&str, usize)>)> {
        let mut types: Vec<(&str, Vec<(&str, usize)>)> = Vec::new();
        for entity in self.title.iter().chain(&self.text) {
            let place = types.iter().position(|(kind, _)| *kind == entity.kind);
            let place = place.unwrap_or_else(|| {
                types.push((&entity.kind, Vec::new()));
                types.len() - 1
            });
            let names = &mut types[place].1;
            let lower = entity.text.to_lowercase();
            match names.iter_mut().find(|one| one.0.to_lowercase() == lower) {
                Some((_, mentions)) => *mentions += 1,
                None => names.push((&entity.text, 1)),
            }
        }
        types
    }

    /// The concept of what is mentioned by a name, however it is capitalised.
    pub fn concept(&self, kind: &str, name: &str) -> Option<&Link> {
        let name = name.to_lowercase();
        let mut entities = self.title.iter().chain(&self.text);
        entities.find_map(|entity| {
            let same = entity.kind == kind && entity.text.to_lowercase() == name;
            entity.concept.as_ref().filter(|_| same)
        })
    }
}

/// By what hits were enriched, and how far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnrichmentReport {
    /// The encoder, as its fingerprint has it.
    pub model: String,
    /// The head over it.
    pub head: String,
    /// Articles whose entities were known from earlier searches.
    pub cached: usize,
    /// Why some hits are without, where some are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// Milliseconds that it took.
    pub took_ms: f64,
}

/// Finds the entities of hits.
pub struct Enricher {
    tagger: Tagger,
    linker: Option<Arc<Linker>>,
    model: String,
    budget: Duration,
    known: Mutex<LruCache<String, Arc<ArticleEntities>>>,
}

impl Enricher {
    /// Enriches by a tagger.
    pub fn new(tagger: Tagger, settings: &EnrichSettings) -> Self {
        let most = NonZeroUsize::new(settings.cached_articles).unwrap_or(NonZeroUsize::MIN);
        Self {
            model: tagger.encoder().fingerprint().to_string(),
            tagger,
            linker: None,
            budget: Duration::from_millis(settings.budget_ms),
            known: Mutex::new(LruCache::new(most)),
        }
    }

    /// Also gives entities their concepts.
    pub fn with_linker(mut self, linker: Arc<Linker>) -> Self {
        self.linker = Some(linker);
        self
    }

    /// The encoder, as its fingerprint has it.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The head that finds entities.
    pub fn head(&self) -> &str {
        self.tagger.head().name()
    }

    /// The entities of texts that are no articles, in their order: without a
    /// limit of time, and not kept.
    ///
    /// # Errors
    /// When the model fails.
    pub fn entities(&self, texts: &[&str]) -> Result<Vec<Vec<Entity>>> {
        let documents: Vec<[&str; 1]> = texts.iter().map(|text| [*text]).collect();
        let found = self.read(&documents)?;
        Ok(found.into_iter().map(|[entities]| entities).collect())
    }

    /// The entities of articles, each given by title and running text, in
    /// their order. A search must not fail for want of them: where time ran out
    /// or the model failed, an article has none, and the report says why.
    pub fn enrich(
        &self,
        articles: &[(&str, &str)],
    ) -> (Vec<Option<Arc<ArticleEntities>>>, EnrichmentReport) {
        let start = Instant::now();
        let keys: Vec<String> = articles
            .iter()
            .map(|(title, text)| sha256(format!("{}\0{title}{text}", title.len()).as_bytes()))
            .collect();
        let mut found: Vec<Option<Arc<ArticleEntities>>> = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            keys.iter().map(|key| known.get(key).cloned()).collect()
        };
        let cached = found.iter().flatten().count();
        let missing: Vec<usize> = (0..found.len()).filter(|&at| found[at].is_none()).collect();
        let mut incomplete = None;
        for group in missing.chunks(TOGETHER) {
            if start.elapsed() >= self.budget {
                let left = found.iter().filter(|one| one.is_none()).count();
                incomplete = Some(format!(
                    "the time for enrichment, {} ms, was over before {left} of {} hits",
                    self.budget.as_millis(),
                    articles.len()
                ));
                break;
            }
            match self.annotate(articles, group) {
                Ok(entities) => {
                    let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                    for (&at, entities) in group.iter().zip(entities) {
                        known.put(keys[at].clone(), Arc::clone(&entities));
                        found[at] = Some(entities);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "hits are not enriched");
                    incomplete = Some(error.to_string());
                    break;
                }
            }
        }
        let report = EnrichmentReport {
            model: self.model.clone(),
            head: self.head().to_owned(),
            cached,
            incomplete,
            took_ms: start.elapsed().as_secs_f64() * 1e3,
        };
        (found, report)
    }

    fn annotate(
        &self,
        articles: &[(&str, &str)],
        group: &[usize],
    ) -> Result<Vec<Arc<ArticleEntities>>> {
        let documents: Vec<[&str; 2]> = group.iter().map(|&at| articles[at].into()).collect();
        let found = self.read(&documents)?.into_iter();
        Ok(found
            .map(|[title, text]| Arc::new(ArticleEntities { title, text }))
            .collect())
    }

    /// The entities of documents that consist of so many texts each: a name that
    /// one text explains holds for the others of its document.
    fn read<const TEXTS: usize>(
        &self,
        documents: &[[&str; TEXTS]],
    ) -> Result<Vec<[Vec<Entity>; TEXTS]>> {
        let mut entities = self.tagger.annotate(documents.as_flattened())?.into_iter();
        let mut found: Vec<[Vec<Entity>; TEXTS]> = documents
            .iter()
            .map(|_| std::array::from_fn(|_| entities.next().unwrap_or_default()))
            .collect();
        if let Some(linker) = &self.linker {
            let parts = found.iter_mut().zip(documents).map(|(found, texts)| {
                let each = texts.iter().zip(found);
                each.map(|(text, entities)| Part { text, entities })
                    .collect()
            });
            linker.link_entities(&mut parts.collect::<Vec<Vec<_>>>())?;
        }
        Ok(found)
    }
}
