//! What the encoder reads of a question and a passage.

use crate::encoder::parts::{PairFrame, PairIds, Piece, Tokenizer};
use crate::enrich::SpanHeadConfig;
use crate::error::{Error, Result};
use std::ops::Range;

/// Fewest pieces of a passage that have to fit beside the question.
const LEAST_ROOM: usize = 8;

/// Lengths, in tokens, by which questions and passages are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanLengths {
    /// A window: question, passage and special tokens.
    pub max_tokens: usize,
    /// A question.
    pub max_question: usize,
    /// From the beginning of a window of the passage to that of the next.
    pub stride: usize,
}

impl From<&SpanHeadConfig> for SpanLengths {
    fn from(config: &SpanHeadConfig) -> Self {
        Self {
            max_tokens: config.max_tokens,
            max_question: config.max_question,
            stride: config.stride,
        }
    }
}

/// A question with a part of a passage, as the encoder reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanWindow {
    /// Token numbers, special ones included.
    pub pair: PairIds,
    /// Pieces of the passage in this window.
    pub pieces: Range<usize>,
    /// Place of the first of them in the window.
    pub row: usize,
}

/// A passage in windows, each with the question before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPassage {
    /// In order; at least one.
    pub windows: Vec<SpanWindow>,
    /// For each piece of the passage its bytes in it.
    pub pieces: Vec<Range<usize>>,
}

/// Puts questions and passages into what the encoder reads.
#[derive(Debug)]
pub struct PairReader<'a> {
    tokenizer: &'a Tokenizer,
    frame: PairFrame,
    lengths: SpanLengths,
}

impl<'a> PairReader<'a> {
    /// A reader with these lengths.
    ///
    /// # Errors
    /// When they leave no room for a passage, one is 0, or the tokenizer fails.
    pub fn new(tokenizer: &'a Tokenizer, lengths: SpanLengths) -> Result<Self> {
        let frame = tokenizer.pair_frame()?;
        let taken = frame.len() + lengths.max_question;
        if lengths.max_tokens < taken + LEAST_ROOM {
            return Err(Error::invalid(
                "max_tokens",
                format!(
                    "max_tokens {} leaves no room for a passage beside a question of up to {} \
                     tokens: {} are needed, or a smaller `max_question`",
                    lengths.max_tokens,
                    lengths.max_question,
                    taken + LEAST_ROOM
                ),
            ));
        }
        if lengths.stride == 0 || lengths.max_question == 0 {
            let what = "`stride` and `max_question` have to be at least 1";
            return Err(Error::invalid("stride", what));
        }
        Ok(Self {
            tokenizer,
            frame,
            lengths,
        })
    }

    /// The windows of a passage behind a question.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn read(&self, question: &str, passage: &str) -> Result<ReadPassage> {
        let question = self.tokenizer.located(question)?;
        let question = &question[..question.len().min(self.lengths.max_question)];
        let pieces = self.tokenizer.located(passage)?;
        let room = self.lengths.max_tokens - self.frame.len() - question.len();
        let number = |piece: &Piece| piece.id;
        let windows = strides(pieces.len(), room, self.lengths.stride)
            .into_iter()
            .map(|range| SpanWindow {
                pair: self.frame.join(
                    question.iter().map(number),
                    pieces[range.clone()].iter().map(number),
                ),
                pieces: range,
                row: self.frame.offset(question.len()),
            })
            .collect();
        Ok(ReadPassage {
            windows,
            pieces: pieces.into_iter().map(|piece| piece.bytes).collect(),
        })
    }
}

/// Windows of at most `room` of `count` pieces, each `stride` behind the one
/// before, or as far as leaves no gap. There is always one, if an empty one.
fn strides(count: usize, room: usize, stride: usize) -> Vec<Range<usize>> {
    let step = stride.clamp(1, room.max(1));
    let mut start = 0;
    let mut windows = Vec::new();
    loop {
        let end = count.min(start + room);
        windows.push(start..end);
        if end == count || room == 0 {
            return windows;
        }
        start += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::parts::ModelDirectory;
    use proptest::prelude::*;
    use std::path::Path;

    fn tokenizer() -> Tokenizer {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models/bert-mean");
        Tokenizer::read(&ModelDirectory::read(&dir).unwrap(), usize::MAX).unwrap()
    }

    fn lengths(max_tokens: usize, stride: usize) -> SpanLengths {
        SpanLengths {
            max_tokens,
            max_question: 6,
            stride,
        }
    }

    #[test]
    fn a_short_passage_is_one_window_that_the_tokenizer_would_make() {
        let tokenizer = tokenizer();
        let reader = PairReader::new(&tokenizer, lengths(40, 8)).unwrap();
        let (question, passage) = ("muscle pain", "Statins in T cells.");
        let read = reader.read(question, passage).unwrap();
        let pair = tokenizer.encode_pair(question, passage, 40).unwrap();
        assert_eq!(read.windows.len(), 1);
        assert_eq!(read.windows[0].pair, pair);
        let first = read.windows[0].row;
        assert_eq!(first, pair.second);
        assert_eq!(&passage[read.pieces[read.pieces.len() - 1].clone()], ".");
        // An empty passage is read as well: it has no answer.
        let read = reader.read(question, "").unwrap();
        assert_eq!((read.windows.len(), read.pieces.len()), (1, 0));
    }

    #[test]
    fn too_little_room_is_refused() {
        let tokenizer = tokenizer();
        let error = PairReader::new(&tokenizer, lengths(16, 8)).unwrap_err();
        assert!(error.to_string().contains("17 are needed"), "{error}");
        assert!(PairReader::new(&tokenizer, lengths(40, 0)).is_err());
    }

    proptest! {
        #[test]
        fn windows_cover_all_pieces_and_fit(
            count in 0usize..200, room in 1usize..40, stride in 1usize..60,
        ) {
            let windows = strides(count, room, stride);
            prop_assert_eq!(windows[0].start, 0);
            prop_assert_eq!(windows[windows.len() - 1].end, count);
            for window in &windows {
                prop_assert!(window.len() <= room);
            }
            for pair in windows.windows(2) {
                prop_assert!(pair[1].start <= pair[0].end && pair[1].start > pair[0].start);
                prop_assert!(pair[1].end > pair[0].end);
            }
        }
    }
}
