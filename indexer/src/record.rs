use medsift::{Article, ArticleId, Passage};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What one place of a file holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A citation, a book, a document.
    Article(Box<Article>),
    /// An article with the vectors of its passages.
    Embedded(Box<Embedded>),
    /// The source withdraws the article with this id.
    Deletion(ArticleId),
    /// Something that could not be read.
    Fault(Fault),
}

/// An article with passages that somebody has embedded already.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// The article.
    pub article: Article,
    /// Ordinals and byte ranges of its passages in its running text; their
    /// texts are empty. They hold the whole text.
    pub passages: Vec<Passage>,
    /// Unit vectors, a row of the model's dimension for each passage.
    pub vectors: Vec<f32>,
}

/// A record that could not be read, with all that is needed to look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: Arc<Path>,
    /// First byte of the record in the decompressed stream; 0 for rows of
    /// columns, which lie in many places.
    pub byte_offset: u64,
    /// Number of the record in its file, from 1.
    pub ordinal: u64,
    /// Id of the record, where one could be made out.
    pub id: Option<String>,
    /// What is wrong, for a person.
    pub reason: String,
    /// The record's bytes, the first [`Fault::MAX_RAW_BYTES`] of them.
    pub raw: Vec<u8>,
}

impl Fault {
    /// Most bytes that are kept of an unreadable record.
    pub const MAX_RAW_BYTES: usize = 1 << 20;
}

/// `name.xml.gz, record 3 (PMID 123) at byte 4711: reason`
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, record {}", self.file.display(), self.ordinal)?;
        if let Some(id) = &self.id {
            write!(f, " ({id})")?;
        }
        write!(f, " at byte {}: {}", self.byte_offset, self.reason)
    }
}
