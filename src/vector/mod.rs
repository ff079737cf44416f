//! The vector side of an index: passages with their vectors, searched by
//! inner product.
//!
//! # Vocabulary
//!
//! - A **row** is one passage: the key of its article, its place among the
//!   article's passages, its range in the running text, its vector. Vectors are
//!   unit vectors, so the inner product is the cosine, the **score**.
//! - A **segment** is a written-once set of rows in the order of their keys: an
//!   Arrow file, and above a number of rows a **graph** beside it
//!   (hierarchical navigable small world, Malkov and Yashunin,
//!   arXiv:1603.09320). Both are memory-mapped and used in place.
//! - A [`VectorSnapshot`] is a list of segments and the keys that are deleted.
//!
//! Results are articles: an article's score is that of its best passage. The
//! exact scan is the oracle; the graph is used where it is faster, and what it
//! cannot answer in full the exact scan answers, so that k articles come back
//! whenever k live and allowed articles exist.
//!
//! # Limits
//!
//! A segment holds at most 2³¹ − 1 rows. A mapped file must not be changed or
//! cut short while it is open: segments are written once and only removed.

#[cfg(target_endian = "big")]
compile_error!("segment files are little-endian and used in place");

mod checksum;
mod graph;
mod kernels;
mod mapped;
mod merge;
mod passages;
mod score;
mod search;
mod segment;
mod snapshot;
#[cfg(test)]
mod testing;
mod writer;

pub use merge::merge_segments;
pub use passages::is_unit;
pub use segment::{FileMeta, PassageRow, Segment, SegmentMeta, SegmentParams};
pub use snapshot::{Strategy, VectorHit, VectorSnapshot};
pub use writer::{SegmentWriter, write_segment};
