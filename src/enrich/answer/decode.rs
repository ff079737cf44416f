//! From scores of tokens to the best spans.

use std::ops::Range;

/// Scores of a window as a head for answers gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowScores {
    /// Of no answer: those of the first token as start and as end, added up.
    pub none: f32,
    /// For each piece of the passage in the window its score as the first and
    /// as the last of the answer.
    pub pieces: Vec<[f32; 2]>,
    /// Place of the first of these pieces in the passage.
    pub first: usize,
}

/// A span of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceSpan {
    /// Its pieces.
    pub pieces: Range<usize>,
    /// How much its score, start and end added up, is above that of no answer
    /// in the same window.
    pub margin: f32,
}

/// At which pieces of a passage an answer may begin and end: at the borders of
/// words, so that no answer is a part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Borders {
    begins: Vec<bool>,
    ends: Vec<bool>,
}

impl Borders {
    /// Those of a passage whose pieces have these bytes.
    pub fn of(passage: &str, pieces: &[Range<usize>]) -> Self {
        let joins = |byte: usize| {
            // A place between two letters or digits, or none at all.
            let Some((before, behind)) = passage.split_at_checked(byte) else {
                return true;
            };
            let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            letter(before.chars().next_back()) && letter(behind.chars().next())
        };
        let whole = |piece: &Range<usize>| piece.start < piece.end;
        Self {
            begins: pieces
                .iter()
                .map(|piece| whole(piece) && !joins(piece.start))
                .collect(),
            ends: pieces
                .iter()
                .map(|piece| whole(piece) && !joins(piece.end))
                .collect(),
        }
    }
}

/// The `n` best spans of a passage that do not overlap, best first, from the
/// scores of its windows. A span has at most `max_answer` pieces and lies in one
/// window; of several windows that hold it the largest margin counts. What is
/// no number is no span.
pub fn best_spans(
    windows: &[WindowScores],
    borders: &Borders,
    max_answer: usize,
    n: usize,
) -> Vec<PieceSpan> {
    let mut all: Vec<PieceSpan> = Vec::new();
    for window in windows {
        for (at, [start, _]) in window.pieces.iter().enumerate() {
            let first = window.first + at;
            if !borders.begins.get(first).copied().unwrap_or(false) {
                continue;
            }
            for (length, [_, end]) in (1..=max_answer).zip(&window.pieces[at..]) {
                let margin = start + end - window.none;
                let last = first + length - 1;
                if margin.is_finite() && borders.ends.get(last).copied().unwrap_or(false) {
                    all.push(PieceSpan {
                        pieces: first..first + length,
                        margin,
                    });
                }
            }
        }
    }
    // Of equals the first and shortest.
    let order = |a: &PieceSpan, b: &PieceSpan| {
        let places = |span: &PieceSpan| (span.pieces.start, span.pieces.end);
        b.margin
            .total_cmp(&a.margin)
            .then_with(|| places(a).cmp(&places(b)))
    };
    let mut best: Vec<PieceSpan> = Vec::new();
    while best.len() < n {
        let Some(next) = all.iter().min_by(|a, b| order(a, b)).cloned() else {
            break;
        };
        all.retain(|span| {
            span.pieces.end <= next.pieces.start || next.pieces.end <= span.pieces.start
        });
        best.push(next);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn borders(count: usize) -> Borders {
        Borders {
            begins: vec![true; count],
            ends: vec![true; count],
        }
    }

    fn window(first: usize, none: f32, pieces: &[[f32; 2]]) -> WindowScores {
        WindowScores {
            none,
            pieces: pieces.to_vec(),
            first,
        }
    }

    #[test]
    fn the_best_span_is_that_with_the_largest_sum() {
        let scores = window(0, 1.0, &[[0.0, 5.0], [4.0, 0.0], [1.0, 3.0], [0.0, 2.0]]);
        let found = best_spans(&[scores], &borders(4), 30, 3);
        let span = |pieces, margin| PieceSpan { pieces, margin };
        // The end of 5 lies before the start of 4.
        assert_eq!(found, [span(1..3, 6.0), span(0..1, 4.0), span(3..4, 1.0)]);
    }

    #[test]
    fn a_span_is_no_longer_than_it_may_and_lies_in_one_window() {
        let first = window(0, 0.0, &[[9.0, 0.0], [0.0, 0.0]]);
        let second = window(1, 2.0, &[[0.0, 0.0], [0.0, 9.0]]);
        let windows = [first, second];
        let places = |max_answer: usize| -> Vec<(Range<usize>, f32)> {
            let found = best_spans(&windows, &borders(3), max_answer, 9).into_iter();
            found.map(|span| (span.pieces, span.margin)).collect()
        };
        // Of the two that end at piece 2 with the same margin the first.
        assert_eq!(places(2), [(0..1, 9.0), (1..3, 7.0)]);
        // Piece 1 is in both windows, and its margin in the first is larger.
        assert_eq!(places(1), [(0..1, 9.0), (2..3, 7.0), (1..2, 0.0)]);
        assert!(best_spans(&[], &borders(0), 5, 5).is_empty());
    }

    #[test]
    fn answers_begin_and_end_at_words() {
        let passage = "IL-2 naïve";
        let pieces = [0..2, 2..3, 3..4, 5..7, 7..9, 9..11];
        let borders = Borders::of(passage, &pieces);
        assert_eq!(borders.begins, [true, true, true, true, false, false]);
        assert_eq!(borders.ends, [true, true, true, false, false, true]);
        // Within a character nothing begins.
        let inside = 1..2;
        let borders = Borders::of("ï", std::slice::from_ref(&inside));
        assert_eq!(borders.begins, [false]);
    }

    proptest! {
        #[test]
        fn spans_do_not_overlap_and_fall(
            scores in prop::collection::vec((-9f32..9.0, -9f32..9.0), 0..40),
            none in -9f32..9.0,
            max_answer in 1usize..9,
            n in 0usize..9,
        ) {
            let pieces: Vec<[f32; 2]> = scores.iter().map(|&(a, b)| [a, b]).collect();
            let windows = [window(0, none, &pieces)];
            let found = best_spans(&windows, &borders(pieces.len()), max_answer, n);
            prop_assert!(found.len() <= n);
            prop_assert!(found.len() == n.min(pieces.len()) || found.len() < n);
            for (at, span) in found.iter().enumerate() {
                prop_assert!(!span.pieces.is_empty() && span.pieces.len() <= max_answer);
                let (first, last) = (span.pieces.start, span.pieces.end - 1);
                let sum = pieces[first][0] + pieces[last][1] - none;
                prop_assert_eq!(span.margin, sum);
                for other in &found[..at] {
                    prop_assert!(other.margin >= span.margin);
                    prop_assert!(other.pieces.end <= span.pieces.start
                        || span.pieces.end <= other.pieces.start);
                }
            }
        }
    }
}
