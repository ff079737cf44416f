//! Lines of a strategy that a line refers to.

use super::lexer::{Token, TokenKind};
use std::collections::BTreeSet;

/// What a line may refer to.
#[derive(Debug)]
pub(super) struct References<'s> {
    lines: &'s BTreeSet<u32>,
    /// Whether a number alone names a line.
    bare: bool,
}

impl<'s> References<'s> {
    /// For a line with these tokens.
    pub(super) fn new(tokens: &[Token<'_>], lines: &'s BTreeSet<u32>) -> Self {
        let combines = tokens
            .iter()
            .any(|token| matches!(token.kind, TokenKind::Op(_)));
        let only_numbers = tokens.iter().all(|token| match token.kind {
            TokenKind::Word(word) => {
                let number = word.trim_start_matches('#').parse();
                number.is_ok_and(|number: u32| lines.contains(&number))
            }
            TokenKind::Open | TokenKind::Close | TokenKind::Op(_) => true,
            TokenKind::Phrase { .. } | TokenKind::Tag { .. } | TokenKind::Colon => false,
        });
        Self {
            lines,
            bare: combines && only_numbers,
        }
    }

    /// Whether a token stands for a line, or tries to.
    pub(super) fn is_one(&self, kind: TokenKind<'_>) -> bool {
        let TokenKind::Word(word) = kind else {
            return false;
        };
        match word.strip_prefix('#') {
            Some(number) => number.starts_with(|c: char| c.is_ascii_digit()),
            None => self.bare,
        }
    }

    /// The number of the line that a word names; else what to write instead.
    pub(super) fn number(&self, word: &str) -> Result<u32, String> {
        let number = word.strip_prefix('#').unwrap_or(word);
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let found = digits.then(|| number.parse().ok()).flatten();
        let found = found.filter(|number| self.lines.contains(number));
        found.ok_or_else(|| {
            if !digits {
                return "name lines one by one, as in #1 OR #2; words with the sign go in \
                        quotation marks"
                    .to_owned();
            }
            let mut names: Vec<String> = self
                .lines
                .iter()
                .take(20)
                .map(|line| format!("#{line}"))
                .collect();
            if self.lines.len() > names.len() {
                names.push("…".to_owned());
            }
            format!("the lines are {}", names.join(", "))
        })
    }
}
