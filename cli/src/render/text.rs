//! Text on a grid of columns: cleaning, measuring, wrapping, painting.

use crate::output::Style;
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Stored text made safe for a terminal: control characters, which could move
/// the cursor or change its colours, and marks that reorder text become
/// spaces. The number of characters stays, so that character offsets hold.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| {
            let reorders = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if c.is_control() || reorders { ' ' } else { c }
        })
        .collect()
}

/// Columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Byte ranges of half-open character ranges, cut to the text.
pub(crate) fn byte_ranges(text: &str, ranges: &[[usize; 2]]) -> Vec<Range<usize>> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let byte = |character: usize| starts.get(character).copied().unwrap_or(text.len());
    ranges
        .iter()
        .map(|&[start, end]| byte(start)..byte(end.max(start)))
        .filter(|range| !range.is_empty())
        .collect()
}

/// Cuts a text into lines of at most `width` columns at white space; a word
/// that is longer than a line is cut where it must be. Gives byte ranges.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<Range<usize>> {
    let width = width.max(2);
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut used = 0;
    for word in words(text) {
        let length = columns(&text[word.clone()]);
        if let Some(line) = lines.last_mut()
            && used + 1 + length <= width
        {
            line.end = word.end;
            used += 1 + length;
            continue;
        }
        if length <= width {
            lines.push(word);
            used = length;
            continue;
        }
        for piece in pieces(text, word, width) {
            used = columns(&text[piece.clone()]);
            lines.push(piece);
        }
    }
    lines
}

/// Byte ranges of the words.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(move |word| {
        // A word is a slice of the text, so that its place is known.
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// Cuts a range into pieces of at most `width` columns.
fn pieces(text: &str, range: Range<usize>, width: usize) -> Vec<Range<usize>> {
    let mut cut = Vec::new();
    let mut start = range.start;
    let mut used = 0;
    for (at, c) in text[range.clone()].char_indices() {
        let next = c.width().unwrap_or(0);
        if used + next > width {
            cut.push(start..range.start + at);
            start = range.start + at;
            used = 0;
        }
        used += next;
    }
    cut.push(start..range.end);
    cut
}

/// A line of a text with the marked parts highlighted and the rest as `base`
/// makes it. White space inside the line becomes single spaces only where the
/// text has line ends or tabs, which [`clean`] has replaced already.
pub(crate) fn paint(
    text: &str,
    line: Range<usize>,
    marks: &[Range<usize>],
    style: Style,
    base: impl Fn(&str) -> String,
) -> String {
    let mut painted = String::new();
    let mut at = line.start;
    for mark in marks {
        let start = mark.start.clamp(at, line.end);
        let end = mark.end.clamp(start, line.end);
        if start < end {
            painted.push_str(&base(&text[at..start]));
            painted.push_str(&style.highlight(&text[start..end]));
            at = end;
        }
    }
    painted.push_str(&base(&text[at..line.end]));
    painted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: usize) -> Vec<&str> {
        wrap(text, width)
            .into_iter()
            .map(|line| &text[line])
            .collect()
    }

    #[test]
    fn lines_break_at_white_space() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("  a  ", 7), ["a"]);
        assert!(lines("", 7).is_empty());
    }

    #[test]
    fn a_long_word_is_cut_and_nothing_is_lost() {
        assert_eq!(lines("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(lines("日本語", 4), ["日本", "語"]);
        assert_eq!(columns("日本"), 4);
    }

    #[test]
    fn escapes_cannot_reach_the_terminal() {
        assert_eq!(clean("a\x1b[31mb\n\u{202e}"), "a [31mb  ");
    }

    #[test]
    fn marks_are_counted_in_characters() {
        let text = "α-synuclein β";
        let marks = byte_ranges(text, &[[0, 1], [12, 99]]);
        let words: Vec<&str> = marks.into_iter().map(|mark| &text[mark]).collect();
        assert_eq!(words, ["α", "β"]);
    }

    #[test]
    fn marks_are_painted_inside_their_line() {
        let text = "statin use and muscle";
        let marks = [0..6, 15..21];
        let style = Style::new(true);
        let plain = |part: &str| part.to_owned();
        assert_eq!(
            paint(text, 0..10, &marks, style, plain),
            "\x1b[1;33mstatin\x1b[0m use"
        );
        assert_eq!(
            paint(text, 11..18, &marks, Style::new(false), plain),
            "and mus"
        );
    }
}
