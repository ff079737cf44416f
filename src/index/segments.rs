//! The vector side while an index is written: new segments, and their joining.

use super::commit::{Commit, CommittedSegment};
use super::files::{read_deletes, write_deletes};
use super::layout::Layout;
use super::merge::{SegmentLoad, next_merge};
use super::settings::WriterSettings;
use super::watch::{CommitStep, CommitWatch};
use crate::durable::sync_folder;
use crate::error::{Error, Result};
use crate::key::ArticleKey;
use crate::vector::{PassageRow, Segment, SegmentMeta, merge_segments, write_segment};
use roaring::RoaringBitmap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often a commit that joins segments asks whether to come to an end.
const POLL: Duration = Duration::from_millis(50);

/// Open segments, in the order of the commit, and the keys that are no longer
/// current.
pub(super) struct Segments {
    vectors: PathBuf,
    deletes: PathBuf,
    dimension: usize,
    open: Vec<Arc<Segment>>,
    deleted: RoaringBitmap,
    /// Joinings that nobody waits for any more. They write into folders that
    /// no commit will name.
    given_up: Vec<Joining>,
}

type Joining = JoinHandle<Result<SegmentMeta>>;

impl Segments {
    pub(super) fn open(layout: &Layout, commit: &Commit) -> Result<Self> {
        let open = commit
            .segments
            .iter()
            .map(|segment| Segment::open(&layout.vectors(), &segment.meta))
            .collect::<Result<_>>()?;
        Ok(Self {
            vectors: layout.vectors(),
            deletes: layout.deletes(),
            dimension: commit.model.dimension,
            open,
            deleted: read_deletes(&layout.deletes(), commit.deletes.as_ref())?,
            given_up: Vec::new(),
        })
    }

    /// Keys that are no longer current.
    pub(super) fn deleted(&self) -> &RoaringBitmap {
        &self.deleted
    }

    /// The key is no longer current.
    pub(super) fn delete(&mut self, key: ArticleKey) {
        self.deleted.insert(key.0);
    }

    /// Whether no joining that was given up is still at work.
    pub(super) fn is_quiet(&mut self) -> bool {
        self.given_up.retain(|joining| !joining.is_finished());
        self.given_up.is_empty()
    }

    /// Writes new passages and joins segments as the policy says; `name` is
    /// that of the new segment.
    pub(super) fn write(
        &mut self,
        commit: &mut Commit,
        name: &str,
        rows: Vec<PassageRow<'_>>,
        settings: &WriterSettings,
        watch: &dyn CommitWatch,
    ) -> Result<()> {
        for (segment, opened) in commit.segments.iter_mut().zip(&self.open) {
            segment.dead_passages = opened.dead_passages(&self.deleted);
        }
        if !rows.is_empty() {
            let meta = write_segment(
                &self.vectors,
                name,
                self.dimension,
                rows,
                &settings.graph,
                &|done, all| watch.graph(CommitStep::NewSegment, done, all),
            )?;
            self.push(commit, meta)?;
        }
        self.join_due(commit, name, settings, watch)?;
        if !self.deleted.is_empty() {
            commit.deletes = Some(write_deletes(&self.deletes, name, &self.deleted)?);
        }
        sync_folder(&self.vectors)
    }

    fn join_due(
        &mut self,
        commit: &mut Commit,
        name: &str,
        settings: &WriterSettings,
        watch: &dyn CommitWatch,
    ) -> Result<()> {
        for number in 1.. {
            let loads: Vec<SegmentLoad> =
                commit.segments.iter().map(CommittedSegment::load).collect();
            let due = next_merge(&loads, settings.merge_factor);
            if due.is_empty() || watch.cancelled() {
                break;
            }
            let Some(meta) = self.join(&due, &format!("{name}-{number}"), settings, watch)? else {
                break;
            };
            retain_others(&mut commit.segments, &due);
            retain_others(&mut self.open, &due);
            if meta.passages > 0 {
                self.push(commit, meta)?;
            }
        }
        Ok(())
    }

    /// Joins segments on a thread of its own, so that it can be given up: a
    /// graph over many passages takes minutes. Nothing when it was.
    fn join(
        &mut self,
        positions: &[usize],
        name: &str,
        settings: &WriterSettings,
        watch: &dyn CommitWatch,
    ) -> Result<Option<SegmentMeta>> {
        let joined: Vec<Arc<Segment>> = positions
            .iter()
            .map(|&position| Arc::clone(&self.open[position]))
            .collect();
        let (vectors, deleted) = (self.vectors.clone(), self.deleted.clone());
        let (graph, folder) = (settings.graph.clone(), name.to_owned());
        let (sender, receiver) = channel();
        let joining: Joining = thread::Builder::new()
            .name("join-segments".to_owned())
            .spawn(move || {
                let progress = |done, all| {
                    // Nobody listens once it was given up.
                    let _ = sender.send((done, all));
                };
                merge_segments(&vectors, &folder, &joined, &deleted, &graph, &progress)
            })
            .map_err(|e| Error::io("start a thread for", &self.vectors, e))?;
        if !attend(&receiver, watch) {
            self.given_up.push(joining);
            return Ok(None);
        }
        match joining.join() {
            Ok(meta) => meta.map(Some),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    fn push(&mut self, commit: &mut Commit, meta: SegmentMeta) -> Result<()> {
        self.open.push(Segment::open(&self.vectors, &meta)?);
        commit.segments.push(CommittedSegment::new(meta));
        Ok(())
    }
}

/// Passes progress on until the work is done; false when it is to be given up.
fn attend(progress: &Receiver<(u64, u64)>, watch: &dyn CommitWatch) -> bool {
    loop {
        match progress.recv_timeout(POLL) {
            Ok((done, all)) => watch.graph(CommitStep::JoinedSegment, done, all),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return true,
        }
        if watch.cancelled() {
            return false;
        }
    }
}

fn retain_others<T>(all: &mut Vec<T>, positions: &[usize]) {
    let mut position = 0..;
    all.retain(|_| {
        position
            .next()
            .is_some_and(|position: usize| !positions.contains(&position))
    });
}
