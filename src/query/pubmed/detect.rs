//! Whether a text uses the language, or is a question.

use super::field::Field;
use super::lexer::{TokenKind, tokens};

/// Words that questions begin with.
const ASKS: [&str; 22] = [
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "is", "are", "was",
    "were", "do", "does", "did", "can", "could", "should", "will", "would", "has",
];

/// Whether a text is written in the query language rather than in plain words:
/// it has a field tag, an operator in capitals, a phrase in quotation marks or
/// a truncated word. A text that is in capitals throughout has no operators,
/// and neither has a question.
pub fn uses_syntax(text: &str) -> bool {
    let tokens = tokens(text);
    let any = |is: fn(&TokenKind<'_>) -> bool| tokens.iter().any(|token| is(&token.kind));
    if any(is_field_tag) {
        return true;
    }
    if is_question(text) {
        return false;
    }
    let small = text.chars().any(char::is_lowercase);
    (small && any(|kind| matches!(kind, TokenKind::Op(_)))) || any(is_phrase) || any(is_truncated)
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

fn is_phrase(kind: &TokenKind<'_>) -> bool {
    matches!(kind, TokenKind::Phrase { text, closed: true } if text.chars().any(char::is_alphanumeric))
}

fn is_truncated(kind: &TokenKind<'_>) -> bool {
    let TokenKind::Word(word) = kind else {
        return false;
    };
    word.strip_suffix('*')
        .is_some_and(|stem| stem.chars().count() >= 4 && stem.chars().all(char::is_alphanumeric))
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
            "2019:2023[dp]",
            "what is gout[ti]",
            "WHO guidelines AND malaria",
        ] {
            assert!(uses_syntax(text), "{text}");
        }
        for text in [
            "statins and muscle pain",
            "GOUT AND DIET",
            "statins (muscle",
            "title:statins",
            "\"muscle pain",
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
}
