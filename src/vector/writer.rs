//! Writes a segment: its passages as they come, then its graph.

use super::checksum::sync_folder;
use super::graph;
use super::mapped::MappedFile;
use super::passages::{BATCH_ROWS, Passages, PassagesWriter, is_unit};
use super::segment::{GRAPH_FILE, PASSAGES_FILE, PassageRow, SegmentMeta, SegmentParams};
use crate::error::{Error, ErrorKind, Result};
use crate::key::ArticleKey;
use std::fs;
use std::path::{Path, PathBuf};

/// A segment under construction. Rows go to disk as they are pushed; memory
/// holds one record batch, and later the graph.
///
/// A writer that is dropped leaves its folder behind: no commit names it.
pub struct SegmentWriter {
    vectors_dir: PathBuf,
    folder: PathBuf,
    params: SegmentParams,
    passages: PassagesWriter,
    last: Option<(ArticleKey, u32)>,
    meta: SegmentMeta,
}

impl SegmentWriter {
    /// Begins a segment in a folder of its own, which must not exist yet.
    ///
    /// # Errors
    /// When the folder exists or cannot be written, and when the parameters or
    /// the dimension cannot be.
    pub fn create(
        vectors_dir: &Path,
        name: &str,
        dimension: usize,
        params: &SegmentParams,
    ) -> Result<Self> {
        Self::with_batches(vectors_dir, name, dimension, params, BATCH_ROWS)
    }

    pub(super) fn with_batches(
        vectors_dir: &Path,
        name: &str,
        dimension: usize,
        params: &SegmentParams,
        batch_rows: usize,
    ) -> Result<Self> {
        params.check()?;
        let folder = vectors_dir.join(name);
        fs::create_dir_all(vectors_dir)
            .and_then(|()| fs::create_dir(&folder))
            .map_err(|error| Error::io("create", &folder, error))?;
        Ok(Self {
            vectors_dir: vectors_dir.to_owned(),
            passages: PassagesWriter::create(&folder.join(PASSAGES_FILE), dimension, batch_rows)?,
            folder,
            params: params.clone(),
            last: None,
            meta: SegmentMeta {
                name: name.to_owned(),
                dimension,
                passages: 0,
                articles: 0,
                min_key: None,
                max_key: None,
                files: Vec::new(),
                graph: false,
            },
        })
    }

    /// Appends a passage.
    ///
    /// # Errors
    /// When it does not follow the one before by key and ordinal, when its
    /// vector is not a unit vector of the segment's dimension, and when it
    /// cannot be written.
    pub fn push(&mut self, row: &PassageRow<'_>) -> Result<()> {
        self.check(row).map_err(|what| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("passage {} of article {} {what}", row.ordinal, row.key.0),
            )
        })?;
        self.passages.push(row)?;
        self.meta.passages += 1;
        if self.meta.max_key != Some(row.key) {
            self.meta.articles += 1;
        }
        self.meta.min_key.get_or_insert(row.key);
        self.meta.max_key = Some(row.key);
        self.last = Some((row.key, row.ordinal));
        Ok(())
    }

    fn check(&self, row: &PassageRow<'_>) -> std::result::Result<(), String> {
        if self.last.is_some_and(|last| last >= (row.key, row.ordinal)) {
            return Err("comes after a later one: rows must rise by key and ordinal".to_owned());
        }
        if row.range.start > row.range.end {
            return Err("ends before it begins".to_owned());
        }
        if row.vector.len() != self.meta.dimension {
            return Err(format!(
                "has {} numbers instead of {}",
                row.vector.len(),
                self.meta.dimension
            ));
        }
        if !is_unit(row.vector) {
            return Err("has a vector that is not of length one: check the model".to_owned());
        }
        if self.meta.passages >= i32::MAX as u32 {
            return Err("is one too many for a segment".to_owned());
        }
        Ok(())
    }

    /// Passages so far.
    pub fn len(&self) -> u32 {
        self.meta.passages
    }

    /// Whether nothing was pushed yet.
    pub fn is_empty(&self) -> bool {
        self.meta.passages == 0
    }

    /// Completes the segment and brings it to the device. The graph is built on
    /// the rayon pool of the caller; `progress` is told the points done and all.
    pub fn finish(mut self, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<SegmentMeta> {
        self.meta.files.push(self.passages.finish()?);
        if self.meta.passages as usize >= self.params.graph_from.max(1) {
            let bytes = self.meta.files[0].bytes;
            let file = MappedFile::open(&self.folder.join(PASSAGES_FILE), bytes)?;
            let passages = Passages::open(&file)?;
            let built = graph::build(&passages, &self.params, progress);
            self.meta
                .files
                .push(built.write(&self.folder.join(GRAPH_FILE))?);
            self.meta.graph = true;
        }
        sync_folder(&self.folder)?;
        sync_folder(&self.vectors_dir)?;
        Ok(self.meta)
    }
}

/// Writes a whole segment from rows that rise by key and ordinal; see
/// [`SegmentWriter`].
pub fn write_segment<'a>(
    vectors_dir: &Path,
    name: &str,
    dimension: usize,
    rows: impl IntoIterator<Item = PassageRow<'a>>,
    params: &SegmentParams,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<SegmentMeta> {
    let mut writer = SegmentWriter::create(vectors_dir, name, dimension, params)?;
    for row in rows {
        writer.push(&row)?;
    }
    writer.finish(progress)
}
