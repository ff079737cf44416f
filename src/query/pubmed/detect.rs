//! Whether a text uses the language, or is a question.

use super::field::{Field, prefixed};
use super::filter::HAS_ABSTRACT;
use super::lexer::{Token, TokenKind, tokens};

/// Words that questions begin with.
const ASKS: [&str; 22] = [
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "is", "are", "was",
    "were", "do", "does", "did", "can", "could", "should", "will", "would", "has",
];

/// Whether a text is written in the query language rather than in plain words:
/// it has a field tag, an operator in capitals, a phrase in quotation marks
/// (closed or not), a truncated word, or `hasabstract`. A text that is in capitals throughout
/// has no operators, and neither has a question.
pub fn uses_syntax(text: &str) -> bool {
    has_sign(text) || opens_phrase(text)
}

/// Whether the only sign of the language is a quotation mark that is not closed.
pub(in crate::query) fn only_opens_phrase(text: &str) -> bool {
    !has_sign(text) && opens_phrase(text)
}

/// Whether a word begins with a quotation mark that is not closed.
fn opens_phrase(text: &str) -> bool {
    !is_question(text)
        && tokens(text).iter().any(|token| {
            let TokenKind::Phrase {
                text: inside,
                closed: false,
            } = token.kind
            else {
                return false;
            };
            begins_word(text, token) && inside.starts_with(char::is_alphanumeric)
        })
}

/// Whether a text has a field tag, an operator, a whole phrase, a truncated
/// word, or the one filter that needs no tag.
fn has_sign(text: &str) -> bool {
    let tokens = tokens(text);
    let any = |is: fn(&TokenKind<'_>) -> bool| tokens.iter().any(|token| is(&token.kind));
    if any(is_field_tag)
        || tokens
            .windows(2)
            .any(|pair| opens_value(&pair[0], &pair[1]))
    {
        return true;
    }
    if any(|kind| matches!(kind, TokenKind::Word(word) if has_value(word))) {
        return true;
    }
    if is_question(text) {
        return false;
    }
    let small = text.chars().any(char::is_lowercase);
    let phrase = tokens.iter().any(|token| is_phrase(text, token));
    let filter =
        |kind: &TokenKind<'_>| matches!(kind, TokenKind::Word(word) if *word == HAS_ABSTRACT);
    (small && any(|kind| matches!(kind, TokenKind::Op(_))))
        || phrase
        || any(is_truncated)
        || any(filter)
}

/// Whether a word is a field of what was found in articles, with its value.
fn has_value(word: &str) -> bool {
    prefixed(word).is_some_and(|(_, value)| !value.is_empty())
}

/// Whether such a field has its value in the quotation marks right behind it.
fn opens_value(word: &Token<'_>, value: &Token<'_>) -> bool {
    let field = matches!(word.kind, TokenKind::Word(word) if prefixed(word).is_some());
    field
        && word.range.end == value.range.start
        && matches!(value.kind, TokenKind::Phrase { closed: true, .. })
}

/// What to say where an operator in capitals is read as a word, which nobody
/// expects of the first one in `COPD NOT COVID-19`.
pub(in crate::query) fn operator_as_word(text: &str) -> Option<String> {
    let first_word = text.split_whitespace().next()?.to_lowercase();
    if ASKS.contains(&first_word.as_str()) && is_question(text) {
        return None;
    }
    let tokens = tokens(text);
    let inside = tokens.get(1..tokens.len().saturating_sub(1))?;
    let op = inside.iter().find_map(|token| match token.kind {
        TokenKind::Op(op) => Some(op),
        _ => None,
    })?;
    let (reason, remedy) = match is_question(text) {
        true => ("is a question", "leave the question mark out"),
        false => (
            "is in capitals throughout",
            "write the other words in small letters, or use syntax pubmed",
        ),
    };
    Some(format!(
        "{op} was read as a word, since the text {reason}: to have it as an operator, {remedy}"
    ))
}

/// What stands behind words in square brackets and is no field tag, but like
/// one, with the tag that may have been meant: `tiabs` and `tiab`.
pub(in crate::query) fn misspelt_tag(text: &str) -> Option<(&str, &'static str)> {
    let tokens = tokens(text);
    tokens
        .windows(2)
        .find_map(|pair| match (&pair[0].kind, &pair[1].kind) {
            (
                TokenKind::Word(_) | TokenKind::Phrase { .. },
                TokenKind::Tag { text, closed: true },
            ) => {
                let name = text.split(':').next().unwrap_or_default();
                Some((*text, Field::nearest_tag(name)?))
            }
            _ => None,
        })
}

/// Whether a text is a question in natural language.
pub fn is_question(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    // `WHO` and `IS` are an organisation and a piece of DNA.
    let asks = words.first().is_some_and(|first| {
        first.chars().any(char::is_lowercase) && ASKS.contains(&first.to_lowercase().as_str())
    });
    let marked = text.trim_end().ends_with('?');
    words.len() >= 3 && (asks || marked)
}

fn is_field_tag(kind: &TokenKind<'_>) -> bool {
    let TokenKind::Tag { text, closed: true } = kind else {
        return false;
    };
    let name = text.split(':').next().unwrap_or_default();
    Field::of_tag(name).is_some()
}

fn is_phrase(query: &str, token: &Token<'_>) -> bool {
    let TokenKind::Phrase { text, closed: true } = token.kind else {
        return false;
    };
    begins_word(query, token) && text.chars().any(char::is_alphanumeric)
}

/// Whether a token follows no word: `5" long` has inches.
fn begins_word(query: &str, token: &Token<'_>) -> bool {
    let before = query[..token.range.start].chars().next_back();
    before.is_none_or(|c| !c.is_alphanumeric())
}

fn is_truncated(kind: &TokenKind<'_>) -> bool {
    let TokenKind::Word(word) = kind else {
        return false;
    };
    let part_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '\'' | '’');
    word.strip_suffix('*').is_some_and(|stem| {
        stem.chars().count() >= 4
            && stem.starts_with(char::is_alphanumeric)
            && stem.ends_with(char::is_alphanumeric)
            && stem.chars().all(part_of_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_told_from_plain_words() {
        for text in [
            "gout[mh]",
            "gout [Title/Abstract]",
            "[ti]",
            "gout AND diet",
            "gout OR",
            "\"hip pain\" children",
            "immun* response",
            "gout hasabstract",
            "anti-inflammator*",
            "anti-inflammator* drugs",
            "\"muscle pain",
            "statins (“muscle pain",
            "2019:2023[dp]",
            "what is gout[ti]",
            "entity:MESH:D003924 statins",
            "relation:induces|metformin|*",
            "Does entity:\"lactic acidosis\" come of it?",
            "WHO guidelines AND malaria",
        ] {
            assert!(uses_syntax(text), "{text}");
        }
        for text in [
            "statins and muscle pain",
            "GOUT AND DIET",
            "statins (muscle",
            "title:statins",
            "relation: a study",
            "entity:",
            "entities:x",
            "5\" needle",
            "a 5\" or 6\" needle",
            "-statin* use",
            "a/* or b/*",
            "https://doi.org/10.5555/x",
            "c.521T>C",
            "a* ~ ^2 && || !",
            "HLA-B*57:01",
            "[3H]thymidine uptake",
            "-statins",
            "Is aspirin OR clopidogrel better?",
            "does vitamin D help",
            "\"\"",
        ] {
            assert!(!uses_syntax(text), "{text}");
        }
    }

    #[test]
    fn questions() {
        for text in [
            "Does aspirin prevent cancer?",
            "what causes gout",
            "gout in children, why?",
        ] {
            assert!(is_question(text), "{text}");
        }
        for text in ["gout", "how", "why gout", "aspirin and gout", "gout?"] {
            assert!(!is_question(text), "{text}");
        }
    }

    #[test]
    fn operators_that_are_read_as_words_are_told() {
        for (text, says) in [
            (
                "COPD NOT COVID-19",
                "NOT was read as a word, since the text is in capitals",
            ),
            ("asthma AND gout?", "leave the question mark out"),
        ] {
            assert!(!uses_syntax(text));
            let note = operator_as_word(text).expect("a note");
            assert!(note.contains(says), "{note}");
        }
        for text in [
            "OR",
            "NOT GOUT",
            "GOUT",
            "Is aspirin OR clopidogrel better?",
            "",
            "?",
        ] {
            assert_eq!(operator_as_word(text), None, "{text}");
        }
    }

    #[test]
    fn a_tag_that_is_misspelt_is_told_from_other_brackets() {
        assert_eq!(misspelt_tag("statin[tiabs]"), Some(("tiabs", "tiab")));
        assert_eq!(misspelt_tag("gout [titel]"), Some(("titel", "ti")));
        assert_eq!(misspelt_tag("gout[tilte]"), Some(("tilte", "ti")));
        for text in [
            "benzo[a]pyrene",
            "[3H]thymidine",
            "[tiabs]",
            "gout[ti]x",
            "statins",
        ] {
            assert_eq!(misspelt_tag(text), None, "{text}");
        }
    }
}
