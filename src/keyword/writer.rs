//! Writes the keyword index.

use super::document::{Findings, document};
use super::error::from_tantivy;
use super::schema::{self, Fields};
use crate::ArticleKey;
use crate::article::{Article, ArticleId};
use crate::error::{Error, ErrorKind, Result};
use std::fs;
use std::path::{Path, PathBuf};
use tantivy::directory::MmapDirectory;
use tantivy::store::{Compressor, ZstdCompressor};
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument, TantivyError, Term};

/// Least memory per thread that tantivy accepts, in bytes.
const MIN_MEMORY: usize = 15_000_000;
/// Most memory per thread that tantivy accepts, in bytes.
const MAX_MEMORY: usize = 4_000_000_000;

/// The one writer of a keyword index.
///
/// Nothing is seen by readers before [`KeywordWriter::commit`]; what was not
/// committed is gone when the writer is dropped or the process dies.
pub struct KeywordWriter {
    dir: PathBuf,
    fields: Fields,
    writer: IndexWriter,
    payload: Option<String>,
    /// Whether anything was added or deleted since the last commit.
    pending: bool,
}

impl KeywordWriter {
    /// Opens an index for writing and creates it where there is none.
    ///
    /// `memory_bytes` is shared by `threads` and bounds what is held before it
    /// is written out as a segment. Leftovers of a crash are removed.
    ///
    /// # Errors
    /// `Locked` where another writer is at work, `Permission` in a folder that
    /// must not be written, `Incompatible` where the index was made with other
    /// fields or another analysis, `Corrupt` where it is damaged.
    pub fn open(dir: &Path, memory_bytes: usize, threads: usize) -> Result<Self> {
        fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))?;
        let failed = |error| from_tantivy("open", dir, error);
        let directory = MmapDirectory::open(dir).map_err(|error| failed(error.into()))?;
        let (index, fields) = open_or_create(dir, directory)?;
        let threads = threads.max(1);
        let per_thread = (memory_bytes / threads).clamp(MIN_MEMORY, MAX_MEMORY);
        let writer: IndexWriter = index
            .writer_with_num_threads(threads, per_thread * threads)
            .map_err(failed)?;
        // Only after the lock is ours.
        remove_temporary_files(dir)?;
        writer.garbage_collect_files().wait().map_err(failed)?;
        let payload = index.load_metas().map_err(failed)?.payload;
        Ok(Self {
            dir: dir.to_owned(),
            fields,
            writer,
            payload,
            pending: false,
        })
    }

    /// What the last commit carried.
    pub fn payload(&self) -> Option<&str> {
        self.payload.as_deref()
    }

    /// Adds a state of an article. `stored` comes back as it is from
    /// [`super::KeywordSnapshot::stored_by_key`].
    ///
    /// An earlier state of the same article stays until it is deleted: call
    /// [`KeywordWriter::delete`] first.
    pub fn add(&mut self, key: ArticleKey, article: &Article, stored: &[u8]) -> Result<()> {
        self.add_with(key, article, stored, None)
    }

    /// [`Self::add`] with what was found in the article.
    pub fn add_with(
        &mut self,
        key: ArticleKey,
        article: &Article,
        stored: &[u8],
        findings: Option<&Findings>,
    ) -> Result<()> {
        self.pending = true;
        let document: TantivyDocument = document(&self.fields, key, article, stored, findings);
        self.writer
            .add_document(document)
            .map(drop)
            .map_err(|error| self.failed("add to", error))
    }

    /// Deletes every state of an article that was added before this call, in
    /// this commit or an earlier one.
    pub fn delete(&mut self, id: &ArticleId) -> Result<()> {
        self.pending = true;
        self.writer
            .delete_term(Term::from_field_text(self.fields.id, id.as_str()));
        Ok(())
    }

    /// Makes everything since the last commit seen, together with a payload,
    /// at one instant. When it returns, all of it is on disk.
    pub fn commit(&mut self, payload: &str) -> Result<()> {
        let committed = self.writer.prepare_commit().and_then(|mut prepared| {
            prepared.set_payload(payload);
            prepared.commit()
        });
        committed.map_err(|error| self.failed("commit", error))?;
        self.payload = Some(payload.to_owned());
        self.pending = false;
        Ok(())
    }

    /// Forgets everything since the last commit.
    pub fn rollback(&mut self) -> Result<()> {
        let rolled_back = self.writer.rollback();
        rolled_back.map_err(|error| self.failed("roll back", error))?;
        self.pending = false;
        Ok(())
    }

    /// Waits for merges and removes files that no commit names. What was not
    /// committed is forgotten.
    pub fn close(mut self) -> Result<()> {
        // Rolling back ends merges too, so it is done only where it is needed.
        if self.pending {
            self.rollback()?;
        }
        let Self { dir, writer, .. } = self;
        let closed = writer.wait_merging_threads();
        closed.map_err(|error| from_tantivy("close", &dir, error))
    }

    /// Merges all segments into one, which tantivy otherwise does in its time.
    #[cfg(test)]
    pub(super) fn merge_all(&mut self) -> Result<()> {
        let segments = self.writer.index().searchable_segment_ids();
        let merged = segments.and_then(|segments| self.writer.merge(&segments).wait().map(drop));
        merged.map_err(|error| self.failed("merge", error))
    }

    fn failed(&self, action: &str, error: TantivyError) -> Error {
        from_tantivy(action, &self.dir, error)
    }
}

fn open_or_create(dir: &Path, directory: MmapDirectory) -> Result<(Index, Fields)> {
    let failed = |error| from_tantivy("open", dir, error);
    let exists = Index::exists(&directory).map_err(|error| failed(error.into()))?;
    let (schema, fields) = schema::schema();
    let index = if exists {
        Index::open(directory).map_err(failed)?
    } else {
        let settings = IndexSettings {
            docstore_compression: Compressor::Zstd(ZstdCompressor {
                compression_level: Some(3),
            }),
            ..IndexSettings::default()
        };
        Index::create(directory, schema, settings).map_err(failed)?
    };
    check_schema(dir, &index)?;
    schema::register_analysis(&index);
    Ok((index, fields))
}

/// Refuses an index with other fields or another analysis.
pub(super) fn check_schema(dir: &Path, index: &Index) -> Result<()> {
    if index.schema() == schema::schema().0 {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Incompatible,
        format!(
            "the keyword index in {} was made by another version of medsift: build it again",
            dir.display()
        ),
    ))
}

/// Files that tantivy was about to rename when the process died.
fn remove_temporary_files(dir: &Path) -> Result<()> {
    let entries = fs::read_dir(dir).map_err(|error| Error::io("read", dir, error))?;
    for entry in entries {
        let path = entry.map_err(|error| Error::io("read", dir, error))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.starts_with(".tmp")) {
            fs::remove_file(&path).map_err(|error| Error::io("remove", &path, error))?;
        }
    }
    Ok(())
}
