//! The analysers as tantivy tokenizers.

use super::{Analyzer, Token, fold};
use tantivy::tokenizer::{Token as IndexToken, TokenStream, Tokenizer};

/// Tokenizer of running text.
#[derive(Default)]
pub(crate) struct TextTokenizer {
    analyzer: Option<Analyzer>,
}

/// Each indexing thread has its own buffers.
impl Clone for TextTokenizer {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Tokenizer for TextTokenizer {
    type TokenStream<'a> = Tokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens {
        let analyzer = self.analyzer.get_or_insert_with(Analyzer::new);
        Tokens::new(analyzer.analyze(text).tokens())
    }
}

/// Tokenizer of running text that keeps words as they are written.
#[derive(Default)]
pub(crate) struct WordTokenizer {
    analyzer: Option<Analyzer>,
}

/// Each indexing thread has its own buffers.
impl Clone for WordTokenizer {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = Tokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens {
        let analyzer = self.analyzer.get_or_insert_with(Analyzer::new);
        Tokens::new(analyzer.analyze(text).written_tokens())
    }
}

/// The words of a name, as [`NameTokenizer`] finds them.
pub(crate) fn name_words(text: &str) -> Vec<String> {
    let mut stream = NameTokenizer.token_stream(text);
    let mut words = Vec::new();
    while stream.advance() {
        words.push(std::mem::take(&mut stream.token_mut().text));
    }
    words
}

/// Tokenizer of names of people, institutions and journals: folded words,
/// neither stemmed nor compounded, so that `Smith-Jones` is `smith`, `jones`.
#[derive(Clone, Default)]
pub(crate) struct NameTokenizer;

impl Tokenizer for NameTokenizer {
    type TokenStream<'a> = Tokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Tokens {
        let cells = fold::fold(text);
        let words = cells.split(|cell| !cell.c.is_alphanumeric() && cell.c != '\'');
        let tokens = words.filter_map(|word| {
            let term: String = word
                .iter()
                .map(|cell| cell.c)
                .filter(|&c| c != '\'')
                .collect();
            match (word.first(), word.last()) {
                (Some(first), Some(last)) if !term.is_empty() => {
                    Some((term, first.start..last.end))
                }
                _ => None,
            }
        });
        let tokens = tokens.enumerate().map(|(position, (term, range))| Token {
            term: term.chars().take(100).collect(),
            range,
            position,
        });
        Tokens::new(tokens.collect())
    }
}

/// Tokens that are handed over one by one.
pub(crate) struct Tokens {
    rest: std::vec::IntoIter<Token>,
    current: IndexToken,
}

impl Tokens {
    fn new(tokens: Vec<Token>) -> Self {
        Self {
            rest: tokens.into_iter(),
            current: IndexToken::default(),
        }
    }
}

impl TokenStream for Tokens {
    fn advance(&mut self) -> bool {
        let Some(token) = self.rest.next() else {
            return false;
        };
        self.current = IndexToken {
            offset_from: token.range.start,
            offset_to: token.range.end,
            position: token.position,
            text: token.term,
            position_length: 1,
        };
        true
    }

    fn token(&self) -> &IndexToken {
        &self.current
    }

    fn token_mut(&mut self) -> &mut IndexToken {
        &mut self.current
    }
}
