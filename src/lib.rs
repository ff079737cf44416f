//! The core of medsift: articles, the encoder, the keyword and the vector
//! side of an index, and the search over both.
#![deny(unsafe_code)]

pub mod article;
pub mod encoder;
pub mod error;
pub mod fusion;
mod key;
pub mod passage;
pub mod query;

pub use article::{Article, ArticleId};
pub use error::{Error, ErrorKind, Result};
pub use key::ArticleKey;
pub use passage::Passage;
