//! Vocabularies: trained on the texts at hand, and carried over from one
//! vocabulary to another.
//!
//! A biomedical vocabulary cuts an abstract into fewer pieces than a general
//! one, which makes the same network faster. [`train_vocabulary`] makes one,
//! [`Transfer`] gives an encoder that was trained with another vocabulary a
//! start in it.

#[cfg(test)]
mod tests;
mod train;
mod transfer;
mod write;

pub use train::{SPECIAL_TOKENS, VocabularyOptions, train_vocabulary};
pub use transfer::{Transfer, TransferReport};
pub use write::{is_cased, write_tokenizer};

use medsift::{Error, ErrorKind};

/// The tokenizer library's trouble with what it was given.
fn refused(what: &str, error: &tokenizers::Error) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("{what}: {error}"))
}
