//! The core of medsift: articles, the encoder, the keyword and the vector
//! side of an index, and the search over both.
//!
//! One abstract's way from file to vector: a reader (`medsift-indexer`) makes
//! an [`Article`]; [`passage::split_passages`] cuts it into [`Passage`]s;
//! [`encoder::Encoder`] embeds them; [`index::IndexWriter`] gives the article
//! a [`ArticleKey`] and writes it to both sides; a commit makes it visible.
//!
//! One query's way to hits: a [`query::QueryRequest`] becomes a checked
//! [`query::Query`]; [`searcher::Searcher::search`] embeds its text, asks
//! [`keyword`] and [`vector`] side by side, joins their lists with
//! [`fusion::fuse`], and fetches the articles of the page.
//!
//! [`enrich`] finds named entities in texts, with heads over the encoder's
//! states.
#![deny(unsafe_code)]

pub mod article;
pub mod columnar;
pub mod deadline;
pub mod digest;
pub mod durable;
pub mod encoder;
pub mod enrich;
pub mod error;
pub mod eval;
pub mod fusion;
mod greek;
pub mod index;
mod key;
pub mod keyword;
pub mod mesh;
pub mod passage;
pub mod query;
pub mod searcher;
pub mod trace;
pub mod vector;
pub mod xml;

pub use article::{AbstractOrigin, Article, ArticleId};
pub use deadline::Deadline;
pub use error::{Error, ErrorKind, Result};
pub use fusion::Fusion;
pub use key::ArticleKey;
pub use passage::Passage;
