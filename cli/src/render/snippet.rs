//! Which part of a hit's text is shown below its title.

use medsift::searcher::Hit;
use std::ops::Range;

/// Characters shown before the first matching word.
const LEAD: usize = 24;

/// Characters of the text to show: those that hold the most matching words,
/// inside the best passage where there is one; without matching words the
/// passage's beginning, else the text's.
pub(super) fn choose(hit: &Hit, text: &[char], budget: usize) -> Range<usize> {
    let passage = hit.passage.as_ref().map_or(0..text.len(), |passage| {
        passage.start.min(text.len())..passage.end.min(text.len())
    });
    let inside: Vec<[usize; 2]> = hit
        .highlights
        .text
        .iter()
        .copied()
        .filter(|&[start, end]| passage.start <= start && end <= passage.end)
        .collect();
    let marks = if inside.is_empty() && hit.passage.is_none() {
        &hit.highlights.text
    } else {
        &inside
    };
    let start = match densest(marks, budget.saturating_sub(LEAD)) {
        Some(first) if first > passage.start + LEAD => word_start(text, first - LEAD, first),
        _ => passage.start,
    };
    start..word_end(text, start, start + budget)
}

/// The mark from which on a window holds the most marks; the earliest of equals.
fn densest(marks: &[[usize; 2]], window: usize) -> Option<usize> {
    let held = |start: usize| {
        marks
            .iter()
            .filter(|mark| mark[0] >= start && mark[1] <= start + window)
            .count()
    };
    marks
        .iter()
        .map(|mark| mark[0])
        .max_by_key(|&start| (held(start), std::cmp::Reverse(start)))
}

/// The last word end up to a place, unless that leaves less than half.
fn word_end(text: &[char], start: usize, limit: usize) -> usize {
    if limit >= text.len() {
        return text.len();
    }
    (start.midpoint(limit)..=limit)
        .rev()
        .find(|&at| text[at].is_whitespace())
        .unwrap_or(limit)
}

/// The first word start in a stretch of text, else its end.
fn word_start(text: &[char], from: usize, to: usize) -> usize {
    (from..to)
        .find(|&at| at > 0 && text.get(at - 1).is_some_and(|c| c.is_whitespace()))
        .unwrap_or(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_densest_window_wins_and_the_earliest_of_equals() {
        let marks = [[5, 9], [100, 104], [110, 114], [120, 124]];
        assert_eq!(densest(&marks, 40), Some(100));
        assert_eq!(densest(&marks[..1], 40), Some(5));
        assert_eq!(densest(&[[5, 9], [100, 104]], 40), Some(5));
        assert_eq!(densest(&[], 40), None);
    }

    #[test]
    fn a_snippet_ends_at_a_word() {
        let text: Vec<char> = "alpha beta gamma".chars().collect();
        assert_eq!(word_end(&text, 0, 12), 10);
        assert_eq!(word_end(&text, 0, 16), 16);
        assert_eq!(word_end(&text, 0, 99), 16);
        assert_eq!(word_end(&text, 6, 8), 8);
    }

    #[test]
    fn a_snippet_begins_at_a_word() {
        let text: Vec<char> = "alpha beta gamma".chars().collect();
        assert_eq!(word_start(&text, 2, 11), 6);
        assert_eq!(word_start(&text, 0, 3), 3);
    }
}
