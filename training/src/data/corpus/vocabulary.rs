//! What masking needs to know of a vocabulary.

use medsift::{Error, ErrorKind, Result};
use std::collections::HashSet;

/// The special tokens of a vocabulary, and which pieces go on with a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    /// Number of the token at the beginning of a sequence.
    pub class: u32,
    /// Number of the token behind each segment.
    pub separator: u32,
    /// Number of the token in place of a hidden one.
    pub mask: u32,
    /// Whether each token is special: never hidden, never a replacement.
    special: Vec<bool>,
    /// Whether each token goes on with the word before it (`##ing`).
    continues: Vec<bool>,
    /// Tokens that can be a replacement.
    ordinary: Vec<u32>,
}

impl Vocabulary {
    /// The vocabulary of a BERT tokenizer.
    ///
    /// # Errors
    /// When it lacks `[CLS]`, `[SEP]` or `[MASK]`.
    pub fn of(tokenizer: &tokenizers::Tokenizer) -> Result<Self> {
        let added: HashSet<u32> = tokenizer
            .get_added_tokens_decoder()
            .iter()
            .filter(|(_, token)| token.special)
            .map(|(&number, _)| number)
            .collect();
        let mut words: Vec<(String, u32)> = tokenizer.get_vocab(true).into_iter().collect();
        words.sort_unstable_by_key(|(_, number)| *number);
        let marked = words
            .into_iter()
            .map(|(word, number)| (word, number, added.contains(&number)));
        Self::from_words(marked)
    }

    /// A vocabulary of words with their numbers, each with whether it is
    /// marked as special.
    ///
    /// # Errors
    /// As [`Vocabulary::of`].
    pub fn from_words(words: impl IntoIterator<Item = (String, u32, bool)>) -> Result<Self> {
        let (mut class, mut separator, mut mask) = (None, None, None);
        let (mut special, mut continues) = (Vec::new(), Vec::new());
        let mut ordinary = Vec::new();
        for (word, number, marked) in words {
            match word.as_str() {
                "[CLS]" => class = Some(number),
                "[SEP]" => separator = Some(number),
                "[MASK]" => mask = Some(number),
                _ => {}
            }
            let at = number as usize;
            if special.len() <= at {
                // A number without a word is nothing that a text can hold.
                special.resize(at + 1, true);
                continues.resize(at + 1, false);
            }
            // `[PAD]`, `[UNK]`, `[unused7]`.
            let bracketed = word.len() > 2 && word.starts_with('[') && word.ends_with(']');
            special[at] = marked || bracketed;
            continues[at] = word.starts_with("##");
            if !special[at] {
                ordinary.push(number);
            }
        }
        ordinary.sort_unstable();
        let found = |number: Option<u32>, name: &str| {
            number.ok_or_else(|| {
                Error::new(
                    ErrorKind::Incompatible,
                    format!("the vocabulary lacks `{name}`; masking needs one of the BERT family"),
                )
            })
        };
        if ordinary.is_empty() {
            return Err(Error::new(
                ErrorKind::Incompatible,
                "the vocabulary has no words beside special tokens",
            ));
        }
        Ok(Self {
            class: found(class, "[CLS]")?,
            separator: found(separator, "[SEP]")?,
            mask: found(mask, "[MASK]")?,
            special,
            continues,
            ordinary,
        })
    }

    /// Whether a token is special, or not of the vocabulary at all.
    pub fn is_special(&self, token: u32) -> bool {
        self.special.get(token as usize).copied().unwrap_or(true)
    }

    /// Whether a token goes on with the word before it.
    pub fn continues_word(&self, token: u32) -> bool {
        self.continues.get(token as usize).copied().unwrap_or(false)
    }

    /// Whether any token does: words of several pieces can be told.
    pub fn has_word_pieces(&self) -> bool {
        self.continues.contains(&true)
    }

    /// Tokens that are not special, rising.
    pub fn ordinary(&self) -> &[u32] {
        &self.ordinary
    }
}
