//! Words of a text, as the corpora of biomedical entities have them.

use std::ops::Range;
use unicode_normalization::char::is_combining_mark;

/// Byte ranges of a text's words, in order: runs of letters and digits, and
/// every other character but white space by itself. So `IL-2` is three words
/// and `5-HT(2A)` six; a combining accent stays with its letter.
///
/// That is where the published corpora cut, and where BERT's tokenizer cuts
/// before it looks for pieces.
pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    // Whether the word before may go on.
    let mut open = false;
    for (start, c) in text.char_indices() {
        let end = start + c.len_utf8();
        let letter = c.is_alphanumeric();
        match words.last_mut() {
            Some(word) if word.end == start && ((open && letter) || is_combining_mark(c)) => {
                word.end = end;
            }
            _ if c.is_whitespace() || c.is_control() => open = false,
            _ => {
                words.push(start..end);
                open = letter;
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text).into_iter().map(|word| &text[word]).collect()
    }

    #[test]
    fn words_are_those_of_the_corpora() {
        for (text, expected) in [
            (
                "Tay-Sachs disease.",
                &["Tay", "-", "Sachs", "disease", "."][..],
            ),
            ("5-HT(2A)", &["5", "-", "HT", "(", "2A", ")"]),
            ("TNF-α,β2", &["TNF", "-", "α", ",", "β2"]),
            ("p<0.05", &["p", "<", "0", ".", "05"]),
            ("Ca2+ \t±", &["Ca2", "+", "±"]),
            // An accent of its own, and one that is part of its letter.
            ("Sjo\u{308}gren Sjögren", &["Sjo\u{308}gren", "Sjögren"]),
            ("a\u{200b}b", &["a", "\u{200b}", "b"]),
            (" \n", &[]),
        ] {
            assert_eq!(cut(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn everything_but_white_space_is_in_one_word(text in "\\PC{0,40}") {
            let words = words(&text);
            let mut end = 0;
            for word in &words {
                prop_assert!(word.start >= end && word.start < word.end);
                let between = &text[end..word.start];
                prop_assert!(between.chars().all(|c| c.is_whitespace() || c.is_control()));
                end = word.end;
            }
            prop_assert!(text[end..].chars().all(|c| c.is_whitespace() || c.is_control()));
        }
    }
}
