//! What the encoder reads of a sequence of words.

use super::windows::windows;
use crate::encoder::parts::{Frame, Piece, Tokenizer};
use crate::error::{Error, Result};
use std::ops::Range;

/// Fewest pieces that have to fit beside the special tokens.
const LEAST_ROOM: usize = 8;

/// One window of a sequence, as the encoder reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Token numbers, special ones included.
    pub ids: Vec<u32>,
    /// Words whose tags this window decides; those of all windows of a
    /// sequence follow each other without gap or overlap.
    pub own: Range<usize>,
    /// For each of these words the place of its first piece in `ids`, whose
    /// state stands for the word; nothing for a word in which the tokenizer
    /// finds no piece.
    pub rows: Vec<Option<u32>>,
}

/// Cuts sequences of words into what the encoder reads.
#[derive(Debug)]
pub struct Reader<'a> {
    tokenizer: &'a Tokenizer,
    frame: Frame,
    room: usize,
}

impl<'a> Reader<'a> {
    /// A reader of at most `max_tokens` tokens at a time, special ones
    /// included.
    ///
    /// # Errors
    /// When that leaves no room for words, or the tokenizer fails.
    pub fn new(tokenizer: &'a Tokenizer, max_tokens: usize) -> Result<Self> {
        let frame = tokenizer.frame()?;
        let room = max_tokens.saturating_sub(frame.len());
        if room < LEAST_ROOM {
            return Err(Error::invalid(
                "max_tokens",
                format!(
                    "max_tokens {max_tokens} leaves {room} tokens beside the special ones; at \
                     least {LEAST_ROOM} are needed"
                ),
            ));
        }
        Ok(Self {
            tokenizer,
            frame,
            room,
        })
    }

    /// Windows over words that are given as byte ranges of a text, in order.
    /// Neighbours share a quarter of their pieces.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn read(&self, text: &str, words: &[Range<usize>]) -> Result<Vec<Reading>> {
        let pieces = self.tokenizer.located(text)?;
        let mut of_words = assign(&pieces, words);
        for pieces in &mut of_words {
            // Only the first piece counts; the rest of an endless word is left out.
            pieces.truncate(self.room);
        }
        let counts: Vec<usize> = of_words.iter().map(Vec::len).collect();
        let windows = windows(&counts, self.room, self.room / 4).into_iter();
        Ok(windows
            .map(|window| {
                let mut ids = self.frame.before.clone();
                let mut rows = Vec::with_capacity(window.own.len());
                for word in window.words {
                    if window.own.contains(&word) {
                        let first = (!of_words[word].is_empty()).then_some(ids.len() as u32);
                        rows.push(first);
                    }
                    ids.extend_from_slice(&of_words[word]);
                }
                ids.extend_from_slice(&self.frame.after);
                Reading {
                    ids,
                    own: window.own,
                    rows,
                }
            })
            .collect())
    }

    /// The same for words without a text, which are read with spaces in
    /// between.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn read_words<S: AsRef<str>>(&self, words: &[S]) -> Result<Vec<Reading>> {
        let mut text = String::new();
        let mut ranges = Vec::with_capacity(words.len());
        for word in words {
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(word.as_ref());
            ranges.push(start..text.len());
        }
        self.read(&text, &ranges)
    }
}

/// The pieces of each word: those that share a byte with it. A piece that
/// reaches into several belongs to the first.
fn assign(pieces: &[Piece], words: &[Range<usize>]) -> Vec<Vec<u32>> {
    let mut of_words = vec![Vec::new(); words.len()];
    for piece in pieces {
        let word = words.partition_point(|word| word.end <= piece.bytes.start);
        if words
            .get(word)
            .is_some_and(|word| word.start < piece.bytes.end)
        {
            of_words[word].push(piece.id);
        }
    }
    of_words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::parts::ModelDirectory;
    use crate::enrich::words::words;
    use proptest::prelude::*;
    use std::path::Path;

    fn tokenizer() -> Tokenizer {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models/bert-mean");
        Tokenizer::read(&ModelDirectory::read(&dir).unwrap(), usize::MAX).unwrap()
    }

    #[test]
    fn one_window_is_what_the_encoder_reads_anyway() {
        let tokenizer = tokenizer();
        let reader = Reader::new(&tokenizer, 64).unwrap();
        let text = "Effects of IL-2 on naïve CD4+ cells (p < 0.001).";
        let words = words(text);
        let readings = reader.read(text, &words).unwrap();
        assert_eq!(readings.len(), 1);
        assert_eq!(readings[0].ids, tokenizer.encode(text, 64).unwrap());
        assert_eq!(readings[0].own, 0..words.len());
        assert_eq!(readings[0].rows[0], Some(1));
        assert!(readings[0].rows.iter().all(Option::is_some));
        let given: Vec<&str> = words.iter().map(|word| &text[word.clone()]).collect();
        assert_eq!(reader.read_words(&given).unwrap(), readings);
    }

    #[test]
    fn a_word_without_pieces_has_no_row() {
        let tokenizer = tokenizer();
        let reader = Reader::new(&tokenizer, 64).unwrap();
        // A zero-width space, which BERT's tokenizer drops.
        let readings = reader.read_words(&["muscle", "\u{200b}", "pain"]).unwrap();
        assert_eq!(readings[0].rows, [Some(1), None, Some(2)]);
        assert!(reader.read_words::<&str>(&[]).unwrap().is_empty());
    }

    #[test]
    fn too_few_tokens_are_refused() {
        let error = Reader::new(&tokenizer(), 9).unwrap_err().to_string();
        assert!(error.contains("7 tokens"), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn each_word_has_its_first_piece_in_one_window(
            chosen in prop::collection::vec(
                prop::sample::select(vec![
                    "muscle", "TNF-α", "x", "cytokines", "\u{200b}", "treatment", "5-HT2A",
                    "Pneumonoultramicroscopicsilicovolcanoconiosis", "É", "naïve",
                ]),
                0..50,
            ),
            max_tokens in 10usize..40,
        ) {
            let tokenizer = tokenizer();
            let reader = Reader::new(&tokenizer, max_tokens).unwrap();
            let wide = Reader::new(&tokenizer, 10_000).unwrap();
            let readings = reader.read_words(&chosen).unwrap();
            let whole = wide.read_words(&chosen).unwrap();
            let mut word = 0;
            for reading in &readings {
                prop_assert!(reading.ids.len() <= max_tokens);
                prop_assert_eq!(reading.own.start, word);
                prop_assert_eq!(reading.rows.len(), reading.own.len());
                for row in &reading.rows {
                    let expected = whole[0].rows[word];
                    prop_assert_eq!(row.is_some(), expected.is_some());
                    if let (Some(row), Some(expected)) = (row, expected) {
                        let (own, all) = (&reading.ids, &whole[0].ids);
                        prop_assert_eq!(own[*row as usize], all[expected as usize]);
                    }
                    word += 1;
                }
            }
            prop_assert_eq!(word, chosen.len());
        }
    }
}
