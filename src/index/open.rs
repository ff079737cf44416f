use super::commit::Commit;
use super::files::read_deletes;
use super::layout::Layout;
use crate::encoder::{Encoder, ModelFingerprint};
use crate::enrich::EnrichmentCounts;
use crate::error::{Error, ErrorKind, Result};
use crate::keyword::{KeywordIndex, KeywordSnapshot, recorded_payload};
use crate::query::Query;
use crate::searcher::{
    Expected, Extras, QueryCounts, QueryEncoder, SearchSettings, Searcher, has_vector,
};
use crate::vector::{Segment, VectorSnapshot};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// How often a reader tries again when a writer removes what it was about to
/// open.
const ATTEMPTS: usize = 5;

/// An index directory open for searching.
///
/// Shared by many threads; [`Index::searcher`] gives the newest commit and
/// costs one look at a file's time while nothing has changed.
pub struct Index {
    parts: Parts,
    current: Mutex<Current>,
}

/// What every snapshot of an index is made from.
struct Parts {
    layout: Layout,
    keyword: KeywordIndex,
    queries: Option<Arc<QueryEncoder>>,
    extras: Extras,
    settings: Arc<SearchSettings>,
}

struct Current {
    seen: Option<Stamp>,
    searcher: Arc<Searcher>,
    /// Why a newer commit is not served; told once for each cause.
    refused: Option<String>,
}

/// What changes when a commit replaces the keyword side's `meta.json`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    bytes: u64,
    inode: u64,
}

/// The model that an index was made with.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedModel {
    /// What it must be.
    pub fingerprint: ModelFingerprint,
    /// Where it lay: a folder, or a name that the command line knows.
    pub location: String,
}

impl Index {
    /// Opens an index. Without an encoder only keyword searches are answered.
    ///
    /// # Errors
    ///
    /// `NotFound` where no index is; `Incompatible` for another format or for
    /// an encoder that did not make the index's vectors; `Corrupt` for files
    /// that are missing or have another length than the commit says.
    pub fn open(
        dir: &Path,
        encoder: Option<Arc<Encoder>>,
        settings: SearchSettings,
    ) -> Result<Self> {
        Self::open_with(dir, encoder, Extras::default(), settings)
    }

    /// Opens an index with what its searches use beside it: a MeSH table, by
    /// which queries explode headings and map words, and what finds entities
    /// in the hits.
    ///
    /// # Errors
    ///
    /// As [`Index::open`].
    pub fn open_with(
        dir: &Path,
        encoder: Option<Arc<Encoder>>,
        extras: Extras,
        settings: SearchSettings,
    ) -> Result<Self> {
        let layout = Layout::new(dir);
        let parts = Parts {
            keyword: open_keyword(&layout)?,
            layout,
            queries: encoder.map(|encoder| {
                let bytes = settings.query_cache_bytes;
                Arc::new(QueryEncoder::new(encoder, bytes))
            }),
            extras,
            settings: Arc::new(settings),
        };
        let seen = stamp(&parts.layout);
        let current = Current {
            seen,
            searcher: Arc::new(parts.load(None)?),
            refused: None,
        };
        Ok(Self {
            parts,
            current: Mutex::new(current),
        })
    }

    /// A snapshot of the newest commit. It stays as it is however the index
    /// changes.
    ///
    /// While a newer commit cannot be opened, such as for a damaged file, the
    /// one before is given, the cause is logged as a warning, and the next
    /// call tries again.
    ///
    /// # Errors
    ///
    /// None today: what is held is always given.
    pub fn searcher(&self) -> Result<Arc<Searcher>> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp(&self.parts.layout);
        if stamp.is_none() || stamp == current.seen {
            return Ok(Arc::clone(&current.searcher));
        }
        match self.parts.load(Some(&current.searcher)) {
            Ok(newer) => {
                current.seen = stamp;
                current.refused = None;
                // The keyword side merges its files between commits; the state
                // is the same, and so must its scores be until the next commit.
                if newer.commit() != current.searcher.commit() {
                    current.searcher = Arc::new(newer);
                }
            }
            Err(error) => current.refuse(&error),
        }
        Ok(Arc::clone(&current.searcher))
    }

    /// Settings of its searches.
    pub fn settings(&self) -> &SearchSettings {
        &self.parts.settings
    }

    /// Says that a query will be searched for soon, so that it is encoded
    /// together with those that are searched for before; nothing where there
    /// is nothing to encode. Dropping what this returns takes it back.
    pub fn expect(&self, query: &Query) -> Option<Expected> {
        let queries = self.parts.queries.as_ref()?;
        let words = has_vector(query).then(|| query.words())?;
        queries.expect(words)
    }

    /// How often vectors of queries were at hand; all 0 without a model.
    pub fn query_counts(&self) -> QueryCounts {
        let queries = self.parts.queries.as_ref();
        queries.map_or_else(QueryCounts::default, |queries| queries.counts())
    }

    /// How often findings of articles were at hand; all 0 where none are looked for.
    pub fn enrichment_counts(&self) -> EnrichmentCounts {
        let enricher = self.parts.extras.enricher.as_ref();
        enricher.map_or_else(EnrichmentCounts::default, |enricher| enricher.counts())
    }

    /// Reads which model an index was made with, without opening the rest.
    pub fn recorded_model(dir: &Path) -> Result<RecordedModel> {
        let commit = read_commit(&open_keyword(&Layout::new(dir))?.snapshot()?, dir)?;
        Ok(RecordedModel {
            fingerprint: commit.model,
            location: commit.model_location,
        })
    }
}

impl Current {
    fn refuse(&mut self, error: &Error) {
        let cause = error.to_string();
        if self.refused.as_ref() != Some(&cause) {
            tracing::warn!(
                served = self.searcher.generation(),
                "a newer commit of the index cannot be opened, the one before is served: {cause}"
            );
            self.refused = Some(cause);
        }
    }
}

/// Says how to make an index where there is none.
///
/// # Errors
///
/// `NotFound`, with what is there instead.
pub fn require(dir: &Path) -> Result<()> {
    if Layout::new(dir).exists() {
        return Ok(());
    }
    Err(no_index(dir))
}

pub(super) fn open_keyword(layout: &Layout) -> Result<KeywordIndex> {
    require(layout.root())?;
    check_format(layout)?;
    KeywordIndex::open(&layout.keyword())
}

/// Refuses an index of another format before its fields are looked at, which
/// are others as well: the version says what to do.
pub(super) fn check_format(layout: &Layout) -> Result<()> {
    match recorded_payload(&layout.keyword()) {
        Some(payload) if !payload.is_empty() => Commit::check_version(&payload),
        _ => Ok(()),
    }
}

pub(super) fn read_commit(snapshot: &KeywordSnapshot, dir: &Path) -> Result<Commit> {
    match snapshot.payload() {
        "" => Err(no_index(dir)),
        payload => Commit::parse(payload),
    }
}

pub(super) fn no_index(dir: &Path) -> Error {
    let what = match (dir.exists(), dir.is_dir()) {
        (false, _) => format!("there is no index at {}", dir.display()),
        (true, false) => format!("{} is not an index directory", dir.display()),
        (true, true) => format!("the folder {} holds no index", dir.display()),
    };
    Error::new(
        ErrorKind::NotFound,
        format!(
            "{what}: make one with `medsift index FILE… --index {}`, or name another with --index",
            dir.display()
        ),
    )
}

fn stamp(layout: &Layout) -> Option<Stamp> {
    let metadata = fs::metadata(layout.keyword().join("meta.json")).ok()?;
    Some(Stamp {
        modified: metadata.modified().ok()?,
        bytes: metadata.len(),
        inode: inode(&metadata),
    })
}

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
}

impl Parts {
    fn load(&self, former: Option<&Searcher>) -> Result<Searcher> {
        let mut attempt = 1;
        loop {
            match self.load_once(former) {
                // A commit came between reading the old one and opening its files.
                Err(e) if e.kind() == ErrorKind::NotFound && attempt < ATTEMPTS => attempt += 1,
                other => return other,
            }
        }
    }

    fn load_once(&self, former: Option<&Searcher>) -> Result<Searcher> {
        let layout = &self.layout;
        let snapshot = self.keyword.snapshot()?;
        let commit = read_commit(&snapshot, layout.root())?;
        self.check_model(&commit)?;
        let open: HashMap<&str, &Arc<Segment>> = former
            .map(|searcher| searcher.vectors().segments())
            .unwrap_or_default()
            .iter()
            .map(|segment| (segment.meta().name.as_str(), segment))
            .collect();
        let segments = commit
            .segments
            .iter()
            .map(|segment| match open.get(segment.meta.name.as_str()) {
                // Names are used again when an index is made anew in its place.
                Some(open) if *open.meta() == segment.meta => Ok(Arc::clone(open)),
                _ => Segment::open(&layout.vectors(), &segment.meta),
            })
            .collect::<Result<Vec<_>>>()?;
        let deleted = read_deletes(&layout.deletes(), commit.deletes.as_ref())?;
        Ok(Searcher::new(
            layout.root(),
            snapshot,
            VectorSnapshot::new(segments, Arc::new(deleted)),
            commit,
            self.queries.clone(),
            Arc::clone(&self.settings),
        )
        .with_extras(self.extras.clone()))
    }

    fn check_model(&self, commit: &Commit) -> Result<()> {
        let Some(encoder) = self.queries.as_deref().map(QueryEncoder::encoder) else {
            return Ok(());
        };
        if *encoder.fingerprint() == commit.model {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the index {} was made with model {}, not with {}: give that model with --model, \
                 or index again with this one",
                self.layout.root().display(),
                commit.model,
                encoder.fingerprint()
            ),
        ))
    }
}
