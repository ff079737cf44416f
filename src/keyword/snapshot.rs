//! Reads the keyword index.

mod values;

pub use values::UnknownValue;

use super::boolean::Selection;
use super::directory::ReadDirectory;
use super::error::{from_tantivy, not_found};
use super::filter;
use super::plan::{Planner, QueryNotes, Ranking, average_length};
use super::schema::{self, Fields, KEY};
use super::score::{Collector, Norms, score_segment};
use super::top::Top;
use super::word::QueryWord;
use super::writer::check_schema;
use crate::ArticleKey;
use crate::deadline::{Deadline, Watch};
use crate::error::{Error, ErrorKind, Result};
use crate::query::Filter;
use roaring::RoaringBitmap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tantivy::columnar::Column;
use tantivy::directory::MmapDirectory;
use tantivy::{Index, IndexMeta, IndexReader, ReloadPolicy, Searcher, SegmentReader, TantivyError};

/// Times that a commit may come in between before opening gives up.
const ATTEMPTS: usize = 100;

/// A keyword index that is open for reading.
pub struct KeywordIndex {
    dir: PathBuf,
    index: Index,
    reader: IndexReader,
    fields: Fields,
    latest: Mutex<Option<KeywordSnapshot>>,
}

/// One commit of a keyword index: later commits do not change what it finds.
/// Cheap to clone.
#[derive(Clone)]
pub struct KeywordSnapshot(pub(super) Arc<Inner>, Deadline);

/// The commit, bound to its open files.
pub(super) struct Inner {
    dir: PathBuf,
    pub(super) searcher: Searcher,
    pub(super) fields: Fields,
    pub(super) ranking: Ranking,
    pub(super) norms: Norms,
    payload: String,
    state: State,
}

/// What tells one commit from another: segments with their last deletion, and
/// the payload.
#[derive(PartialEq)]
struct State {
    segments: BTreeMap<String, Option<u64>>,
    payload: String,
}

/// Which articles may answer.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// They pass this filter.
    pub filter: &'a Filter,
    /// A query selects them, where there is one.
    pub selection: Option<&'a Selection>,
    /// Whether selected articles that hold none of the words are listed as
    /// well, behind the others.
    pub unscored: bool,
}

impl<'a> Scope<'a> {
    /// Every article that passes a filter.
    pub fn of(filter: &'a Filter) -> Self {
        Self {
            filter,
            selection: None,
            unscored: false,
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeywordMatches {
    /// The best articles with their scores, best first; equal scores go by
    /// key, lower first.
    pub hits: Vec<(ArticleKey, f32)>,
    /// How many articles match in all: those that hold a word, or within a
    /// selection all of it.
    pub total: u64,
    /// The query's words and what they were looked up as.
    pub words: Vec<QueryWord>,
    /// What became of the other words.
    pub notes: QueryNotes,
}

/// The index in a folder, none of its segments opened.
pub(super) fn open_directory(dir: &Path) -> Result<Index> {
    let failed = |error| from_tantivy("open", dir, error);
    if !dir.is_dir() {
        return Err(not_found(dir));
    }
    let directory = MmapDirectory::open(dir).map_err(|error| failed(error.into()))?;
    let directory = ReadDirectory(directory);
    if !Index::exists(&directory).map_err(|error| failed(error.into()))? {
        return Err(not_found(dir));
    }
    Index::open(directory).map_err(failed)
}

/// What the last commit of an index in a folder carries, whatever its fields
/// are; nothing where there is no index or it cannot be read.
pub fn recorded_payload(dir: &Path) -> Option<String> {
    open_directory(dir).ok()?.load_metas().ok()?.payload
}

impl KeywordIndex {
    /// Opens an index; its folder may be read-only.
    ///
    /// # Errors
    /// `NotFound` where there is none, `Incompatible` where it was made by
    /// another version, `Corrupt` where files are missing or damaged.
    pub fn open(dir: &Path) -> Result<Self> {
        let failed = |error| from_tantivy("open", dir, error);
        let index = open_directory(dir)?;
        check_schema(dir, &index)?;
        schema::register_analysis(&index);
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(failed)?;
        Ok(Self {
            dir: dir.to_owned(),
            index,
            reader,
            fields: schema::schema().1,
            latest: Mutex::new(None),
        })
    }

    /// The latest commit. Returns the one it returned before, without any
    /// work but a look at one small file, where nothing was committed since.
    pub fn snapshot(&self) -> Result<KeywordSnapshot> {
        let failed = |error| from_tantivy("read", &self.dir, error);
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..ATTEMPTS {
            let state = State::of_meta(&self.index.load_metas().map_err(failed)?);
            if let Some(latest) = &*latest
                && latest.0.state == state
            {
                return Ok(latest.clone());
            }
            // The payload was read first and the segments are opened after it:
            // they belong together only where both name the same segments.
            self.reader.reload().map_err(failed)?;
            let searcher = self.reader.searcher();
            if segments_of(&searcher) == state.segments {
                let snapshot = self.bind(searcher, state).map_err(failed)?;
                *latest = Some(snapshot.clone());
                return Ok(snapshot);
            }
        }
        Err(Error::new(
            ErrorKind::Io,
            format!(
                "{} changes too fast to be opened: try again",
                self.dir.display()
            ),
        ))
    }

    fn bind(&self, searcher: Searcher, state: State) -> tantivy::Result<KeywordSnapshot> {
        let fields = self.fields;
        let ranking = Ranking::default();
        let mut averages = Vec::new();
        for field in [fields.text, fields.title, fields.authors, fields.journal] {
            averages.push((field, average_length(&searcher, field)?));
        }
        let inner = Inner {
            dir: self.dir.clone(),
            norms: Norms::new(&ranking, &averages),
            searcher,
            fields,
            ranking,
            payload: state.payload.clone(),
            state,
        };
        Ok(KeywordSnapshot(Arc::new(inner), Deadline::NEVER))
    }
}

impl State {
    fn of_meta(meta: &IndexMeta) -> Self {
        let segments = meta.segments.iter();
        Self {
            segments: segments
                .map(|segment| (segment.id().uuid_string(), segment.delete_opstamp()))
                .collect(),
            payload: meta.payload.clone().unwrap_or_default(),
        }
    }
}

fn segments_of(searcher: &Searcher) -> BTreeMap<String, Option<u64>> {
    let segments = searcher.segment_readers().iter();
    segments
        .map(|segment| (segment.segment_id().uuid_string(), segment.delete_opstamp()))
        .collect()
}

impl KeywordSnapshot {
    /// The same commit for what has to be over by a deadline: whatever takes
    /// longer fails as `TimedOut`, but for reading a single article.
    #[must_use]
    pub fn until(&self, deadline: Deadline) -> Self {
        Self(Arc::clone(&self.0), deadline)
    }

    /// For a loop that may be long.
    pub(super) fn watch(&self) -> Watch {
        self.1.watch()
    }

    /// What the commit carried; empty before the first commit.
    pub fn payload(&self) -> &str {
        &self.0.payload
    }

    /// Number of articles.
    pub fn articles(&self) -> u64 {
        self.0.searcher.num_docs()
    }

    /// Finds the articles that match any word of a text and pass a filter, and
    /// gives the best `limit` of them. The text is plain: no character in it
    /// is syntax.
    pub fn search(&self, text: &str, filter: &Filter, limit: usize) -> Result<KeywordMatches> {
        self.search_in(text, &Scope::of(filter), limit)
    }

    /// Ranks the articles of a scope by the words of a text, and gives the
    /// best `limit` of them. Within a selection every article of the scope is a
    /// match, whichever words it holds.
    pub fn search_in(&self, text: &str, scope: &Scope<'_>, limit: usize) -> Result<KeywordMatches> {
        self.search_after(text, scope, limit, None)
    }

    /// The same list from behind a place on, so that it can be read to its end.
    pub fn search_after(
        &self,
        text: &str,
        scope: &Scope<'_>,
        limit: usize,
        place: Option<(ArticleKey, f32)>,
    ) -> Result<KeywordMatches> {
        self.try_search(text, scope, Top::after(limit, place))
            .map_err(|error| self.failed("search", error))
    }

    fn try_search(
        &self,
        text: &str,
        scope: &Scope<'_>,
        mut top: Top,
    ) -> tantivy::Result<KeywordMatches> {
        let Inner {
            searcher,
            fields,
            ranking,
            norms,
            ..
        } = &*self.0;
        let watch = self.watch();
        let plan = Planner {
            searcher,
            fields,
            ranking,
            watch: &watch,
        }
        .plan(text)?;
        let mut total = 0;
        if plan.groups.is_empty() && scope.selection.is_none() {
            return Ok(KeywordMatches {
                notes: plan.notes,
                ..KeywordMatches::default()
            });
        }
        for (ordinal, segment) in searcher.segment_readers().iter().enumerate() {
            let passing = self.passing(ordinal, segment, scope)?;
            let allowed = passing
                .as_ref()
                .map(|passing| filter::as_bits(passing, segment.max_doc()));
            let keys = keys_of(segment)?;
            let mut scored = RoaringBitmap::new();
            let collector = Collector {
                allowed: allowed.as_ref(),
                keys: &keys,
                top: &mut top,
                found: scope.unscored.then_some(&mut scored),
            };
            let found = score_segment(segment, &plan.groups, ranking, norms, collector, &watch)?;
            let selected = scope.selection.and(passing);
            total += selected.as_ref().map_or(found, RoaringBitmap::len);
            if let (Some(selected), true) = (selected, scope.unscored) {
                for document in selected - scored {
                    watch.step()?;
                    if let Some(key) = keys.first(document) {
                        top.offer(ArticleKey(key as u32), 0.0);
                    }
                }
            }
        }
        Ok(KeywordMatches {
            hits: top.into_sorted(),
            total,
            words: plan
                .groups
                .iter()
                .map(|group| QueryWord::of(group, fields))
                .collect(),
            notes: plan.notes,
        })
    }

    /// Documents of a segment that are in a scope; `None` where all are.
    pub(super) fn passing(
        &self,
        ordinal: usize,
        segment: &SegmentReader,
        scope: &Scope<'_>,
    ) -> tantivy::Result<Option<RoaringBitmap>> {
        let watch = self.watch();
        watch.look()?;
        let passing = filter::passing(segment, &self.0.fields, scope.filter, &watch)?;
        let Some(selection) = scope.selection else {
            return Ok(passing);
        };
        let selected = selection.of_segment(ordinal);
        Ok(Some(match passing {
            Some(passing) => passing & selected,
            None => selected,
        }))
    }

    /// Keys of the articles that pass a filter.
    pub fn matching(&self, filter: &Filter) -> Result<RoaringBitmap> {
        self.matching_in(&Scope::of(filter))
    }

    /// Keys of the articles of a scope.
    pub fn matching_in(&self, scope: &Scope<'_>) -> Result<RoaringBitmap> {
        self.try_matching(scope)
            .map_err(|error| self.failed("filter", error))
    }

    fn try_matching(&self, scope: &Scope<'_>) -> tantivy::Result<RoaringBitmap> {
        let watch = self.watch();
        let mut matching = RoaringBitmap::new();
        for (ordinal, segment) in self.0.searcher.segment_readers().iter().enumerate() {
            let keys = keys_of(segment)?;
            let key = |document| keys.first(document).map(|key| key as u32);
            match self.passing(ordinal, segment, scope)? {
                Some(passing) => matching.extend(watch.over(passing.iter()).filter_map(key)),
                None => matching.extend(watch.over(0..segment.max_doc()).filter_map(key)),
            }
            watch.look()?;
        }
        Ok(matching)
    }

    /// Number of segments.
    pub fn segments(&self) -> usize {
        self.0.searcher.segment_readers().len()
    }

    /// Bytes on disk of everything that the commit names.
    pub fn disk_bytes(&self) -> Result<u64> {
        let usage = self.0.searcher.space_usage();
        let usage = usage.map_err(|error| self.failed("measure", error.into()))?;
        Ok(usage.total().get_bytes())
    }

    pub(super) fn failed(&self, action: &str, error: TantivyError) -> Error {
        from_tantivy(action, &self.0.dir, error)
    }
}

/// The keys of a segment's articles, by document.
pub(super) fn keys_of(segment: &SegmentReader) -> tantivy::Result<Column<u64>> {
    segment.fast_fields().u64(KEY)
}
