//! Where sentences end in biomedical prose.

use std::ops::Range;

/// Words before a full stop that does not end a sentence, in lower case.
const ABBREVIATIONS: [&str; 40] = [
    "al", "approx", "apr", "aug", "ca", "cf", "co", "corp", "dec", "dr", "e.g", "eg", "eq", "eqs",
    "feb", "fig", "figs", "i.e", "i.p", "i.v", "ie", "inc", "jan", "ltd", "mr", "mrs", "no", "nov",
    "oct", "ref", "refs", "resp", "s.c", "sp", "spp", "st", "subsp", "tab", "var", "vs",
];

/// Bytes at which a new sentence begins, rising, without the first.
///
/// A sentence ends with `.`, `?` or `!`, closing marks included, before white
/// space and something that can begin a sentence. Decimals, abbreviations
/// (`et al.`, `Fig.`, `i.v.`) and initials (`E. coli`) end none.
pub fn sentence_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    for (stop, mark) in text.char_indices() {
        if !matches!(mark, '.' | '?' | '!') {
            continue;
        }
        let rest = &text[stop + mark.len_utf8()..];
        let closed = rest.trim_start_matches(['"', '\'', ')', ']', '”', '’', '»']);
        let next = closed.trim_start();
        if next.is_empty() || next.len() == closed.len() {
            continue;
        }
        if begins_sentence(next) && !(mark == '.' && is_abbreviation(&text[..stop])) {
            starts.push(text.len() - next.len());
        }
    }
    // Two marks in a row (`?!`, `.)."`) can find the same start.
    starts.dedup();
    starts
}

/// Where the sentences of a text lie, as byte ranges that cover it all: the
/// white space behind a sentence belongs to it. See [`sentence_starts`].
pub(crate) fn sentence_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let starts = sentence_starts(text);
    let ends = starts.clone().into_iter().chain([text.len()]);
    let starts = [0].into_iter().chain(starts);
    starts.zip(ends).map(|(start, end)| start..end)
}

/// The sentences of a text in order, without the white space around them;
/// none is empty. See [`sentence_starts`] for where they end.
pub fn sentences(text: &str) -> Vec<&str> {
    sentence_ranges(text)
        .map(|range| text[range].trim())
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

/// Whether a text can be the beginning of a sentence: a capital letter, a
/// digit, an opening mark, a Greek letter, or a name that is written small
/// (`mRNA`, `p53`).
fn begins_sentence(text: &str) -> bool {
    let text = text.trim_start_matches(['(', '[', '"', '\'', '“', '‘', '«']);
    let Some(first) = text.chars().next() else {
        return false;
    };
    if !first.is_lowercase() {
        return true;
    }
    let greek = ('α'..='ω').contains(&first);
    let word = text.split_whitespace().next().unwrap_or_default();
    greek || word.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
}

/// Whether the word before a full stop is an abbreviation or an initial.
fn is_abbreviation(before: &str) -> bool {
    let word = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '/' | '-'))
        .next()
        .unwrap_or_default();
    let mut letters = word.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return letter.is_alphabetic();
    }
    let word = word.to_lowercase();
    ABBREVIATIONS.binary_search(&word.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_in_order_for_the_search() {
        assert!(ABBREVIATIONS.is_sorted());
    }

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        for (text, expected) in [
            ("One here. Two there.", &["One here.", "Two there."][..]),
            (
                "Was it 0.5 mg? Yes! It was.",
                &["Was it 0.5 mg?", "Yes!", "It was."],
            ),
            ("(See below.) Then more.", &["(See below.)", "Then more."]),
            (
                "p < 0.001. 12 patients left.",
                &["p < 0.001.", "12 patients left."],
            ),
            (
                "It grew. mRNA fell. p53 rose.",
                &["It grew.", "mRNA fell.", "p53 rose."],
            ),
            (
                "It rose. α-Synuclein fell.",
                &["It rose.", "α-Synuclein fell."],
            ),
            (
                "AIM: To see. METHODS: Looking.",
                &["AIM: To see.", "METHODS: Looking."],
            ),
        ] {
            assert_eq!(sentences(text), expected);
        }
    }

    #[test]
    fn what_only_looks_like_an_end_is_none() {
        for text in [
            "Smith et al. Described it",
            "as in Fig. 2 and Refs. 3 and 4",
            "E. coli and S. Typhimurium grew",
            "given 5 mg i.v. Then",
            "sodium, e.g. NaCl, vs. KCl",
            "at 37.5 degrees, cf. Table 1",
            "the end.of nothing",
            "lower. case follows",
            "Candida spp. In vitro",
        ] {
            assert_eq!(sentences(text), [text]);
        }
    }
}
