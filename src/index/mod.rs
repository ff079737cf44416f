//! The index directory: its layout, its commits, writing, opening, checking.
//!
//! ```text
//! index/
//!   LOCK               one writer at a time
//!   keyword/           the keyword side; its commit is the one atomic switch
//!   vectors/<segment>/ passages with their vectors, and a graph over them
//!   deletes/<n>        keys that are no longer current
//!   quarantine/<n>     records that could not be read
//! ```
//!
//! A commit writes and syncs every other file first and then commits the
//! keyword side, whose payload ([`Commit`]) names them with their checksums.
//! A crash at any instant therefore leaves the last committed state, whole,
//! and what no commit names is removed at the next open for writing.

mod cleanup;
mod commit;
mod files;
mod layout;
mod ledger;
mod lock;
mod merge;
mod open;
mod pending;
mod quarantine;
mod stats;
mod stored;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

pub use commit::{AppliedFile, Commit, CommittedSegment, FORMAT_VERSION, PassageMode, nlm_number};
pub use ledger::Ledger;
pub use open::{Index, RecordedModel};
pub use quarantine::QuarantinedRecord;
pub use stats::{DiskUse, IndexStats};
pub use stored::StoredArticle;
pub use verify::{VerifyReport, verify};
pub use writer::{Change, IndexWriter, WriterSettings};

pub(crate) use layout::{Layout, folder_bytes};
