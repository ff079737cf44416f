mod findings;

use super::admission::{check_fits, refuse_foreign};
use super::cleanup::remove_unnamed;
use super::commit::{AppliedFile, Commit, CommittedSegment, PassageMode};
use super::completeness::Origin;
use super::files::write_file;
use super::layout::Layout;
use super::lock::WriteLock;
use super::open::{check_format, no_index, require};
use super::order::{Verdict, is_older, judge, nlm_number, outlives};
use super::pending::{ArticleState, Pending, Scale};
use super::provenance::Provenance;
use super::quarantine::{QuarantinedRecord, to_lines};
use super::segments::Segments;
use super::settings::WriterSettings;
use super::stored::StoredArticle;
use super::watch::{CommitWatch, Unwatched};
use crate::article::{Article, ArticleId};
use crate::durable::sync_folder;
use crate::encoder::ModelFingerprint;
use crate::error::{Error, ErrorKind, Result};
use crate::key::ArticleKey;
use crate::keyword::{KeywordIndex, KeywordSnapshot, KeywordWriter};
use crate::passage::Passage;
use crate::vector::is_unit;
use std::path::Path;

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
    /// Nothing: the record's format holds less than the article has.
    Kept,
}

/// What the deletion of an article does to the index.
#[derive(Debug, Clone, PartialEq)]
pub enum Removal {
    /// The article goes.
    Deleted,
    /// Nothing: there is none, or it is from a later file.
    Unchanged,
    /// The article goes, and an older version from a file after the deletion
    /// holds: embed it and [`IndexWriter::put`] it before the next commit.
    Replaced(Box<StoredArticle>),
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
    segments: Segments,
    provenance: Provenance,
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
        Self::open_layout(layout, settings, |payload| match payload {
            Some(payload) => {
                let commit = Commit::parse(payload)?;
                check_fits(&commit, model, passages, dir)?;
                Ok((commit, false))
            }
            None => {
                refuse_foreign(&Layout::new(dir))?;
                let mut commit = Commit::empty(model.clone(), model_location, passages);
                commit.committed_at = now();
                Ok((commit, true))
            }
        })
    }

    /// Opens an index that is there for writing, as it was made.
    ///
    /// # Errors
    ///
    /// `NotFound` where there is none; and as [`IndexWriter::open`].
    pub fn open_existing(dir: &Path, settings: WriterSettings) -> Result<Self> {
        require(dir)?;
        Self::open_layout(Layout::new(dir), settings, |payload| {
            let commit = payload.map(Commit::parse).transpose()?;
            Ok((commit.ok_or_else(|| no_index(dir))?, false))
        })
    }

    /// `committed` reads the last commit out of the payload, or makes the first
    /// one, which is then committed.
    fn open_layout(
        layout: Layout,
        settings: WriterSettings,
        committed: impl FnOnce(Option<&str>) -> Result<(Commit, bool)>,
    ) -> Result<Self> {
        let lock = WriteLock::acquire(&layout.lock())?;
        check_format(&layout)?;
        let mut keyword = KeywordWriter::open(
            &layout.keyword(),
            settings.keyword_memory,
            settings.keyword_threads,
        )?;
        let (committed, first) = committed(keyword.payload())?;
        if first {
            keyword.commit(&committed.to_payload()?)?;
        }
        remove_unnamed(&layout, &committed)?;
        let segments = Segments::open(&layout, &committed)?;
        let provenance = Provenance::open(&layout, &committed)?;
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
            provenance,
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
    ///
    /// What an unchanged article says about the order of files is noted.
    pub fn classify(
        &mut self,
        article: Article,
        origin: &Origin<'_>,
    ) -> Result<(Change, StoredArticle)> {
        let stored = StoredArticle::new(article, origin.file, origin.completeness)?;
        let id = &stored.article.id;
        let state = self.state_of(id)?;
        let current = state.as_ref().map(ArticleState::claim);
        let deleted = self.provenance.tombstones.of(id);
        let verdict = judge(stored.claim(), current, deleted);
        let change = match (verdict, state) {
            (Verdict::Added, _) => Change::Added,
            (Verdict::Replaced, _) => Change::Replaced,
            (Verdict::Poorer, _) if origin.replace => Change::Replaced,
            (Verdict::Poorer, _) => Change::Kept,
            (Verdict::Confirmed, Some(state)) => {
                self.confirm(state.key, &stored)?;
                Change::Unchanged
            }
            (Verdict::Fallback, _) => {
                self.provenance.fallbacks.keep(stored.clone());
                Change::Unchanged
            }
            (Verdict::Confirmed | Verdict::Outdated, _) => Change::Unchanged,
        };
        Ok((change, stored))
    }

    /// Whether a commit has to be made before [`Self::put`] of an article: it is
    /// a newer version from an earlier file than a record that waits for a
    /// commit, and only what is committed can be read back to be kept.
    ///
    /// Who applies files makes it between two of their records, with
    /// everything before them put and noted.
    pub fn needs_commit(&self, stored: &StoredArticle) -> bool {
        let waiting = self.pending.state_of(&stored.article.id).flatten();
        waiting.is_some_and(|old| outlives(old.claim(), stored.claim()))
    }

    /// Adds an article, in place of what was there under its id.
    ///
    /// `vectors` holds one row of the model's dimension for each passage.
    /// A commit has to be made first where [`Self::needs_commit`] says so.
    pub fn put(
        &mut self,
        stored: StoredArticle,
        passages: &[Passage],
        vectors: &[f32],
    ) -> Result<()> {
        self.put_rows(stored, passages, vectors, Scale::ToUnit)
    }

    /// [`Self::put`] with vectors that were unit vectors of an index before:
    /// they are kept to the bit.
    ///
    /// # Errors
    /// As of [`Self::put`]; also where a vector is no unit vector.
    pub fn put_unit(
        &mut self,
        stored: StoredArticle,
        passages: &[Passage],
        vectors: &[f32],
    ) -> Result<()> {
        let dimension = self.committed.model.dimension;
        if !vectors.chunks(dimension).all(is_unit) {
            return Err(Error::new(
                ErrorKind::Internal,
                format!(
                    "a vector of article {} is no unit vector",
                    stored.article.id
                ),
            ));
        }
        self.put_rows(stored, passages, vectors, Scale::Keep)
    }

    fn put_rows(
        &mut self,
        stored: StoredArticle,
        passages: &[Passage],
        vectors: &[f32],
        scale: Scale,
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
            if outlives(old.claim(), stored.claim()) {
                self.keep_aside(&id, old.key)?;
            }
            self.forget(&id, old.key)?;
        }
        let file = nlm_number(&stored.source);
        self.provenance.fallbacks.outdate(&id, file);
        let key = self.pending.take_key()?;
        self.keyword
            .add(key, &stored.article, &stored.to_bytes()?)?;
        self.pending.add(key, stored, passages, vectors, scale);
        Ok(())
    }

    /// Removes an article, and remembers it when an NLM file says so: no
    /// record of an older file brings the article back.
    pub fn delete(&mut self, id: &ArticleId, source: &str) -> Result<Removal> {
        let file = nlm_number(source);
        let state = self.state_of(id)?;
        if let Some(file) = file {
            self.provenance.tombstones.bury(id, file);
        }
        let Some(state) = state else {
            return Ok(Removal::Unchanged);
        };
        if is_older(file, nlm_number(&state.source)) {
            return Ok(Removal::Unchanged);
        }
        if let Some(holds) = self.provenance.fallbacks.take(id, file) {
            return Ok(Removal::Replaced(Box::new(holds)));
        }
        self.forget(id, state.key)?;
        self.pending.remove(id.clone());
        Ok(Removal::Deleted)
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
        self.commit_watched(&Unwatched)
    }

    /// [`Self::commit`], while somebody watches who may cut it short.
    pub fn commit_watched(&mut self, watch: &dyn CommitWatch) -> Result<u64> {
        if !self.pending.is_dirty() && !self.provenance.is_changed() {
            return Ok(self.committed.generation);
        }
        let mut commit = self.committed.clone();
        commit.generation += 1;
        commit.committed_at = now();
        let name = format!("{:08}", commit.generation);
        self.write_quarantine(&mut commit, &name)?;
        let rows = self
            .pending
            .rows(self.segments.deleted(), commit.model.dimension);
        self.segments
            .write(&mut commit, &name, rows, &self.settings, watch)?;
        self.provenance.write(&mut commit, &name)?;
        commit.next_key = self.pending.next_key;
        commit.articles = self.pending.articles;
        commit.live_passages = commit.segments.iter().map(CommittedSegment::live).sum();
        commit.sources = self.pending.sources().to_vec();
        commit.recipes = self.recipes()?;
        self.keyword.commit(&commit.to_payload()?)?;
        // Before the files of the former commit go, the new one must be sure
        // to be found after a loss of power.
        sync_folder(&self.layout.keyword())?;
        self.snapshot = self.reader.snapshot()?;
        self.pending = Pending::after(&commit);
        self.provenance.committed();
        self.committed = commit;
        if self.segments.is_quiet() {
            remove_unnamed(&self.layout, &self.committed)?;
        }
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

    /// What the index will hold under an id once all pending changes are in.
    fn state_of(&self, id: &ArticleId) -> Result<Option<ArticleState>> {
        if let Some(state) = self.pending.state_of(id) {
            return Ok(state.cloned());
        }
        let Some(key) = self.snapshot.key_of(id)? else {
            return Ok(None);
        };
        Ok(Some(ArticleState::of(key, &self.article(key)?)))
    }

    /// Dates an article from a later file that says the same. Its key, its
    /// vectors and what was found in it stay.
    fn confirm(&mut self, key: ArticleKey, stored: &StoredArticle) -> Result<()> {
        let id = &stored.article.id;
        let findings = self.findings_of(key)?;
        self.keyword.delete(id)?;
        self.keyword
            .add_with(key, &stored.article, &stored.to_bytes()?, findings.as_ref())?;
        self.pending.confirm(key, stored);
        let file = nlm_number(&stored.source);
        self.provenance.fallbacks.outdate(id, file);
        Ok(())
    }

    /// Keeps an article that gives way to a newer version of an earlier file.
    fn keep_aside(&mut self, id: &ArticleId, key: ArticleKey) -> Result<()> {
        if self.pending.state_of(id).is_some() {
            return Err(Error::new(
                ErrorKind::Internal,
                format!("article {id} gives way before it was committed"),
            ));
        }
        let former = self.article(key)?;
        self.provenance.fallbacks.keep(former);
        Ok(())
    }

    fn forget(&mut self, id: &ArticleId, key: ArticleKey) -> Result<()> {
        self.keyword.delete(id)?;
        self.segments.delete(key);
        self.pending.forget();
        Ok(())
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
