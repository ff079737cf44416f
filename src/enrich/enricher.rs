//! What is found in articles: in the hits of a search within a time, and each
//! article once; in an index without a limit.

use super::article::{ArticleEntities, ArticleFindings, ArticleRelations};
use super::counts::{Counters, EnrichmentCounts};
use super::entity::Entity;
use super::link::{Linker, Part};
use super::recipe::{Recipe, RecipeHead};
use super::relation::RelationFinder;
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
    /// The heads that tell relations, those that the model has of these names.
    pub relations: Vec<String>,
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
            relations: vec!["induces".to_owned(), "associated".to_owned()],
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

/// By what hits were enriched, and how far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnrichmentReport {
    /// The encoder, as its fingerprint has it.
    pub model: String,
    /// The head over it that finds entities.
    pub head: String,
    /// The heads that tell relations, where those were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relation_heads: Vec<String>,
    /// Articles whose findings the index holds.
    pub stored: usize,
    /// Articles whose findings were known from earlier searches.
    pub cached: usize,
    /// Why some hits are without, where some are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// Milliseconds that it took.
    pub took_ms: f64,
}

impl EnrichmentReport {
    /// Of a recipe, with its heads for relations where those were asked for;
    /// nothing is counted yet.
    pub(crate) fn by(recipe: &Recipe, relations: bool) -> Self {
        let heads = recipe.relations.iter().filter(|_| relations);
        Self {
            model: recipe.model.clone(),
            head: recipe.head.name.clone(),
            relation_heads: heads.map(|head| head.name.clone()).collect(),
            stored: 0,
            cached: 0,
            incomplete: None,
            took_ms: 0.0,
        }
    }
}

/// An article as it is read: its title and its running text.
pub(super) type Texts<'a> = (&'a str, &'a str);

/// Finds entities of articles, and their relations.
pub struct Enricher {
    tagger: Tagger,
    linker: Option<Arc<Linker>>,
    finders: Vec<RelationFinder>,
    budget: Duration,
    known: Mutex<LruCache<String, Arc<ArticleFindings>>>,
    counters: Counters,
    recipe: Recipe,
    digest: String,
}

impl Enricher {
    /// Enriches by a tagger.
    pub fn new(tagger: Tagger, settings: &EnrichSettings) -> Self {
        let most = NonZeroUsize::new(settings.cached_articles).unwrap_or(NonZeroUsize::MIN);
        let fingerprint = tagger.encoder().fingerprint();
        let recipe = Recipe {
            model: fingerprint.to_string(),
            encoder: fingerprint.sha256.clone(),
            head: RecipeHead {
                name: tagger.head().name().to_owned(),
                sha256: tagger.head().sha256().to_owned(),
            },
            relations: Vec::new(),
            names: None,
            nearest: false,
        };
        Self {
            tagger,
            linker: None,
            finders: Vec::new(),
            budget: Duration::from_millis(settings.budget_ms),
            known: Mutex::new(LruCache::new(most)),
            counters: Counters::default(),
            digest: recipe.digest(),
            recipe,
        }
    }

    /// Also gives entities their concepts.
    pub fn with_linker(mut self, linker: Arc<Linker>) -> Self {
        self.recipe.names = Some(linker.lexicon().digest());
        self.recipe.nearest = linker.has_vectors();
        self.digest = self.recipe.digest();
        self.linker = Some(linker);
        self
    }

    /// Also tells what entities have to do with each other.
    pub fn with_relations(mut self, finders: Vec<RelationFinder>) -> Self {
        let heads = finders.iter().map(|finder| finder.classifier().head());
        self.recipe.relations = heads
            .map(|head| RecipeHead {
                name: head.name().to_owned(),
                sha256: head.sha256().to_owned(),
            })
            .collect();
        self.digest = self.recipe.digest();
        self.finders = finders;
        self
    }

    /// Everything that decides what is found.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// [`Recipe::digest`] of it.
    pub fn recipe_digest(&self) -> &str {
        &self.digest
    }

    /// The encoder, as its fingerprint has it.
    pub fn model(&self) -> &str {
        &self.recipe.model
    }

    /// The head that finds entities.
    pub fn head(&self) -> &str {
        &self.recipe.head.name
    }

    /// Whether it tells relations.
    pub fn tells_relations(&self) -> bool {
        !self.finders.is_empty()
    }

    /// How often findings were known from earlier searches, so far.
    pub fn counts(&self) -> EnrichmentCounts {
        self.counters.so_far()
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

    /// Everything that is found in articles, in their order: without a limit
    /// of time, and not kept.
    ///
    /// # Errors
    /// When the model fails.
    pub fn find(&self, articles: &[Texts<'_>]) -> Result<Vec<ArticleFindings>> {
        let mut found = self.find_entities(articles)?;
        self.relate(articles, &mut found)?;
        Ok(found)
    }

    /// The findings of articles, in their order, relations where wanted. A
    /// search must not fail for want of them: where time ran out or the model
    /// failed, an article has none, and the report says why.
    pub fn enrich(
        &self,
        articles: &[Texts<'_>],
        relations: bool,
    ) -> (Vec<Option<Arc<ArticleFindings>>>, EnrichmentReport) {
        let start = Instant::now();
        let keys: Vec<String> = articles
            .iter()
            .map(|(title, text)| sha256(format!("{}\0{title}{text}", title.len()).as_bytes()))
            .collect();
        let enough = |found: &Arc<ArticleFindings>| !relations || found.relations.is_some();
        let mut found: Vec<Option<Arc<ArticleFindings>>> = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            keys.iter().map(|key| known.get(key).cloned()).collect()
        };
        let missing: Vec<usize> = (0..found.len())
            .filter(|&at| !found[at].as_ref().is_some_and(enough))
            .collect();
        let cached = found.len() - missing.len();
        self.counters.add(cached, missing.len());
        let mut incomplete = None;
        for (done, group) in missing.chunks(TOGETHER).enumerate() {
            if start.elapsed() >= self.budget {
                incomplete = Some(format!(
                    "the time for enrichment, {} ms, was over before {} of {} hits",
                    self.budget.as_millis(),
                    missing.len() - done * TOGETHER,
                    articles.len()
                ));
                break;
            }
            match self.complete(articles, group, &found, relations) {
                Ok(completed) => {
                    let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                    for (&at, findings) in group.iter().zip(completed) {
                        let findings = Arc::new(findings);
                        known.put(keys[at].clone(), Arc::clone(&findings));
                        found[at] = Some(findings);
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
            cached,
            incomplete,
            took_ms: start.elapsed().as_secs_f64() * 1e3,
            ..EnrichmentReport::by(&self.recipe, relations)
        };
        (found, report)
    }

    /// The findings of some articles, of which entities may be known.
    fn complete(
        &self,
        articles: &[Texts<'_>],
        group: &[usize],
        known: &[Option<Arc<ArticleFindings>>],
        relations: bool,
    ) -> Result<Vec<ArticleFindings>> {
        let texts = |at: &usize| articles[*at];
        let unread: Vec<usize> = group
            .iter()
            .copied()
            .filter(|&at| known[at].is_none())
            .collect();
        let unread: Vec<Texts<'_>> = unread.iter().map(texts).collect();
        let mut read = self.find_entities(&unread)?.into_iter();
        let mut found: Vec<ArticleFindings> = group
            .iter()
            .map(|&at| match &known[at] {
                Some(known) => ArticleFindings::clone(known),
                None => read.next().unwrap_or_default(),
            })
            .collect();
        if relations {
            let texts: Vec<Texts<'_>> = group.iter().map(texts).collect();
            self.relate(&texts, &mut found)?;
        }
        Ok(found)
    }

    fn find_entities(&self, articles: &[Texts<'_>]) -> Result<Vec<ArticleFindings>> {
        let documents: Vec<[&str; 2]> = articles.iter().map(|&texts| texts.into()).collect();
        let found = self.read(&documents)?.into_iter();
        Ok(found
            .map(|[title, text]| ArticleFindings {
                entities: ArticleEntities { title, text },
                relations: None,
            })
            .collect())
    }

    /// Adds the relations of articles whose entities are found.
    fn relate(&self, articles: &[Texts<'_>], found: &mut [ArticleFindings]) -> Result<()> {
        let mut relations = vec![ArticleRelations::default(); found.len()];
        for finder in &self.finders {
            let parts: Vec<(&str, &[Entity])> = articles
                .iter()
                .zip(found.iter())
                .flat_map(|((title, text), found)| {
                    [
                        (*title, &found.entities.title[..]),
                        (*text, &found.entities.text[..]),
                    ]
                })
                .collect();
            let mut told = finder.find(&parts)?.into_iter();
            for relations in &mut relations {
                relations.title.extend(told.next().unwrap_or_default());
                relations.text.extend(told.next().unwrap_or_default());
            }
        }
        for (found, relations) in found.iter_mut().zip(relations) {
            found.relations = Some(relations);
        }
        Ok(())
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
