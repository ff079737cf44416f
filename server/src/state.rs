use crate::config::ServerConfig;
use crate::error::ApiError;
use crate::eutils::History;
use crate::guard::Guard;
use crate::metrics::Metrics;
use crate::pool::{CpuPool, Done};
use medsift::Deadline;
use medsift::enrich::EnrichmentCounts;
use medsift::index::{Index, IndexStats};
use medsift::query::{Query, QueryRequest};
use medsift::searcher::{Expected, QueryCounts, Searcher};
use medsift::trace::timed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Generation and time of a commit: an index that is made anew begins again
/// at the first generation.
type CommitStamp = (u64, String);

/// What every handler shares.
pub(crate) struct AppState {
    index: Arc<Index>,
    pub(crate) pool: CpuPool,
    pub(crate) config: ServerConfig,
    pub(crate) metrics: Metrics,
    pub(crate) guard: Guard,
    pub(crate) started: Instant,
    /// Lists that calls of the E-utilities keep for later calls.
    pub(crate) history: History,
    stats: Mutex<Option<(CommitStamp, Arc<IndexStats>)>>,
}

/// [`AppState`] as handlers take it.
pub(crate) type Shared = Arc<AppState>;

impl AppState {
    /// Starts the pool.
    pub(crate) fn new(index: Arc<Index>, config: ServerConfig) -> medsift::Result<Shared> {
        config.check()?;
        Ok(Arc::new(Self {
            index,
            pool: CpuPool::new(config.threads(), config.queue)?,
            guard: config.guard(),
            config,
            metrics: Metrics::new(),
            started: Instant::now(),
            history: History::default(),
            stats: Mutex::new(None),
        }))
    }

    /// Runs a job against the newest snapshot of the index on the CPU pool. What
    /// it searches for is broken off when the time of the request is over.
    pub(crate) async fn with_searcher<T, F>(self: &Arc<Self>, job: F) -> Result<Done<T>, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&AppState, &Searcher) -> Result<T, ApiError> + Send + 'static,
    {
        self.within(self.config.request_timeout(), job).await
    }

    /// The same within a time of its own.
    pub(crate) async fn within<T, F>(
        self: &Arc<Self>,
        limit: Duration,
        job: F,
    ) -> Result<Done<T>, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&AppState, &Searcher) -> Result<T, ApiError> + Send + 'static,
    {
        let deadline = Deadline::after(limit);
        let state = Arc::clone(self);
        // What the job logs belongs to the request, though another thread says it.
        let span = tracing::Span::current();
        let arrived = Instant::now();
        let done = self
            .pool
            .run(limit, move || {
                let waited = arrived.elapsed();
                let (value, stages) = timed(|| {
                    span.in_scope(|| {
                        let searcher = state.index.searcher()?.until(deadline);
                        state.metrics.saw(searcher.commit().generation);
                        job(&state, &searcher)
                    })
                });
                state.metrics.ran(waited, &stages);
                value
            })
            .await
            .map_err(|error| ApiError::from_pool(error, limit))?;
        Ok(Done {
            value: done.value?,
            waited: done.waited,
        })
    }

    /// Opens the newest commit of the index, where it is not open yet.
    pub(crate) fn opens(&self) -> medsift::Result<()> {
        self.index.searcher().map(|_| ())
    }

    /// Checks what a search asks for.
    pub(crate) fn query(&self, request: QueryRequest) -> medsift::Result<Query> {
        Query::new(request, &self.index.settings().query)
    }

    /// Has a query encoded along with those whose turn comes before, where it
    /// will have a turn; held until it had it.
    pub(crate) fn expect(&self, query: &Query) -> Option<Expected> {
        (!self.pool.is_full()).then(|| self.index.expect(query))?
    }

    /// How often vectors of queries were at hand.
    pub(crate) fn query_counts(&self) -> QueryCounts {
        self.index.query_counts()
    }

    /// How often findings of articles were at hand.
    pub(crate) fn enrichment_counts(&self) -> EnrichmentCounts {
        self.index.enrichment_counts()
    }

    /// What the index holds. Gathering it walks the index directory, so it is
    /// done once for each commit.
    pub(crate) fn stats(&self, searcher: &Searcher) -> medsift::Result<Arc<IndexStats>> {
        let commit = searcher.commit();
        let state = (commit.generation, commit.committed_at.clone());
        let lock = || self.stats.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, stats)) = &*lock()
            && *known == state
        {
            return Ok(Arc::clone(stats));
        }
        let stats = Arc::new(searcher.stats()?);
        *lock() = Some((state, Arc::clone(&stats)));
        Ok(stats)
    }

    /// How long the server has been running.
    pub(crate) fn uptime(&self) -> Duration {
        self.started.elapsed()
    }
}
