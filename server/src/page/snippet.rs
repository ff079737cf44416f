//! Which part of a passage to show under a hit.

use std::collections::HashSet;
use std::ops::Range;

/// Length of a snippet in characters, about three lines of a wide column.
const LENGTH: usize = 340;

/// How much of the text stands before the first found word when no sentence
/// begins near enough.
const LEAD: usize = 80;

/// Chooses the window of `text` within `passage` that shows most of the found
/// words, beginning at the start of a sentence where that can be. All ranges
/// are in bytes.
pub(crate) fn choose(text: &str, passage: Range<usize>, found: &[Range<usize>]) -> Range<usize> {
    let passage = if text.get(passage.clone()).is_some() {
        passage
    } else {
        0..text.len()
    };
    let inside: Vec<&Range<usize>> = found
        .iter()
        .filter(|word| word.start >= passage.start && word.end <= passage.end)
        .collect();
    let beginning = window(text, passage.start, passage.end);
    let mut best = beginning.clone();
    let mut best_worth = worth(text, &beginning, &inside);
    for start in sentence_starts(text, &passage) {
        let candidate = window(text, start, passage.end);
        let candidate_worth = worth(text, &candidate, &inside);
        // Of two that show the same, the later has the words nearer to its
        // start; only the beginning of the passage reads better still.
        let nearer = candidate_worth == best_worth && best != beginning;
        if candidate_worth > best_worth || nearer {
            (best, best_worth) = (candidate, candidate_worth);
        }
    }
    match inside.first() {
        Some(first) if best_worth.1 == 0 => {
            let start = lead_in(text, passage.start, first.start);
            window(text, start, passage.end)
        }
        _ => best,
    }
}

/// Different found words in the window, then all of them.
fn worth(text: &str, window: &Range<usize>, found: &[&Range<usize>]) -> (usize, usize) {
    let shown = || {
        found
            .iter()
            .filter(|word| word.start >= window.start && word.end <= window.end)
    };
    let different: HashSet<String> = shown()
        .filter_map(|word| text.get((*word).clone()))
        .map(str::to_lowercase)
        .collect();
    (different.len(), shown().count())
}

/// From `start` as far as a snippet goes, ending between two words.
fn window(text: &str, start: usize, end: usize) -> Range<usize> {
    let rest = &text[start..end];
    let Some((cut, _)) = rest.char_indices().nth(LENGTH) else {
        return start..end;
    };
    let between_words = rest[..cut].rfind(char::is_whitespace);
    let cut = between_words.filter(|&at| at > 0).unwrap_or(cut);
    start..start + rest[..cut].trim_end().len()
}

/// Where sentences begin within the passage, its own start left out.
fn sentence_starts(text: &str, passage: &Range<usize>) -> Vec<usize> {
    let part = &text[passage.clone()];
    part.match_indices(". ")
        .chain(part.match_indices("? "))
        .chain(part.match_indices("! "))
        .map(|(at, _)| passage.start + at + 2)
        .filter(|&at| text[at..].starts_with(|c: char| c.is_uppercase() || c.is_numeric()))
        .collect()
}

/// A word's start some way before `word`.
fn lead_in(text: &str, from: usize, word: usize) -> usize {
    let before = &text[from..word];
    match before.char_indices().rev().nth(LEAD) {
        None => from,
        Some((at, _)) => before[at..]
            .find(char::is_whitespace)
            .map_or(from + at, |space| {
                let rest = &before[at + space..];
                word - rest.trim_start().len()
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_passage_is_shown_whole() {
        assert_eq!(choose("Two words.", 0..10, &[]), 0..10);
    }

    #[test]
    fn the_sentence_with_most_found_words_is_shown() {
        let filler = "Nothing of note was seen here at all. ".repeat(12);
        let text = format!("{filler}Statins cause muscle pain. {filler}");
        let at = filler.len();
        let found = [at..at + 7, at + 14..at + 20];
        let window = choose(&text, 0..text.len(), &found);
        let shown = &text[window.clone()];
        assert_eq!(window.start, at, "{shown}");
        assert!(shown.starts_with("Statins cause") && shown.len() <= LENGTH);
    }

    #[test]
    fn a_word_deep_in_one_long_sentence_is_shown() {
        let text = format!(
            "{} statins {}",
            "blah ".repeat(200).trim(),
            "blah ".repeat(200)
        );
        let at = text.find("statins").unwrap();
        let window = choose(&text, 0..text.len(), std::slice::from_ref(&(at..at + 7)));
        assert!(window.start < at && at + 7 < window.end);
        assert!(text[window].starts_with("blah "));
    }

    proptest! {
        #[test]
        fn a_window_lies_within_the_passage(
            text in "([a-zα]{1,9}[.!?]? ?){0,120}",
            ends in any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(),
        ) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let mut ends = [*ends.0.get(&places), *ends.1.get(&places), *ends.2.get(&places)];
            ends.sort_unstable();
            let [start, word, end] = ends;
            let found = word..(word + 1..=end).find(|&at| text.is_char_boundary(at)).unwrap_or(word);
            let window = choose(&text, start..end, std::slice::from_ref(&found));
            prop_assert!(window.start >= start && window.end <= end);
            let shown = text.get(window.clone());
            prop_assert!(shown.is_some_and(|shown| shown.chars().count() <= LENGTH));
        }
    }
}
