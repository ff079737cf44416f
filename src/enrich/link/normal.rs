//! Forms of a name by which it is compared, from strict to loose.
//!
//! Mentions and names of the vocabulary go through the same functions, so what
//! counts is that spellings of one name become the same, not that the result
//! is a word.

use super::words::{number, plain, stem};
use crate::greek;
use std::collections::HashMap;

/// How much of a name's form is looked at: each grade makes more names the
/// same than the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Case, and signs between words, do not count.
    Exact,
    /// Nor do Greek letters and their names, British and American spelling,
    /// singular and plural, roman and arabic numerals, possessives.
    Normal,
    /// Nor do spaces.
    Compact,
    /// Nor do the order of the words, small words, and words that say no more
    /// than that it is a disease.
    Bag,
    /// Nor do endings that make an adjective of a noun, and words of one
    /// meaning (`renal`, `kidney`).
    Stem,
}

impl Grade {
    /// All grades, the strictest first.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Normal,
        Self::Compact,
        Self::Bag,
        Self::Stem,
    ];

    /// What an agreement of this grade counts, from 0 to 1. The numbers order
    /// the grades; they are no probabilities.
    pub fn score(self) -> f32 {
        match self {
            Self::Exact => 1.0,
            Self::Normal => 0.95,
            Self::Compact => 0.9,
            Self::Bag => 0.85,
            Self::Stem => 0.75,
        }
    }
}

/// The form of a name at a grade. What has no letter and no digit has the empty
/// form; a form's own form at the same grade is itself.
pub fn normal_form(name: &str, grade: Grade) -> String {
    Normaliser::default().form(name, grade)
}

/// Makes forms of names, and remembers what became of their words.
#[derive(Debug, Default)]
pub(super) struct Normaliser {
    plain: HashMap<String, String>,
    stems: HashMap<String, String>,
}

impl Normaliser {
    /// The form of a name at a grade.
    pub(super) fn form(&mut self, name: &str, grade: Grade) -> String {
        if grade == Grade::Exact {
            return exact_words(name).join(" ");
        }
        let words = self.normal_words(name);
        self.of_words(words, grade)
    }

    /// The forms of a name at all grades.
    pub(super) fn forms(&mut self, name: &str) -> [String; Grade::ALL.len()] {
        let words = self.normal_words(name);
        Grade::ALL.map(|grade| match grade {
            Grade::Exact => exact_words(name).join(" "),
            _ => self.of_words(words.clone(), grade),
        })
    }

    fn of_words(&mut self, words: Vec<String>, grade: Grade) -> String {
        match grade {
            Grade::Exact | Grade::Normal => words.join(" "),
            Grade::Compact => self.compact(words),
            Grade::Bag => bag(words, is_empty_word).join(" "),
            Grade::Stem => self.stems(words).join(" "),
        }
    }

    /// Words in one spelling, letters and digits apart.
    fn normal_words(&mut self, name: &str) -> Vec<String> {
        let raw = raw_words(name);
        let several = raw.len() > 1;
        let words = raw.into_iter().filter(|word| word != POSSESSIVE);
        let words = words.map(|word| word.trim_start_matches('\'').to_owned());
        let words = words.map(|word| match number(&word).filter(|_| several) {
            Some(number) => number.to_owned(),
            None => remembered(&mut self.plain, &word, plain),
        });
        words.collect()
    }

    /// The words without what parts them, until where they are parted changes
    /// nothing.
    fn compact(&mut self, words: Vec<String>) -> String {
        let mut text = words.concat();
        loop {
            let next = self.normal_words(&text).concat();
            if next.len() >= text.len() {
                return text;
            }
            text = next;
        }
    }

    fn stems(&mut self, words: Vec<String>) -> Vec<String> {
        let words = bag(words, is_vague_word);
        let words = words
            .iter()
            .map(|word| remembered(&mut self.stems, word, stem));
        // A stem may be a vague word again.
        bag(words.collect(), is_vague_word)
    }
}

fn remembered(known: &mut HashMap<String, String>, word: &str, rule: fn(&str) -> String) -> String {
    if let Some(known) = known.get(word) {
        return known.clone();
    }
    let form = rule(word);
    known.insert(word.to_owned(), form.clone());
    form
}

/// What the `s` of a possessive is among the raw words.
const POSSESSIVE: &str = "'s";

/// Words in lower case. A plus belongs to its word: `Ca2+`.
fn exact_words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '+');
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    words.map(str::to_owned).collect()
}

/// Words in lower case, letters and digits apart, Greek letters by their names.
fn raw_words(name: &str) -> Vec<String> {
    let mut raw: Vec<String> = Vec::new();
    // What the last character was: a letter, a digit, or neither.
    let mut last = None;
    let mut apostrophe = false;
    for c in name.chars().flat_map(char::to_lowercase) {
        let class = c.is_alphanumeric().then(|| c.is_numeric());
        if let Some(word) = greek(c) {
            // `TNF-α`, `TNFα` and `TNF-alpha` are one name.
            raw.push(word.to_owned());
            last = None;
            continue;
        }
        match class {
            None => apostrophe = matches!(c, '\'' | '’'),
            Some(_) if class == last && !raw.is_empty() => {
                if let Some(word) = raw.last_mut() {
                    word.push(c);
                }
            }
            Some(_) => {
                // The `s` of a possessive is a word of its own here.
                let word = if apostrophe && c == 's' {
                    POSSESSIVE.to_owned()
                } else {
                    c.to_string()
                };
                raw.push(word);
                apostrophe = false;
            }
        }
        last = class;
    }
    raw
}

/// The words that `empty` leaves, in order of the alphabet and each once; all
/// of them where it would leave none.
fn bag(words: Vec<String>, empty: fn(&str) -> bool) -> Vec<String> {
    let mut kept: Vec<String> = words.iter().filter(|word| !empty(word)).cloned().collect();
    if kept.is_empty() {
        kept = words;
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// Words that tell no two names apart.
fn is_empty_word(word: &str) -> bool {
    matches!(
        word,
        "of" | "the"
            | "and"
            | "in"
            | "a"
            | "an"
            | "to"
            | "with"
            | "by"
            | "for"
            | "or"
            | "on"
            | "disease"
            | "disorder"
            | "syndrome"
            | "condition"
            | "type"
    )
}

/// Words that say that something is wrong, but not what.
fn is_vague_word(word: &str) -> bool {
    is_empty_word(word)
        || matches!(
            word,
            "injury"
                | "damage"
                | "dysfunction"
                | "impairment"
                | "toxicity"
                | "abnormality"
                | "lesion"
                | "problem"
                | "complication"
                | "disturbance"
                | "symptom"
                | "illness"
                | "event"
                | "episode"
                | "attack"
                | "reaction"
                | "involvement"
                | "defect"
        )
}

/// The name of a Greek letter, or of a sign that is written for one.
fn greek(c: char) -> Option<&'static str> {
    greek::name(match c {
        'ß' => 'β',
        'µ' => 'μ',
        'ς' => 'σ',
        other => other,
    })
}
