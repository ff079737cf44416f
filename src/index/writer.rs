use super::cleanup::remove_unnamed;
use super::commit::{AppliedFile, Commit, CommittedSegment, PassageMode, nlm_number};
use super::files::{read_deletes, write_deletes, write_file};
use super::layout::{Layout, sync_folder};
use super::lock::WriteLock;
use super::merge::{SegmentLoad, next_merge};
use super::pending::{ArticleState, Pending};
use super::quarantine::{QuarantinedRecord, to_lines};
use super::stored::StoredArticle;
use crate::article::{Article, ArticleId};
use crate::encoder::ModelFingerprint;
use crate::error::{Error, ErrorKind, Result};
use crate::key::ArticleKey;
use crate::keyword::{KeywordIndex, KeywordSnapshot, KeywordWriter};
use crate::passage::Passage;
use crate::vector::{Segment, SegmentParams, merge_segments, write_segment};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// How an index is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WriterSettings {
    /// Memory of the keyword side before it writes a segment, in bytes.
    pub keyword_memory: usize,
    /// Threads of the keyword side.
    pub keyword_threads: usize,
    /// Vector segments of like size that are joined into one.
    pub merge_factor: usize,
    /// How graphs are built.
    pub graph: SegmentParams,
}

impl Default for WriterSettings {
    fn default() -> Self {
        Self {
            keyword_memory: 128 << 20,
            keyword_threads: 1,
            merge_factor: 8,
            graph: SegmentParams::default(),
        }
    }
}

impl WriterSettings {
    /// Refuses settings that no index can be written with.
    pub fn check(&self) -> Result<()> {
        if self.merge_factor < 2 {
            return Err(Error::invalid(
                "index.writer.merge_factor",
                format!("merge_factor is {}: use 2 or more", self.merge_factor),
            ));
        }
        self.graph.check()
    }
}

/// What a record does to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The article is new.
    Added,
    /// An older state of it gives way.
    Replaced,
    /// Nothing: the same content, an older version, or nothing to delete.
    Unchanged,
    /// The article goes.
    Deleted,
}

/// The one writer of an index: collects changes and commits them.
///
/// Nothing is seen by readers, and nothing survives a crash, before
/// [`IndexWriter::commit`] returns.
pub struct IndexWriter {
    layout: Layout,
    settings: WriterSettings,
    keyword: KeywordWriter,
    reader: KeywordIndex,
    /// The committed state, for looking articles up.
    snapshot: KeywordSnapshot,
    committed: Commit,
    segments: Vec<Arc<Segment>>,
    deleted: RoaringBitmap,
    pending: Pending,
    /// Dropped last: nobody else may write before the rest is closed.
    _lock: WriteLock,
}

impl IndexWriter {
    /// Opens an index for writing, or makes a new one.
    ///
    /// # Errors
    ///
    /// `Locked` while another process writes; `Incompatible` for an index of
    /// another model, passage mode or format; `Permission` and `StorageFull`
    /// as the file system says.
    pub fn open(
        dir: &Path,
        model: &ModelFingerprint,
        model_location: &str,
        passages: PassageMode,
        settings: WriterSettings,
    ) -> Result<Self> {
        let layout = Layout::new(dir);
        layout.create()?;
        let lock = WriteLock::acquire(&layout.lock())?;
        let mut keyword = KeywordWriter::open(
            &layout.keyword(),
            settings.keyword_memory,
            settings.keyword_threads,
        )?;
        let committed = match keyword.payload() {
            Some(payload) => {
                let commit = Commit::parse(payload)?;
                check_fits(&commit, model, passages, dir)?;
                commit
            }
            None => {
                refuse_foreign(&layout)?;
                let mut commit = Commit::empty(model.clone(), model_location, passages);
                commit.committed_at = now();
                keyword.commit(&commit.to_payload()?)?;
                commit
            }
        };
        remove_unnamed(&layout, &committed)?;
        let segments = committed
            .segments
            .iter()
            .map(|segment| Segment::open(&layout.vectors(), &segment.meta))
            .collect::<Result<_>>()?;
        let deleted = read_deletes(&layout.deletes(), committed.deletes.as_ref())?;
        let reader = KeywordIndex::open(&layout.keyword())?;
        let snapshot = reader.snapshot()?;
        Ok(Self {
            pending: Pending::after(&committed),
            layout,
            settings,
            keyword,
            reader,
            snapshot,
            committed,
            segments,
            deleted,
            _lock: lock,
        })
    }

    /// The last committed state.
    pub fn committed(&self) -> &Commit {
        &self.committed
    }

    /// Source files as far as they are applied, pending changes included.
    pub fn sources(&self) -> &[AppliedFile] {
        self.pending.sources()
    }

    /// Says what an article would do, and prepares it for [`Self::put`]:
    /// content that is there already need not be embedded.
    pub fn classify(&self, article: Article, source: &str) -> Result<(Change, StoredArticle)> {
        let stored = StoredArticle::new(article, source)?;
        let change = match self.state_of(&stored.article.id)? {
            None => Change::Added,
            Some(state) if state.content == stored.content => Change::Unchanged,
            Some(state)
                if stored.article.version < state.version || is_older(source, &state.source) =>
            {
                Change::Unchanged
            }
            Some(_) => Change::Replaced,
        };
        Ok((change, stored))
    }

    /// Adds an article, in place of what was there under its id.
    ///
    /// `vectors` holds one row of the model's dimension for each passage.
    pub fn put(
        &mut self,
        stored: StoredArticle,
        passages: &[Passage],
        vectors: &[f32],
    ) -> Result<()> {
        let dimension = self.committed.model.dimension;
        if vectors.len() != passages.len() * dimension {
            return Err(Error::new(
                ErrorKind::Internal,
                format!(
                    "{} passages came with {} numbers at dimension {dimension}",
                    passages.len(),
                    vectors.len()
                ),
            ));
        }
        let id = stored.article.id.clone();
        if let Some(old) = self.state_of(&id)? {
            self.forget(&id, old.key)?;
        }
        let key = self.pending.take_key()?;
        self.keyword
            .add(key, &stored.article, &stored.to_bytes()?)?;
        self.pending.add(key, stored, passages, vectors);
        Ok(())
    }

    /// Removes an article; an older file than the one it came from cannot.
    pub fn delete(&mut self, id: &ArticleId, source: &str) -> Result<Change> {
        match self.state_of(id)? {
            Some(state) if !is_older(source, &state.source) => {
                self.forget(id, state.key)?;
                self.pending.remove(id.clone());
                Ok(Change::Deleted)
            }
            _ => Ok(Change::Unchanged),
        }
    }

    /// Puts a record aside that could not be read.
    pub fn quarantine(&mut self, record: QuarantinedRecord) {
        self.pending.quarantine.push(record);
    }

    /// Notes how far a source file has been applied, for the next commit.
    pub fn note_source(&mut self, file: AppliedFile) {
        self.pending.note_source(file);
    }

    /// Articles that wait for the next commit.
    pub fn pending_articles(&self) -> usize {
        self.pending.articles_waiting()
    }

    /// Quarantined records that wait for the next commit.
    pub fn pending_quarantine(&self) -> usize {
        self.pending.quarantine.len()
    }

    /// Makes everything since the last commit durable and visible, and says
    /// which generation that is.
    pub fn commit(&mut self) -> Result<u64> {
        if !self.pending.is_dirty() {
            return Ok(self.committed.generation);
        }
        let mut commit = self.committed.clone();
        commit.generation += 1;
        commit.committed_at = now();
        let name = format!("{:08}", commit.generation);
        self.write_quarantine(&mut commit, &name)?;
        self.write_vectors(&mut commit, &name)?;
        if !self.deleted.is_empty() {
            let folder = self.layout.deletes();
            commit.deletes = Some(write_deletes(&folder, &name, &self.deleted)?);
        }
        commit.next_key = self.pending.next_key;
        commit.articles = self.pending.articles;
        commit.live_passages = commit.segments.iter().map(CommittedSegment::live).sum();
        commit.sources = self.pending.sources().to_vec();
        self.keyword.commit(&commit.to_payload()?)?;
        // Before the files of the former commit go, the new one must be sure
        // to be found after a loss of power.
        sync_folder(&self.layout.keyword())?;
        self.snapshot = self.reader.snapshot()?;
        self.pending = Pending::after(&commit);
        self.committed = commit;
        remove_unnamed(&self.layout, &self.committed)?;
        Ok(self.committed.generation)
    }

    /// Waits for merges of the keyword side and gives the lock back. What was
    /// not committed is dropped.
    pub fn close(self) -> Result<()> {
        self.keyword.close()
    }

    fn write_quarantine(&mut self, commit: &mut Commit, name: &str) -> Result<()> {
        if self.pending.quarantine.is_empty() {
            return Ok(());
        }
        let lines = to_lines(&self.pending.quarantine)?;
        let file = write_file(&self.layout.quarantine(), &format!("{name}.jsonl"), &lines)?;
        commit.quarantine.push(file);
        Ok(())
    }

    fn write_vectors(&mut self, commit: &mut Commit, name: &str) -> Result<()> {
        for (segment, opened) in commit.segments.iter_mut().zip(&self.segments) {
            segment.dead_passages = opened.dead_passages(&self.deleted);
        }
        let vectors = self.layout.vectors();
        let dimension = self.committed.model.dimension;
        let rows = self.pending.rows(&self.deleted, dimension);
        if !rows.is_empty() {
            let meta = write_segment(
                &vectors,
                name,
                dimension,
                rows,
                &self.settings.graph,
                &|_, _| {},
            )?;
            self.segments.push(Segment::open(&vectors, &meta)?);
            commit.segments.push(CommittedSegment::new(meta));
        }
        let mut merges = 0;
        loop {
            let loads: Vec<SegmentLoad> =
                commit.segments.iter().map(CommittedSegment::load).collect();
            let merge = next_merge(&loads, self.settings.merge_factor);
            if merge.is_empty() {
                break;
            }
            merges += 1;
            self.merge(commit, &merge, &format!("{name}-{merges}"))?;
        }
        sync_folder(&vectors)
    }

    fn merge(&mut self, commit: &mut Commit, positions: &[usize], name: &str) -> Result<()> {
        let vectors = self.layout.vectors();
        let joined: Vec<Arc<Segment>> = positions
            .iter()
            .map(|&position| Arc::clone(&self.segments[position]))
            .collect();
        let meta = merge_segments(
            &vectors,
            name,
            &joined,
            &self.deleted,
            &self.settings.graph,
            &|_, _| {},
        )?;
        let mut position = 0..;
        commit.segments.retain(|_| {
            position
                .next()
                .is_some_and(|p: usize| !positions.contains(&p))
        });
        let mut position = 0..;
        self.segments.retain(|_| {
            position
                .next()
                .is_some_and(|p: usize| !positions.contains(&p))
        });
        if meta.passages > 0 {
            self.segments.push(Segment::open(&vectors, &meta)?);
            commit.segments.push(CommittedSegment::new(meta));
        }
        Ok(())
    }

    /// What the index will hold under an id once all pending changes are in.
    fn state_of(&self, id: &ArticleId) -> Result<Option<ArticleState>> {
        if let Some(state) = self.pending.state_of(id) {
            return Ok(state.cloned());
        }
        let Some(key) = self.snapshot.key_of(id)? else {
            return Ok(None);
        };
        let bytes = self.snapshot.stored_by_key(key)?.ok_or_else(|| {
            Error::new(
                ErrorKind::Corrupt,
                format!("article {id} is in the index without its content: run `medsift verify`"),
            )
        })?;
        Ok(Some(ArticleState::of(key, &StoredArticle::parse(&bytes)?)))
    }

    fn forget(&mut self, id: &ArticleId, key: ArticleKey) -> Result<()> {
        self.keyword.delete(id)?;
        self.deleted.insert(key.0);
        self.pending.forget();
        Ok(())
    }
}

fn check_fits(
    commit: &Commit,
    model: &ModelFingerprint,
    passages: PassageMode,
    dir: &Path,
) -> Result<()> {
    if commit.model != *model {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the index {} was made with model {}, not with {model}: give the same model, or \
                 make a new index in another folder",
                dir.display(),
                commit.model
            ),
        ));
    }
    if commit.passages != passages {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the index {} was made with passages {:?}: give the same setting, or make a new \
                 index in another folder",
                dir.display(),
                commit.passages
            ),
        ));
    }
    Ok(())
}

/// A new index is not begun where somebody else's files lie: what no commit
/// names would be removed.
fn refuse_foreign(layout: &Layout) -> Result<()> {
    for folder in [layout.vectors(), layout.deletes(), layout.quarantine()] {
        let mut entries = fs::read_dir(&folder).map_err(|e| Error::io("read", &folder, e))?;
        if entries.next().is_some() {
            return Err(Error::invalid(
                "index",
                format!(
                    "{} is no index and {} is not empty: give an empty or a new folder",
                    layout.root().display(),
                    folder.display()
                ),
            ));
        }
    }
    Ok(())
}

/// Whether a source is known to be older than another: both are NLM files and
/// the numbers say so.
fn is_older(source: &str, than: &str) -> bool {
    match (nlm_number(source), nlm_number(than)) {
        (Some(source), Some(than)) => source < than,
        _ => false,
    }
}

fn now() -> String {
    time::OffsetDateTime::now_utc()
        .replace_nanosecond(0)
        .ok()
        .and_then(|now| {
            now.format(&time::format_description::well_known::Rfc3339)
                .ok()
        })
        .unwrap_or_default()
}
