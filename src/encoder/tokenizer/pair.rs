//! Two texts that are read together.

use super::{Tokenizer, failed};
use crate::Result;

/// Token numbers of two texts, with the special tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairIds {
    /// All of them.
    pub ids: Vec<u32>,
    /// The place of the first that is of the second segment; their count where
    /// the tokenizer makes no difference between segments.
    pub second: usize,
}

impl PairIds {
    /// The segment of each token.
    pub fn segments(&self) -> Vec<u32> {
        let places = 0..self.ids.len();
        places.map(|at| u32::from(at >= self.second)).collect()
    }
}

/// The special tokens around and between two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairFrame {
    before: Vec<u32>,
    between: Vec<u32>,
    after: Vec<u32>,
    /// Whether the second text is of another segment than the first.
    segments: bool,
}

impl PairFrame {
    /// Special tokens in all.
    pub fn len(&self) -> usize {
        self.before.len() + self.between.len() + self.after.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of the second text's first piece behind a first text of so
    /// many pieces.
    pub fn offset(&self, first: usize) -> usize {
        self.before.len() + first + self.between.len()
    }

    /// What the network reads of two texts, given by their pieces.
    pub fn join(
        &self,
        first: impl IntoIterator<Item = u32>,
        second: impl IntoIterator<Item = u32>,
    ) -> PairIds {
        let mut ids = self.before.clone();
        ids.extend(first);
        ids.extend_from_slice(&self.between);
        let border = ids.len();
        ids.extend(second);
        ids.extend_from_slice(&self.after);
        let second = if self.segments { border } else { ids.len() };
        PairIds { ids, second }
    }
}

impl Tokenizer {
    /// The special tokens around and between two texts.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn pair_frame(&self) -> Result<PairFrame> {
        // Any two texts with a piece each show what stands around them.
        let encoding = self
            .inner
            .encode(("a", "a"), true)
            .map_err(|error| failed("a", error))?;
        let ids = encoding.get_ids();
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        let (mut part, mut last) = (0, None);
        for (at, &special) in encoding.get_special_tokens_mask().iter().enumerate() {
            if special == 1 {
                parts[part].push(ids[at]);
            } else {
                // A letter is one piece in every vocabulary of its script; were
                // it several, they would follow each other.
                let follows = last == Some(at.wrapping_sub(1));
                part = if part == 0 || !follows {
                    (part + 1).min(2)
                } else {
                    part
                };
                last = Some(at);
            }
        }
        let [before, between, after] = parts;
        Ok(PairFrame {
            before,
            between,
            after,
            segments: encoding.get_type_ids().contains(&1),
        })
    }

    /// What the network reads of two texts, of at most `max_tokens` tokens: of
    /// the longer text its end is cut, as transformers does
    /// (`longest_first`).
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn encode_pair(&self, first: &str, second: &str, max_tokens: usize) -> Result<PairIds> {
        let frame = self.pair_frame()?;
        let pieces =
            |text| -> Result<_> { Ok(self.located(text)?.into_iter().map(|piece| piece.id)) };
        let mut first: Vec<u32> = pieces(first)?.collect();
        let mut second: Vec<u32> = pieces(second)?.collect();
        let room = max_tokens.saturating_sub(frame.len());
        let [one, other] = cut(first.len(), second.len(), room);
        first.truncate(one);
        second.truncate(other);
        Ok(frame.join(first, second))
    }
}

/// What is left of two lengths when the longer one is shortened until both fit.
fn cut(first: usize, second: usize, room: usize) -> [usize; 2] {
    if first + second <= room {
        return [first, second];
    }
    let half = room / 2;
    if first <= half {
        [first, room - first]
    } else if second <= half {
        [room - second, second]
    } else {
        [room - half, half]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::parts::ModelDirectory;
    use proptest::prelude::*;
    use std::path::Path;

    fn tokenizer(model: &str) -> Tokenizer {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/models")
            .join(model);
        Tokenizer::read(&ModelDirectory::read(&dir).unwrap(), usize::MAX).unwrap()
    }

    #[test]
    fn a_pair_is_what_the_tokenizer_makes_of_it() {
        for model in ["bert-mean", "bert-cls-old", "roberta-max"] {
            let tokenizer = tokenizer(model);
            let (first, second) = ("muscle pain", "Statins in T cells.");
            let pair = tokenizer.encode_pair(first, second, 100).unwrap();
            let expected = tokenizer.inner.encode((first, second), true).unwrap();
            assert_eq!(pair.ids, expected.get_ids(), "{model}");
            assert_eq!(pair.segments(), expected.get_type_ids(), "{model}");
        }
    }

    #[test]
    fn the_longer_text_is_cut() {
        let tokenizer = tokenizer("bert-mean");
        let long = "muscle pain ".repeat(30);
        let pair = tokenizer.encode_pair("muscle", &long, 20).unwrap();
        let alone = tokenizer.encode("muscle", 20).unwrap();
        assert_eq!(pair.ids.len(), 20);
        assert_eq!(pair.ids[..alone.len()], alone[..]);
        assert_eq!(pair.second, alone.len());
    }

    proptest! {
        #[test]
        fn what_is_left_fits_and_is_no_more_than_there_was(
            first in 0usize..40, second in 0usize..40, room in 0usize..60,
        ) {
            let [one, other] = cut(first, second, room);
            prop_assert!(one <= first && other <= second);
            prop_assert_eq!(one + other, room.min(first + second));
            // Nothing of the shorter is cut as long as the longer stays longer.
            prop_assert!(one == first || one + 1 >= other);
            prop_assert!(other == second || other + 1 >= one);
        }
    }
}
