//! When two answers are the same.

use std::collections::HashMap;

/// An answer as SQuAD's scorers compare it: in lower case, without punctuation
/// and the words `a`, `an` and `the`, with single spaces.
pub fn normalise_answer(text: &str) -> String {
    // Python's `string.punctuation` is that of ASCII; it goes before words are
    // looked at, so that `the-art` is one of them.
    let lower = text.to_lowercase();
    let kept = lower.chars().filter(|c| !c.is_ascii_punctuation());
    let text: String = kept.collect();
    let mut out = String::with_capacity(text.len());
    for token in without_articles(&text).split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

/// A space in place of each article that is a word of its own: letters and
/// digits are parts of words, any other character ends one.
fn without_articles(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        out.push_str(if matches!(word, "a" | "an" | "the") {
            " "
        } else {
            word
        });
        let mut others = behind.chars();
        out.extend(others.next());
        rest = others.as_str();
    }
    out
}

/// Whether two answers are the same, once both are normalised.
pub fn exact_match(found: &str, gold: &str) -> bool {
    normalise_answer(found) == normalise_answer(gold)
}

/// Harmonic mean of the shares of words that two answers have in common, each
/// as often as it occurs. Where one is empty, 1 if both are.
pub fn answer_f1(found: &str, gold: &str) -> f64 {
    let (found, gold) = (normalise_answer(found), normalise_answer(gold));
    let words = |text: &str| text.split(' ').filter(|w| !w.is_empty()).count();
    let (in_found, in_gold) = (words(&found), words(&gold));
    if in_found == 0 || in_gold == 0 {
        return f64::from(u8::from(in_found == in_gold));
    }
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in gold.split(' ') {
        *left.entry(word).or_default() += 1;
    }
    let mut same = 0usize;
    for word in found.split(' ') {
        if let Some(count) = left.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            same += 1;
        }
    }
    if same == 0 {
        return 0.0;
    }
    let precision = same as f64 / in_found as f64;
    let recall = same as f64 / in_gold as f64;
    2.0 * precision * recall / (precision + recall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn articles_punctuation_case_and_space_do_not_count() {
        for (text, expected) in [
            ("The  Broncos.", "broncos"),
            ("an \"apple\" a day", "apple day"),
            ("A", ""),
            ("the-art", "theart"),
            ("state of the art", "state of art"),
            ("theme", "theme"),
            // Other signs than those of ASCII stay, and end words.
            ("β–the–α", "β– –α"),
            ("İ", "i\u{307}"),
        ] {
            assert_eq!(normalise_answer(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_counted_as_often_as_they_occur() {
        assert_eq!(answer_f1("the dog dog", "dog"), 2.0 / 3.0);
        assert_eq!(answer_f1("cat", "dog"), 0.0);
        assert_eq!(answer_f1("", "the"), 1.0);
        assert_eq!(answer_f1("", "dog"), 0.0);
        assert!(exact_match("The dog!", "dog") && !exact_match("dogs", "dog"));
    }

    proptest! {
        #[test]
        fn f1_is_symmetric_and_full_for_equals(a in ".{0,30}", b in "[a-d ]{0,12}") {
            prop_assert_eq!(answer_f1(&a, &a), 1.0);
            let (one, other) = (answer_f1(&a, &b), answer_f1(&b, &a));
            prop_assert!((one - other).abs() < 1e-12 && (0.0..=1.0).contains(&one));
            if exact_match(&a, &b) {
                prop_assert_eq!(one, 1.0);
            }
        }
    }
}
