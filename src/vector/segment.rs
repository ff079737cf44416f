//! One written-once set of passages, opened for reading.

use super::checksum::sha256;
use super::graph::MappedGraph;
use super::mapped::MappedFile;
use super::passages::Passages;
use crate::error::{Error, Result};
use crate::key::ArticleKey;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Name of the file that holds the passages.
pub(super) const PASSAGES_FILE: &str = "passages.arrow";
/// Name of the file that holds the graph.
pub(super) const GRAPH_FILE: &str = "graph.hnsw";

/// One passage, as it is written and read.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageRow<'a> {
    /// The article.
    pub key: ArticleKey,
    /// Place among the article's passages, from 0.
    pub ordinal: u32,
    /// Byte range in the article's running text.
    pub range: Range<u32>,
    /// Unit vector.
    pub vector: &'a [f32],
}

/// How a segment is built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SegmentParams {
    /// Connections that a new point makes on each level; the lowest level keeps
    /// up to twice as many. 2 to 64.
    pub m: usize,
    /// Points that are looked at when a new point chooses its neighbours.
    pub ef_construction: usize,
    /// Passages from which on a segment gets a graph; below, it is scanned.
    pub graph_from: usize,
    /// Seed of the levels and of the order of insertion.
    pub seed: u64,
}

impl Default for SegmentParams {
    fn default() -> Self {
        Self {
            m: 16,
            ef_construction: 200,
            graph_from: 4096,
            seed: 0x6d65_6473_6966_7431,
        }
    }
}

impl SegmentParams {
    /// Refuses numbers that no graph can be built with.
    pub fn check(&self) -> Result<()> {
        if !(2..=64).contains(&self.m) {
            return Err(Error::invalid(
                "vector.m",
                format!("vector.m is {}: use 2 to 64", self.m),
            ));
        }
        if !(self.m..=10_000).contains(&self.ef_construction) {
            return Err(Error::invalid(
                "vector.ef_construction",
                format!(
                    "vector.ef_construction is {}: use vector.m ({}) to 10000",
                    self.ef_construction, self.m
                ),
            ));
        }
        Ok(())
    }
}

/// One file of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMeta {
    /// Name in the segment's folder.
    pub name: String,
    /// Length.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

impl FileMeta {
    /// Whether it is a segment's graph.
    pub(crate) fn is_graph(&self) -> bool {
        self.name == GRAPH_FILE
    }
}

/// What a commit records of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentMeta {
    /// Name of its folder.
    pub name: String,
    /// Numbers in a vector.
    pub dimension: usize,
    /// Number of rows.
    pub passages: u32,
    /// Number of different keys.
    pub articles: u32,
    /// The lowest key; nothing when the segment is empty.
    pub min_key: Option<ArticleKey>,
    /// The highest key; nothing when the segment is empty.
    pub max_key: Option<ArticleKey>,
    /// Its files.
    pub files: Vec<FileMeta>,
    /// Whether it has a graph.
    pub graph: bool,
}

/// An open segment. Its files are mapped, so opening reads only their ends.
#[derive(Debug)]
pub struct Segment {
    meta: SegmentMeta,
    files: Vec<MappedFile>,
    passages: Passages,
    graph: Option<MappedGraph>,
    keys: OnceLock<RoaringBitmap>,
}

impl Segment {
    /// Maps a segment's files after a look at their lengths and layout.
    ///
    /// # Errors
    /// When a file is missing, has another length than recorded or does not
    /// have the layout of a segment. Contents are compared by [`Self::verify`].
    pub fn open(vectors_dir: &Path, meta: &SegmentMeta) -> Result<Arc<Self>> {
        let folder = vectors_dir.join(&meta.name);
        let open = |name: &str| {
            let file = meta
                .files
                .iter()
                .find(|file| file.name == name)
                .ok_or_else(|| {
                    Error::corrupt(&folder, format_args!("the commit does not record {name}"))
                })?;
            MappedFile::open(&folder.join(name), file.bytes)
        };
        let mut files = vec![open(PASSAGES_FILE)?];
        let passages = Passages::open(&files[0])?;
        let wrong = |what: &str| Error::corrupt(files[0].path(), what);
        if passages.len() != meta.passages {
            return Err(wrong("it holds another number of passages than recorded"));
        }
        if passages.dimension() != meta.dimension {
            return Err(wrong("its vectors have another dimension than recorded"));
        }
        let ends = (passages.first_key(), passages.last_key());
        if ends != (meta.min_key, meta.max_key) {
            return Err(wrong("its keys are others than recorded"));
        }
        let graph = if meta.graph {
            files.push(open(GRAPH_FILE)?);
            Some(MappedGraph::open(&files[1], passages.len())?)
        } else {
            None
        };
        Ok(Arc::new(Self {
            meta: meta.clone(),
            files,
            passages,
            graph,
            keys: OnceLock::new(),
        }))
    }

    /// Compares both files with their checksums and everything in them with
    /// what a segment promises: order of keys, ranges, unit vectors, neighbours.
    pub fn verify(&self) -> Result<()> {
        for file in &self.files {
            let name = file.path().file_name().unwrap_or_default();
            let recorded = self.meta.files.iter().find(|meta| *meta.name == *name);
            if recorded.is_none_or(|meta| meta.sha256 != sha256(file.bytes())) {
                return Err(Error::corrupt(
                    file.path(),
                    "its SHA-256 is not the recorded one; restore it or index again",
                ));
            }
        }
        let articles = self.passages.verify(self.files[0].path())?;
        if articles != self.meta.articles {
            return Err(Error::corrupt(
                self.files[0].path(),
                "it holds another number of articles than recorded",
            ));
        }
        if let Some(graph) = &self.graph {
            graph.view().verify(self.files[1].path())?;
        }
        Ok(())
    }

    /// What the commit records of it.
    pub fn meta(&self) -> &SegmentMeta {
        &self.meta
    }

    /// A row.
    ///
    /// # Panics
    /// When there are not so many rows.
    pub fn passage(&self, row: u32) -> PassageRow<'_> {
        self.passages.row(row)
    }

    /// The rows of an article; empty when it has none here.
    pub fn article_passages(&self, key: ArticleKey) -> Range<u32> {
        self.passages.rows_of(key)
    }

    /// Bytes on disk.
    pub fn disk_bytes(&self) -> u64 {
        self.meta.files.iter().map(|file| file.bytes).sum()
    }

    /// Bytes of memory when everything is paged in.
    pub fn memory_bytes(&self) -> u64 {
        let keys = self.keys.get().map_or(0, RoaringBitmap::serialized_size);
        self.disk_bytes() + keys as u64
    }

    /// Bytes of the vectors alone.
    pub fn vector_bytes(&self) -> u64 {
        u64::from(self.meta.passages) * self.meta.dimension as u64 * size_of::<f32>() as u64
    }

    /// Passages of the articles that are deleted.
    pub(crate) fn dead_passages(&self, deleted: &RoaringBitmap) -> u64 {
        (self.keys() & deleted)
            .iter()
            .map(|key| self.article_passages(ArticleKey(key)).len() as u64)
            .sum()
    }

    pub(super) fn passages(&self) -> &Passages {
        &self.passages
    }

    pub(super) fn graph(&self) -> Option<&MappedGraph> {
        self.graph.as_ref()
    }

    /// The keys of its articles, gathered when first asked for.
    pub(crate) fn keys(&self) -> &RoaringBitmap {
        self.keys.get_or_init(|| {
            let mut keys: Vec<u32> = self.passages.keys().collect();
            keys.dedup();
            // A damaged file may have them in disorder.
            keys.into_iter().collect()
        })
    }
}
