//! Annotated texts in the formats by which tools of the field exchange them:
//! PubTator's lines, and BioC as JSON.
//!
//! A [`Document`] is a text with its mentions and relations, whatever file it is
//! from. [`pubtator`] reads and writes it as PubTator (Wei, Kao and Lu 2013);
//! [`bioc`] holds whole BioC collections (Comeau et al. 2013), which have more
//! in them than a document has, and turns their documents into [`Document`]s
//! and back.
//!
//! Offsets count Unicode code points over all passages, with one character
//! between title and abstract. So do the real files: of the corpora at hand one
//! in PubTator form has characters outside ASCII, and all of its mentions are
//! where code points say; where UTF-8 bytes say, 834 of 10,885 are not. All BioC
//! files at hand are ASCII. A file that counts otherwise shows in
//! [`Document::misplaced`].

mod annotated;
pub mod bioc;
mod document;
mod format;
pub mod pubtator;

pub use document::{Document, Mention, Notes, Relation, TextPart};
pub use format::{ExchangeFormat, Provenance, read};
