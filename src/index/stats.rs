use super::commit::AppliedFile;
use crate::enrich::Recipe;
use serde::Serialize;

/// What an index holds and what it costs.
#[derive(Debug, Clone, Serialize)]
pub struct IndexStats {
    /// Articles that searches see.
    pub articles: u64,
    /// Passages that searches see.
    pub passages: u64,
    /// Passages of replaced or deleted articles, not yet compacted away.
    pub deleted_passages: u64,
    /// Records that could not be read, kept in `quarantine/`.
    pub quarantined: u64,
    /// Articles that NLM's files deleted: no record of an older file brings
    /// them back.
    pub tombstones: u64,
    /// Records of an older version in a later file than the article's, kept
    /// for a deletion between the two.
    pub fallbacks: u64,
    /// Committed states so far.
    pub generation: u64,
    /// When the last one was committed, RFC 3339.
    pub committed_at: String,
    /// Format version of the directory.
    pub format_version: u32,
    /// The model that made the vectors.
    pub model: crate::encoder::ModelFingerprint,
    /// Segments of the vector side.
    pub vector_segments: usize,
    /// Of them, those with a graph.
    pub graph_segments: usize,
    /// Bytes on disk.
    pub disk: DiskUse,
    /// Bytes of vectors and graphs that are mapped into memory when searched.
    pub mapped_bytes: u64,
    /// Newest NLM file that was applied, such as `pubmed25n1300.xml.gz`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_update_file: Option<String>,
    /// Every source file with its ledger.
    pub sources: Vec<AppliedFile>,
    /// Articles in which entities were found, by what found them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub enriched: Vec<EnrichedArticles>,
}

/// Articles with stored findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EnrichedArticles {
    /// By what they were made.
    pub recipe: Recipe,
    /// How many articles have them.
    pub articles: u64,
}

/// Bytes on disk by part.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct DiskUse {
    /// Keyword side, stored articles included.
    pub keyword: u64,
    /// Passages and vectors.
    pub vectors: u64,
    /// Graphs.
    pub graphs: u64,
    /// What is remembered of deletions and of the order of files.
    pub provenance: u64,
    /// Quarantine.
    pub quarantine: u64,
    /// All of it.
    pub total: u64,
}
