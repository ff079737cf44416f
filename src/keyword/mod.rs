//! The keyword side of an index: tantivy's files, BM25 over the words.
//!
//! [`KeywordWriter`] adds, deletes and commits; [`KeywordIndex`] gives
//! [`KeywordSnapshot`]s, each of which shows one commit. Articles go by their
//! [`crate::ArticleKey`]; a commit carries an opaque payload that always
//! belongs to what a snapshot finds. User text never reaches a library's query
//! syntax: it is analysed as articles are, and the query is built from terms.
//!
//! tantivy is named in this folder only.

mod analysis;
mod boolean;
mod check;
mod directory;
mod document;
mod error;
mod facets;
mod filter;
mod highlight;
mod lookup;
mod plan;
mod pmids;
mod results;
mod schema;
mod score;
mod snapshot;
mod suggest;
#[cfg(test)]
mod tests;
mod top;
mod word;
mod writer;

pub use boolean::{Lines, Selection, Setting, TermCount};
pub use check::damaged_files;
pub use document::Findings;
pub use facets::{ValueCount, ValueCounts, YearCount};
pub use highlight::Highlighter;
pub use plan::QueryNotes;
pub use pmids::{Pmids, pmid};
pub use results::ResultSet;
pub use snapshot::{
    KeywordIndex, KeywordMatches, KeywordSnapshot, Scope, UnknownValue, recorded_payload,
};
pub use suggest::{Completion, Completions};
pub use word::QueryWord;
pub use writer::KeywordWriter;
