//! Reads bibliographic files as a stream of records.
//!
//! [`source::open`] opens a file, whatever its name says it is, and gives a
//! [`RecordReader`]: an iterator over [`Record`]s. Reading has two stages that
//! can be run apart: [`RecordReader::next_raw`] cuts the decompressed stream
//! into raw records with their exact offsets, and [`parse`] turns one raw
//! record into articles, deletions and faults. Nothing is lost in silence:
//! whatever cannot be read comes out as a [`Fault`] with its bytes, and reading
//! goes on at the next record.
//!
//! Memory is bounded by one record ([`MAX_RECORD_BYTES`]), not by the file.
#![deny(unsafe_code)]

pub mod annotated;
pub mod enrichment;
mod jats;
mod jsonl;
pub mod mesh;
mod nbib;
mod parse;
pub mod pipeline;
mod pubmed;
mod reader;
mod record;
mod reference;
mod rows;
pub mod source;
mod split;
mod xml;

pub use parse::parse;
pub use reader::{Progress, RecordReader};
pub use record::{Embedded, Fault, Record};
pub use split::{MAX_RECORD_BYTES, RawKind, RawRecord};
