use crate::error::{Error, Result};
use crate::vector::SegmentParams;
use serde::{Deserialize, Serialize};

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
