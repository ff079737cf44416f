use super::commit::Commit;
use super::files::read_deletes;
use super::layout::Layout;
use crate::encoder::{Encoder, ModelFingerprint};
use crate::error::{Error, ErrorKind, Result};
use crate::keyword::{KeywordIndex, KeywordSnapshot};
use crate::searcher::{SearchSettings, Searcher};
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
    layout: Layout,
    keyword: KeywordIndex,
    encoder: Option<Arc<Encoder>>,
    settings: Arc<SearchSettings>,
    current: Mutex<Current>,
}

struct Current {
    seen: Option<Stamp>,
    searcher: Arc<Searcher>,
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
        let layout = Layout::new(dir);
        let keyword = open_keyword(&layout)?;
        let settings = Arc::new(settings);
        let stamp = stamp(&layout);
        let searcher = load(&layout, &keyword, encoder.as_ref(), &settings, None)?;
        Ok(Self {
            layout,
            keyword,
            encoder,
            settings,
            current: Mutex::new(Current {
                seen: stamp,
                searcher: Arc::new(searcher),
            }),
        })
    }

    /// A snapshot of the newest commit. It stays as it is however the index
    /// changes.
    pub fn searcher(&self) -> Result<Arc<Searcher>> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp(&self.layout);
        if stamp.is_none() || stamp == current.seen {
            return Ok(Arc::clone(&current.searcher));
        }
        let newer = load(
            &self.layout,
            &self.keyword,
            self.encoder.as_ref(),
            &self.settings,
            Some(&current.searcher),
        )?;
        current.seen = stamp;
        // The keyword side merges its files between commits; the state is the
        // same, and so must its scores be until the next commit.
        if newer.commit() != current.searcher.commit() {
            current.searcher = Arc::new(newer);
        }
        Ok(Arc::clone(&current.searcher))
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

pub(super) fn open_keyword(layout: &Layout) -> Result<KeywordIndex> {
    if !layout.exists() {
        return Err(no_index(layout.root()));
    }
    KeywordIndex::open(&layout.keyword())
}

pub(super) fn read_commit(snapshot: &KeywordSnapshot, dir: &Path) -> Result<Commit> {
    match snapshot.payload() {
        "" => Err(no_index(dir)),
        payload => Commit::parse(payload),
    }
}

fn no_index(dir: &Path) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format!(
            "no index in {0}: make one with `medsift index FILE… --index {0}`",
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

fn load(
    layout: &Layout,
    keyword: &KeywordIndex,
    encoder: Option<&Arc<Encoder>>,
    settings: &Arc<SearchSettings>,
    former: Option<&Searcher>,
) -> Result<Searcher> {
    let mut attempt = 1;
    loop {
        match load_once(layout, keyword, encoder, settings, former) {
            // A commit came between reading the old one and opening its files.
            Err(e) if e.kind() == ErrorKind::NotFound && attempt < ATTEMPTS => attempt += 1,
            other => return other,
        }
    }
}

fn load_once(
    layout: &Layout,
    keyword: &KeywordIndex,
    encoder: Option<&Arc<Encoder>>,
    settings: &Arc<SearchSettings>,
    former: Option<&Searcher>,
) -> Result<Searcher> {
    let snapshot = keyword.snapshot()?;
    let commit = read_commit(&snapshot, layout.root())?;
    if let Some(encoder) = encoder
        && *encoder.fingerprint() != commit.model
    {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the index {} was made with model {}, not with {}: give that model with --model, \
                 or index again with this one",
                layout.root().display(),
                commit.model,
                encoder.fingerprint()
            ),
        ));
    }
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
        encoder.cloned(),
        Arc::clone(settings),
    ))
}
