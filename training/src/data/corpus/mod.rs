//! Text for masked language modelling.
//!
//! Documents come as a stream, from JSON lines, plain text ([`Documents`]) or
//! articles ([`documents_of`]); [`PretrainingStream`] turns them into masked
//! sequences of one or two segments.

mod articles;
mod document;
mod masking;
mod plain;
mod segments;
mod shuffle;
mod source;
mod stream;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use articles::{ArticleSource, Articles};
pub use document::Document;
pub use masking::{Masked, MaskingSettings, mask};
pub use segments::{Relations, SegmentPair, Segmenter, TokenDocument};
pub use shuffle::Shuffle;
pub use source::{CorpusCounts, CorpusSpec, Documents, documents_of};
pub use stream::{PretrainingExample, PretrainingSettings, PretrainingStream, StreamCounts};
pub use vocabulary::Vocabulary;
