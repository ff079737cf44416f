//! The index directory: its layout, its commits, writing, opening, checking.
//!
//! ```text
//! index/
//!   LOCK               one writer at a time
//!   keyword/           the keyword side; its commit is the one atomic switch
//!   vectors/<segment>/ passages with their vectors, and a graph over them
//!   deletes/<n>        keys that are no longer current
//!   provenance/<n>     NLM's deletions, and records that may come to hold
//!   quarantine/<n>     records that could not be read
//! ```
//!
//! A commit writes and syncs every other file first and then commits the
//! keyword side, whose payload ([`Commit`]) names them with their checksums.
//! A crash at any instant therefore leaves the last committed state, whole,
//! and what no commit names is removed at the next open for writing.

mod admission;
mod cleanup;
mod commit;
mod completeness;
mod enrichment;
mod fallbacks;
mod files;
mod layout;
mod ledger;
mod lock;
mod merge;
mod open;
mod order;
mod pending;
mod provenance;
mod quarantine;
mod segments;
mod settings;
mod stats;
mod stored;
#[cfg(test)]
mod tests;
mod tombstones;
mod verify;
mod watch;
mod writer;

pub use commit::{AppliedFile, Commit, CommittedSegment, CountedFile, FORMAT_VERSION, PassageMode};
pub use completeness::{Completeness, Origin};
pub use enrichment::StoredFindings;
pub use ledger::Ledger;
pub use open::{Index, RecordedModel, require};
pub use order::nlm_number;
pub use quarantine::QuarantinedRecord;
pub use settings::WriterSettings;
pub use stats::{DiskUse, EnrichedArticles, IndexStats};
pub use stored::StoredArticle;
pub use verify::{VerifyReport, verify};
pub use watch::{CommitStep, CommitWatch, Unwatched};
pub use writer::{Change, IndexWriter, Removal};

pub(crate) use layout::{Layout, folder_bytes};
