//! Abbreviations that a text explains itself.
//!
//! The algorithm of Schwartz and Hearst (2003), *A simple algorithm for
//! identifying abbreviation definitions in biomedical text*: a short form in
//! parentheses behind its long form, or the other way round, where the
//! characters of the short form are found in the long form from right to left,
//! the first of them at the beginning of a word.

use crate::passage::sentence_ranges;
use std::ops::Range;

/// Longest short form, in characters and in words.
const SHORT: (usize, usize) = (10, 2);

/// A short form and what it stands for, as byte ranges of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abbreviation {
    /// Where it stands when it is explained.
    pub short: Range<usize>,
    /// The words that it stands for.
    pub long: Range<usize>,
}

/// Abbreviations that are explained in a text, in its order.
pub fn abbreviations(text: &str) -> Vec<Abbreviation> {
    let mut found = Vec::new();
    for sentence in sentence_ranges(text) {
        in_sentence(text, sentence, &mut found);
    }
    found
}

fn in_sentence(text: &str, sentence: Range<usize>, found: &mut Vec<Abbreviation>) {
    let mut from = sentence.start;
    while let Some(open) = text[from..sentence.end].find('(').map(|at| from + at) {
        let Some(close) = closing(text, open, sentence.end) else {
            return;
        };
        // Behind a comma or semicolon stands something else: `(PCR; see below)`.
        let inner = &text[open + 1..close];
        let inner = inner.split([',', ';']).next().unwrap_or_default();
        let inner = trimmed(text, open + 1..open + 1 + inner.len());
        let before = trimmed(text, from..open);
        if is_short(&text[inner.clone()]) {
            if let Some(long) = long_form(text, inner.clone(), before) {
                found.push(Abbreviation { short: inner, long });
            }
        } else if let Some(short) = last_word(text, before)
            && is_short(&text[short.clone()])
            && let Some(long) = long_form(text, short.clone(), inner)
        {
            found.push(Abbreviation { short, long });
        }
        // What is in the parentheses may have some of its own.
        from = open + 1;
    }
}

/// The parenthesis that closes one, those in between skipped.
fn closing(text: &str, open: usize, end: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (place, c) in text[open..end].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + place);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a text can be a short form: one or two words, two to ten
/// characters, the first a letter or digit, and a letter among them.
fn is_short(text: &str) -> bool {
    let length = text.chars().count();
    (2..=SHORT.0).contains(&length)
        && text.split_whitespace().count() <= SHORT.1
        && text.chars().next().is_some_and(char::is_alphanumeric)
        && text.chars().any(char::is_alphabetic)
}

fn last_word(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let words = &text[range.clone()];
    let start = words
        .char_indices()
        .rev()
        .find(|(_, c)| c.is_whitespace())
        .map_or(0, |(at, c)| at + c.len_utf8());
    let word = range.start + start..range.end;
    (!word.is_empty()).then_some(word)
}

/// The shortest end of a stretch of text that explains a short form.
fn long_form(text: &str, short: Range<usize>, within: Range<usize>) -> Option<Range<usize>> {
    let short = &text[short];
    let within = candidate(text, short, within);
    let place = matched(short, &text[within.clone()])?;
    let start = word_start(text, within.start, within.start + place);
    let long = start..within.end;
    let words = &text[long.clone()];
    let letters = short.chars().filter(|c| c.is_alphanumeric()).count();
    let fits = words.chars().count() > short.chars().count()
        && words.split_whitespace().count() <= (letters + 5).min(2 * letters)
        // A long form that holds the short one explains nothing.
        && !words.split(|c: char| !c.is_alphanumeric()).any(|word| word == short);
    fits.then_some(long)
}

/// The last words before the short form that may be its long form.
fn candidate(text: &str, short: &str, within: Range<usize>) -> Range<usize> {
    let letters = short.chars().filter(|c| c.is_alphanumeric()).count();
    let most = (letters + 5).min(2 * letters);
    let stretch = &text[within.clone()];
    let mut starts = Vec::new();
    let mut inside = false;
    for (at, c) in stretch.char_indices() {
        if !c.is_whitespace() && !inside {
            starts.push(at);
        }
        inside = !c.is_whitespace();
    }
    let first = starts.len().saturating_sub(most);
    within.start + starts.get(first).copied().unwrap_or(0)..within.end
}

/// Where the long form begins when the short form's letters and digits are
/// found in it from right to left, the first at the beginning of a word.
fn matched(short: &str, long: &str) -> Option<usize> {
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    let letters: Vec<char> = short
        .chars()
        .filter(|c| c.is_alphanumeric())
        .map(lower)
        .collect();
    let places: Vec<(usize, char)> = long.char_indices().map(|(at, c)| (at, lower(c))).collect();
    let mut at = places.len();
    for (number, letter) in letters.iter().enumerate().rev() {
        loop {
            at = at.checked_sub(1)?;
            let begins = at == 0 || !places[at - 1].1.is_alphanumeric();
            if places[at].1 == *letter && (number > 0 || begins) {
                break;
            }
        }
    }
    places.get(at).map(|place| place.0)
}

/// The beginning of the word, hyphens and all, in which a place lies.
fn word_start(text: &str, from: usize, place: usize) -> usize {
    let before = &text[from..place];
    let space = before.char_indices().rev().find(|(_, c)| c.is_whitespace());
    let start = space.map_or(from, |(at, c)| from + at + c.len_utf8());
    // Not a parenthesis that stays open.
    let word = &text[start..place];
    start + (word.len() - word.trim_start_matches(['(', '[', '"', '\'', '“']).len())
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pairs(text: &str) -> Vec<(&str, &str)> {
        let found = abbreviations(text).into_iter();
        found.map(|a| (&text[a.short], &text[a.long])).collect()
    }

    #[test]
    fn short_forms_find_their_long_forms() {
        for (text, expected) in [
            (
                "Heat shock transcription factor (HSF) binds.",
                &[("HSF", "Heat shock transcription factor")][..],
            ),
            (
                "We used the polymerase chain reaction (PCR; 30 cycles) here.",
                &[("PCR", "polymerase chain reaction")],
            ),
            (
                "in PCR (polymerase chain reaction) assays",
                &[("PCR", "polymerase chain reaction")],
            ),
            (
                "Patients with type 2 diabetes mellitus (T2DM) and coronary heart disease (CHD).",
                &[
                    ("T2DM", "type 2 diabetes mellitus"),
                    ("CHD", "coronary heart disease"),
                ],
            ),
            (
                "non-small cell lung cancer (NSCLC)",
                &[("NSCLC", "non-small cell lung cancer")],
            ),
            (
                "angiotensin-converting enzyme (ACE) inhibitors",
                &[("ACE", "angiotensin-converting enzyme")],
            ),
            // Small words in between are passed over.
            (
                "a deficiency of glucose-6-phosphate dehydrogenase (G6PD)",
                &[("G6PD", "glucose-6-phosphate dehydrogenase")],
            ),
            (
                "tumour necrosis factor α (TNF-α) rose",
                &[("TNF-α", "tumour necrosis factor α")],
            ),
            ("adenomatous polyposis coli (APC (gene)) loss", &[]),
        ] {
            assert_eq!(pairs(text), expected, "{text}");
        }
    }

    #[test]
    fn other_parentheses_explain_nothing() {
        for text in [
            "Patients (n = 12) were treated.",
            "It rose (p < 0.05).",
            "as shown (Fig. 2) before",
            "in 1999 (see above)",
            "the dose (XYZ) given",
            "an unclosed (ABC",
            "HSF (HSF) again",
            "() empty",
            "First end. (FE) begins the next sentence.",
        ] {
            assert_eq!(pairs(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_ranges_of_its_own(text in "[a-cA-C0-2αβé().,; -]{0,60}") {
            for found in abbreviations(&text) {
                prop_assert!(!text[found.short.clone()].is_empty());
                let long = &text[found.long.clone()];
                let initial = |text: &str| text.chars().find(|c| c.is_alphanumeric());
                prop_assert!(initial(long).is_some());
                prop_assert_eq!(long.trim(), long);
            }
        }
    }
}
