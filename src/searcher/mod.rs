//! One search over one snapshot: retrieve on both sides, fuse, page.

mod annotate;
mod answer;
mod embedded;
mod enrichment;
mod export;
mod facets;
mod findings;
mod hit;
mod list;
mod page;
mod passages;
mod pmids;
mod queries;
mod retrieve;
mod settings;
mod similar;
mod stats;
mod strategy;
mod suggest;
#[cfg(test)]
mod tests;
mod translation;
mod walk;
mod warnings;

pub use annotate::{AnnotateResponse, AnnotatedText, NO_ENTITIES};
pub use answer::{
    AnswerEvidence, AnswerField, AnswerResponse, AnswerTook, ArticleAnswer, ArticleStance, NO_HEAD,
    Verdict, question,
};
pub use embedded::{EmbeddedArticle, EmbeddedPassage};
pub use export::{ExportFormat, ListFormat, TextList};
pub use facets::{FacetScope, Facets};
pub use hit::{Explanation, Found, Highlights, Hit, HitPassage, SearchResponse, Took};
pub use passages::{
    NO_TOKENIZER, PassageQuery, PassageRequest, PassageSettings, PassagesResponse, PassagesTook,
    RetrievedPassage,
};
pub use pmids::{PmidList, PmidOrder, PmidSearch};
pub(crate) use queries::QueryEncoder;
pub use queries::{Expected, QueryCounts};
pub use settings::SearchSettings;
pub use similar::SimilarResponse;
pub use strategy::{IndexState, LineRun, SourceState, StrategyRun};
pub use suggest::{Suggestion, SuggestionKind};
pub use translation::{RankedLeaf, RankedNode, SearchTranslation, TranslationTree};
pub use walk::Walk;

use crate::article::ArticleId;
use crate::deadline::Deadline;
use crate::encoder::Encoder;
use crate::enrich::Enricher;
use crate::enrich::answer::Answerer;
use crate::error::{Error, ErrorKind, Result};
use crate::fusion::{Fused, fuse};
use crate::index::{Commit, StoredArticle};
use crate::key::ArticleKey;
use crate::keyword::KeywordSnapshot;
use crate::mesh::MeshTable;
use crate::query::{Mode, Query};
use crate::trace::stage;
use crate::vector::VectorSnapshot;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// What an index can be searched with beside its own content.
#[derive(Clone, Default)]
pub struct Extras {
    /// Explodes MeSH headings and maps words to them.
    pub mesh: Option<Arc<MeshTable>>,
    /// Finds entities in the hits.
    pub enricher: Option<Arc<Enricher>>,
    /// Reads articles for an answer.
    pub answerer: Option<Arc<Answerer>>,
}

/// One committed state of an index, with the encoder for its queries.
///
/// Equal queries give equal answers for as long as it is held. Searching uses
/// the CPU and blocks: call it from a pool, not from an async task. A search
/// that may not take longer than so long is one of [`until`](Self::until).
#[derive(Clone)]
pub struct Searcher {
    root: Arc<Path>,
    keyword: KeywordSnapshot,
    vectors: VectorSnapshot,
    commit: Arc<Commit>,
    queries: Option<Arc<QueryEncoder>>,
    extras: Extras,
    settings: Arc<SearchSettings>,
    gathered: Arc<Gathered>,
    deadline: Deadline,
}

/// What is gathered from all articles when it is first asked for, and kept.
#[derive(Default)]
struct Gathered {
    /// Ids, for whole rankings.
    ids: OnceLock<HashMap<ArticleKey, ArticleId>>,
    /// PMIDs, for lists of them.
    pmids: OnceLock<crate::keyword::Pmids>,
    known: suggest::Known,
    /// Articles with findings, by recipe.
    enriched: OnceLock<BTreeMap<String, u64>>,
}

impl Searcher {
    pub(crate) fn new(
        root: &Path,
        keyword: KeywordSnapshot,
        vectors: VectorSnapshot,
        commit: Commit,
        queries: Option<Arc<QueryEncoder>>,
        settings: Arc<SearchSettings>,
    ) -> Self {
        Self {
            root: root.into(),
            keyword,
            vectors,
            commit: Arc::new(commit),
            queries,
            extras: Extras::default(),
            settings,
            gathered: Arc::default(),
            deadline: Deadline::NEVER,
        }
    }

    /// The same state, for searches that have to be over by a deadline: one that
    /// is not ends there, with an error of the kind `TimedOut`. What is gathered
    /// from all articles and kept, and what has a limit of its own (entities in
    /// hits, reading for an answer), is not broken off once it has begun.
    #[must_use]
    pub fn until(&self, deadline: Deadline) -> Self {
        Self {
            keyword: self.keyword.until(deadline),
            vectors: self.vectors.until(deadline),
            deadline,
            ..self.clone()
        }
    }

    /// When its searches have to be over.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// The keyword side for what is gathered once: broken off, it would begin
    /// anew with each request and never be there.
    fn unhurried(&self) -> KeywordSnapshot {
        self.keyword.until(Deadline::NEVER)
    }

    /// Answers with what stands beside the index.
    #[must_use]
    pub fn with_extras(mut self, extras: Extras) -> Self {
        self.extras = extras;
        self
    }

    /// Settings of the search.
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Whether entities can be found in the hits.
    pub fn can_enrich(&self) -> bool {
        self.extras.enricher.is_some()
    }

    /// Whether relations can be found in the hits.
    pub fn can_relate(&self) -> bool {
        let enricher = self.extras.enricher.as_ref();
        enricher.is_some_and(|enricher| enricher.tells_relations())
    }

    /// The model of the index, where it was opened with it.
    pub fn encoder(&self) -> Option<&Arc<Encoder>> {
        self.queries.as_deref().map(QueryEncoder::encoder)
    }

    /// Rises by one with each commit.
    pub fn generation(&self) -> u64 {
        self.commit.generation
    }

    /// The committed state.
    pub fn commit(&self) -> &Commit {
        &self.commit
    }

    /// The vector side.
    pub fn vectors(&self) -> &VectorSnapshot {
        &self.vectors
    }

    /// Searches: embeds the query, retrieves on both sides, fuses, and fetches
    /// the articles of the page. Where the index was opened without an encoder
    /// and the query names no mode, its words alone are searched, and a warning
    /// says so.
    ///
    /// # Errors
    ///
    /// `InvalidInput` when the query asks for a mode that needs an encoder and
    /// the index was opened without one; `Corrupt` when stored content cannot
    /// be read; `TimedOut` when it was not over at its deadline.
    pub fn search(&self, query: &Query) -> Result<SearchResponse> {
        let start = Instant::now();
        let asked = query;
        let query = &*self.answerable(asked)?;
        let vector = self.embed(query)?;
        let encoded = Instant::now();
        self.deadline.check()?;
        let candidates = self.retrieve(query, vector.as_deref())?;
        let listing = self.list(query, &candidates)?;
        let retrieved = Instant::now();
        let mut response = self.page(query, &candidates, listing)?;
        let of_list = std::mem::take(&mut response.warnings);
        response.warnings = self.warnings(asked, query, &candidates)?;
        response.warnings.extend(of_list);
        let fetched = Instant::now();
        self.deadline.check()?;
        self.enrich(query, &mut response);
        let millis = |from: Instant, to: Instant| (to - from).as_secs_f64() * 1e3;
        let end = Instant::now();
        response.took = Took {
            total_ms: millis(start, end),
            encode_ms: millis(start, encoded),
            retrieve_ms: millis(encoded, retrieved),
            fetch_ms: millis(retrieved, fetched),
            enrich_ms: millis(fetched, end),
        };
        Ok(response)
    }

    /// Ranks articles without fetching them: id and score, best first, as
    /// deep as the candidates reach. For evaluation.
    pub fn rank(&self, query: &Query) -> Result<Vec<(ArticleId, f32)>> {
        self.check_mode(query)?;
        let vector = self.embed(query)?;
        let candidates = self.retrieve(query, vector.as_deref())?;
        rank(query, &candidates)
            .into_iter()
            .map(|fused| Ok((self.id_of(fused.key)?, fused.score)))
            .collect()
    }

    /// One article with everything that is stored of it.
    pub fn article(&self, id: &ArticleId) -> Result<Option<StoredArticle>> {
        let Some(key) = self.keyword.key_of(id)? else {
            return Ok(None);
        };
        match self.keyword.stored_by_key(key)? {
            Some(bytes) => StoredArticle::parse(&bytes).map(Some),
            None => Err(Error::new(
                ErrorKind::Corrupt,
                format!("article {id} has no content: run `medsift verify`"),
            )),
        }
    }

    /// Whether the index holds an article, without reading it.
    pub fn holds(&self, id: &ArticleId) -> Result<bool> {
        Ok(self.keyword.key_of(id)?.is_some())
    }

    /// Vector of a query that [`answerable`](Self::answerable) let pass; none
    /// where only the words count, or where there are none.
    fn embed(&self, query: &Query) -> Result<Option<queries::Vector>> {
        let Some(queries) = self.queries.as_ref().filter(|_| has_vector(query)) else {
            return Ok(None);
        };
        let _stage = stage!("encode");
        queries.vector(query.words()).map(Some)
    }
}

/// Whether the model is asked about a query.
pub(crate) fn has_vector(query: &Query) -> bool {
    query.mode() != Mode::Keyword && !query.words().is_empty()
}

/// The joined list, in the order in which hits are shown.
fn rank(query: &Query, candidates: &retrieve::Candidates) -> Vec<Fused> {
    let keyword = candidates
        .keyword
        .as_ref()
        .map_or(&[][..], |side| side.hits.as_slice());
    match query.mode() {
        // A query without words has no list by meaning to fuse.
        Mode::Hybrid if candidates.semantic.is_none() => {
            retrieve::one_sided(keyword, |fused, place| fused.keyword = Some(place))
        }
        Mode::Hybrid => fuse(query.fusion(), keyword, &candidates.semantic_scores()),
        Mode::Keyword => retrieve::one_sided(keyword, |fused, place| fused.keyword = Some(place)),
        Mode::Semantic => retrieve::one_sided(&candidates.semantic_scores(), |fused, place| {
            fused.semantic = Some(place);
        }),
    }
}
