//! Pieces of a text with the places that they come from.

use super::{Tokenizer, failed};
use crate::Result;
use std::ops::Range;

/// A piece and the bytes of the given text that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its number in the vocabulary.
    pub id: u32,
    /// Where it comes from.
    pub bytes: Range<usize>,
}

/// The special tokens around every text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// Those before it.
    pub before: Vec<u32>,
    /// Those behind it.
    pub after: Vec<u32>,
}

impl Frame {
    /// Special tokens in all.
    pub fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Tokenizer {
    /// The pieces of a whole text, special tokens left out, with their bytes
    /// in the text as it is given: whatever the tokenizer does to it before it
    /// looks for pieces.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn located(&self, text: &str) -> Result<Vec<Piece>> {
        let folded = self.lower_case.then(|| Folded::new(text));
        let given = folded.as_ref().map_or(text, |folded| &folded.text);
        let encoding = self
            .inner
            .encode(given, false)
            .map_err(|error| failed(text, error))?;
        let spans = encoding.get_offsets().iter();
        let pieces = encoding.get_ids().iter().zip(spans);
        Ok(pieces
            .map(|(&id, &(start, end))| Piece {
                id,
                bytes: match &folded {
                    Some(folded) => folded.original(start)..folded.original(end),
                    None => start..end,
                },
            })
            .collect())
    }

    /// The special tokens around every text.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn frame(&self) -> Result<Frame> {
        // Any text with a piece shows what stands before and behind it.
        let text = "a";
        let encoding = self
            .inner
            .encode(text, true)
            .map_err(|error| failed(text, error))?;
        let special = encoding.get_special_tokens_mask();
        let ids = encoding.get_ids();
        let first = special.iter().position(|&mark| mark == 0);
        let first = first.unwrap_or(ids.len());
        let last = special.iter().rposition(|&mark| mark == 0);
        let behind = last.map_or(ids.len(), |last| last + 1);
        Ok(Frame {
            before: ids[..first].to_vec(),
            after: ids[behind..].to_vec(),
        })
    }
}

/// A text in lower case, whose characters may be longer or shorter than those
/// that they come from (`İ` becomes two).
struct Folded {
    text: String,
    /// For each byte of `text`, and one behind them, the byte of the original.
    places: Vec<usize>,
}

impl Folded {
    fn new(original: &str) -> Self {
        let text = original.to_lowercase();
        let mut places = Vec::with_capacity(text.len() + 1);
        for (at, c) in original.char_indices() {
            let bytes: usize = c.to_lowercase().map(char::len_utf8).sum();
            places.extend(std::iter::repeat_n(at, bytes));
        }
        // A final sigma is the one letter whose small form depends on its
        // place; both forms have two bytes, so that all places stay right.
        places.resize(text.len() + 1, original.len());
        Self { text, places }
    }

    fn original(&self, byte: usize) -> usize {
        self.places[byte.min(self.places.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_text_knows_where_it_comes_from() {
        let original = "ΑΣ İx KΩ";
        let folded = Folded::new(original);
        assert_eq!(folded.text, original.to_lowercase());
        assert_eq!(folded.places.len(), folded.text.len() + 1);
        for (at, c) in folded.text.char_indices() {
            let from = original[folded.original(at)..].chars().next();
            // The dot that `İ` leaves behind comes from it too.
            let from = from.map(|from| from.to_lowercase().collect::<String>());
            let from = from.unwrap_or_default();
            assert!(
                from.contains(c) || c == 'ς',
                "{c} at {at} comes from {from}"
            );
        }
        assert_eq!(folded.original(folded.text.len()), original.len());
    }
}
