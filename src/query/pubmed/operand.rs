//! One operand: words, a phrase, a range, parentheses, a line of a strategy.

use super::fault::Fault;
use super::field::{Field, prefixed};
use super::lexer::{Token, TokenKind};
use super::parser::{Deep, Parser};
use super::piece::{self, Piece, Tag};
use super::tree::{Leaf, Node, Op};

impl<'q> Parser<'q> {
    /// One operand; `None` where a forgiven fault leaves nothing.
    pub(super) fn operand(&mut self, nested: usize) -> Result<Option<Deep>, Fault> {
        let Some(token) = self.peek() else {
            return Ok(None);
        };
        let start = token.range.start;
        match token.kind {
            TokenKind::Open => self.parentheses(start, nested),
            TokenKind::Word(word) if self.names_line(token.kind) => {
                self.at += 1;
                self.line(word, start).map(Some)
            }
            TokenKind::Word(word) if prefixed(word).is_some() => self.found(word, start),
            TokenKind::Tag { text, .. } => {
                self.at += 1;
                self.bare_tag(text, start)?;
                Ok(None)
            }
            TokenKind::Colon => {
                self.at += 1;
                let remedy = "write a range as 2019:2023[dp], anything else in quotation marks";
                self.fault(
                    start,
                    "a colon stands between the two ends of a range only",
                    remedy,
                )?;
                Ok(None)
            }
            _ => self.term(start),
        }
    }

    fn parentheses(&mut self, start: usize, nested: usize) -> Result<Option<Deep>, Fault> {
        if nested >= self.limits.depth {
            return Err(self.too_deep(start));
        }
        self.at += 1;
        let inner = self.expression(nested + 1)?;
        match self.peek().map(|token| token.kind) {
            Some(TokenKind::Close) => self.at += 1,
            _ => self.fault(
                start,
                "the parenthesis that is opened here is not closed",
                "close it, or put the text in quotation marks",
            )?,
        }
        if inner.is_none() {
            self.fault(
                start,
                "the parentheses are empty",
                "remove them, or fill them",
            )?;
        }
        if let Some(TokenKind::Tag { text, .. }) = self.peek().map(|token| token.kind) {
            let at = self.peek().map_or(start, |token| token.range.start);
            self.at += 1;
            let problem = format!("the tag [{text}] stands after parentheses");
            self.fault(at, problem, "write the tag after each term inside them")?;
        }
        Ok(inner)
    }

    fn bare_tag(&mut self, text: &str, start: usize) -> Result<(), Fault> {
        if Field::of_tag(text.split(':').next().unwrap_or_default()).is_some() {
            let problem = format!("the field tag [{text}] has no term before it");
            let remedy = format!("write one, such as asthma[{text}]");
            return self.fault(start, problem, remedy);
        }
        let problem = format!("[{text}] is in square brackets, which hold field tags");
        self.fault(start, problem, "put the text in quotation marks")
    }

    /// What was found in articles, asked for with the field before the value.
    fn found(&mut self, word: &'q str, start: usize) -> Result<Option<Deep>, Fault> {
        self.at += 1;
        let mut piece = Piece {
            start,
            ..Piece::default()
        };
        let Some((field, value)) = prefixed(word) else {
            return Ok(None);
        };
        piece.tag = Some(Tag::of(field));
        match self.peek().map(|token| token.kind) {
            Some(TokenKind::Phrase { text, closed: true }) if value.is_empty() => {
                self.at += 1;
                piece.quoted = true;
                piece.words = text.split_whitespace().collect();
            }
            _ if value.is_empty() => {
                let problem = format!("`{word}` has no value behind it");
                self.fault(start, problem, remedy(field))?;
                return Ok(None);
            }
            _ => piece.words.push(value),
        }
        self.looked_up(&piece, start)
    }

    fn term(&mut self, start: usize) -> Result<Option<Deep>, Fault> {
        let piece = self.piece()?;
        self.looked_up(&piece, start)
    }

    fn looked_up(&mut self, piece: &Piece<'q>, start: usize) -> Result<Option<Deep>, Fault> {
        let range_follows = piece.may_begin_range()
            && self.peek().map(|token| token.kind) == Some(TokenKind::Colon)
            && self.ahead_is_date();
        let leaves = if range_follows {
            self.at += 1;
            let end = self.piece()?;
            piece::range(self, piece, &end)?
        } else {
            piece::leaves(self, piece)?
        };
        self.terms += leaves.iter().map(look_ups).sum::<usize>();
        if self.terms > self.limits.terms {
            let most = self.limits.terms;
            return Err(self.beyond(
                start,
                format!("the query has more than {most} terms"),
                "split it into several queries",
            ));
        }
        let node = Node::join_all(Op::And, leaves.into_iter().map(Node::Leaf));
        Ok(node.map(|node| Deep {
            depth: usize::from(matches!(node, Node::Group { .. })),
            node,
        }))
    }

    /// Whether a token stands for a line of the strategy.
    pub(super) fn names_line(&self, kind: TokenKind<'_>) -> bool {
        let references = self.references.as_ref();
        references.is_some_and(|references| references.is_one(kind))
    }

    /// The line of the strategy that a word stands for.
    fn line(&mut self, word: &str, start: usize) -> Result<Deep, Fault> {
        let found = self.references.as_ref().map(|lines| lines.number(word));
        let number = match found {
            Some(Ok(number)) => number,
            Some(Err(remedy)) => {
                let problem = format!("there is no line `{word}`");
                return Err(self.beyond(start, problem, &remedy));
            }
            None => 0,
        };
        if let Some(TokenKind::Tag { text, .. }) = self.peek().map(|token| token.kind) {
            let problem = format!("the tag [{text}] stands after a line of the strategy");
            return Err(self.beyond(
                start,
                problem,
                "write the tag in that line, after each term",
            ));
        }
        self.terms += 1;
        Ok(Deep {
            node: Leaf::Line { number }.into(),
            depth: 0,
        })
    }

    /// Words or a phrase, with the tag behind them.
    fn piece(&mut self) -> Result<Piece<'q>, Fault> {
        let mut piece = Piece::default();
        while let Some(Token { kind, range }) = self.peek().cloned() {
            match kind {
                TokenKind::Phrase { text, closed } if piece.words.is_empty() => {
                    self.at += 1;
                    piece.start = range.start;
                    piece.quoted = true;
                    piece.words = text.split_whitespace().collect();
                    if !closed {
                        let problem = "the quotation mark that is opened here is not closed";
                        self.fault(range.start, problem, "close it")?;
                    }
                    break;
                }
                TokenKind::Word(_) if self.names_line(kind) => break,
                TokenKind::Word(word) if prefixed(word).is_some() => break,
                TokenKind::Word(word) => {
                    if piece.words.is_empty() {
                        piece.start = range.start;
                    }
                    piece.words.push(word);
                }
                TokenKind::Colon if !piece.words.is_empty() => piece.words.push(":"),
                _ => break,
            }
            self.at += 1;
        }
        if let Some(Token {
            kind: TokenKind::Tag { text, closed },
            range,
        }) = self.peek().cloned()
        {
            self.at += 1;
            if !closed {
                let problem = "the square bracket that is opened here is not closed";
                self.fault(range.start, problem, "close it")?;
            }
            piece.tag = piece::tag(self, text, range.start)?;
        }
        Ok(piece)
    }

    /// Whether the colon at hand is followed by what may end a range.
    fn ahead_is_date(&self) -> bool {
        let kind = |ahead: usize| self.tokens.get(self.at + ahead).map(|token| token.kind);
        let text = match kind(1) {
            Some(TokenKind::Phrase { text, .. } | TokenKind::Word(text)) => text,
            _ => return false,
        };
        super::Date::parse(text).is_some() && matches!(kind(2), Some(TokenKind::Tag { .. }))
    }
}

fn remedy(field: Field) -> &'static str {
    match field {
        Field::Relation => "write it as in relation:induces|D008687|*",
        _ => "write it as in entity:MESH:D003924 or entity:\"lactic acidosis\"",
    }
}

/// How many terms a leaf counts as: each of several words without a tag is
/// looked up by itself.
fn look_ups(leaf: &Leaf) -> usize {
    match leaf {
        Leaf::Term {
            text,
            quoted: false,
            field: None,
            ..
        } => text.split(' ').count(),
        _ => 1,
    }
}
