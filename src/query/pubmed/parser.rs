//! Reads a query into its tree: operators from left to right, as PubMed does.

use super::fault::Fault;
use super::lexer::{Token, TokenKind, tokens};
use super::piece::{self, Piece};
use super::reference::References;
use super::tree::{Leaf, Node, Op};
use std::collections::BTreeSet;

/// Bounds on what a query may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most things looked up; each word without a tag is one.
    pub terms: usize,
    /// Deepest nesting. A change of the operator without parentheses nests as
    /// well: `a AND b OR c` is `(a AND b) OR c`.
    pub depth: usize,
}

impl Default for Limits {
    /// Room for the long strategies of systematic reviews; and the tree, as
    /// JSON, is no deeper than common readers take.
    fn default() -> Self {
        Self {
            terms: 1000,
            depth: 50,
        }
    }
}

/// What a query was read as when faults are forgiven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lenient {
    /// The tree; `None` where nothing of the query could be read.
    pub tree: Option<Node>,
    /// What was passed over: the first faults.
    pub faults: Vec<Fault>,
    /// How many more there were.
    pub more: usize,
}

/// Forgiven faults that are told one by one.
const TOLD: usize = 20;

/// Reads a query.
///
/// # Errors
///
/// The first fault, with its position and what to write instead.
pub fn parse(query: &str, limits: Limits) -> Result<Node, Fault> {
    let mut parser = Parser::new(query, limits, false);
    let tree = parser.whole()?;
    tree.ok_or_else(nothing)
}

fn nothing() -> Fault {
    Fault {
        position: 1,
        problem: "there is nothing to look for".to_owned(),
        remedy: "write a term, such as asthma[mh]".to_owned(),
    }
}

/// Reads what can be read of a query: parentheses are closed, operators
/// without an operand and tags without a term left out, unknown tags dropped
/// from their terms. Each is told as a fault.
pub fn parse_lenient(query: &str, limits: Limits) -> Lenient {
    let mut parser = Parser::new(query, limits, true);
    let (tree, beyond) = match parser.whole() {
        Ok(tree) => (tree, None),
        // A limit, which cannot be forgiven.
        Err(fault) => (None, Some(fault)),
    };
    let mut faults = parser.faults;
    faults.extend(beyond);
    Lenient {
        tree,
        faults,
        more: parser.more,
    }
}

/// Reads a line of a strategy, in which `#1` stands for what line 1 selects.
/// Where the line consists of numbers of lines and operators alone, as in
/// PubMed's history, the numbers do without the sign.
///
/// # Errors
///
/// As [`parse`]; and for a line that is not among `lines`.
pub(in crate::query) fn parse_line(
    query: &str,
    limits: Limits,
    lines: &BTreeSet<u32>,
) -> Result<Node, Fault> {
    let mut parser = Parser::new(query, limits, false);
    parser.references = Some(References::new(&parser.tokens, lines));
    let tree = parser.whole()?;
    tree.ok_or_else(nothing)
}

pub(super) struct Parser<'q> {
    query: &'q str,
    tokens: Vec<Token<'q>>,
    at: usize,
    limits: Limits,
    lenient: bool,
    faults: Vec<Fault>,
    more: usize,
    terms: usize,
    /// The lines that may be named, in a line of a strategy.
    references: Option<References<'q>>,
}

/// A tree with its depth.
struct Deep {
    node: Node,
    depth: usize,
}

impl<'q> Parser<'q> {
    fn new(query: &'q str, limits: Limits, lenient: bool) -> Self {
        Self {
            query,
            tokens: tokens(query),
            at: 0,
            limits,
            lenient,
            faults: Vec::new(),
            more: 0,
            terms: 0,
            references: None,
        }
    }

    fn whole(&mut self) -> Result<Option<Node>, Fault> {
        Ok(self.expression(0)?.map(|deep| deep.node))
    }

    /// Operands up to the end, or up to the closing parenthesis of one of
    /// `nested` levels, which is left there.
    fn expression(&mut self, nested: usize) -> Result<Option<Deep>, Fault> {
        let mut left: Option<Deep> = None;
        let mut pending: Option<(Op, usize)> = None;
        let mut after_line = false;
        while let Some(token) = self.peek() {
            let start = token.range.start;
            match token.kind {
                TokenKind::Close if nested > 0 => break,
                TokenKind::Close => {
                    self.at += 1;
                    let problem = "a parenthesis is closed that was not opened";
                    self.fault(start, problem, "remove it, or open it earlier")?;
                }
                TokenKind::Op(op) => {
                    self.at += 1;
                    self.operator(op, start, left.is_some(), &mut pending)?;
                }
                kind => {
                    let is_line = self.names_line(kind);
                    if pending.is_none() && left.is_some() && (is_line || after_line) {
                        let problem =
                            "a line of the strategy and something else stand side by side";
                        let remedy = "write an operator between them; the number of this line \
                                      itself is written with a full stop: `3. asthma[mh]`";
                        return Err(self.beyond(start, problem.to_owned(), remedy));
                    }
                    after_line = is_line;
                    let Some(right) = self.operand(nested)? else {
                        // The operator went with the operand that was dropped.
                        pending = None;
                        continue;
                    };
                    let op = pending.take().map_or(Op::And, |(op, _)| op);
                    left = Some(match left.take() {
                        Some(left) => self.join(left, op, right, start)?,
                        None => right,
                    });
                }
            }
        }
        if let Some((op, start)) = pending {
            let remedy = "write what comes after it, or remove it";
            self.fault(start, format!("{op} has nothing after it"), remedy)?;
        }
        Ok(left)
    }

    fn operator(
        &mut self,
        op: Op,
        start: usize,
        has_left: bool,
        pending: &mut Option<(Op, usize)>,
    ) -> Result<(), Fault> {
        if let Some((first, _)) = *pending {
            let remedy = match (first, op) {
                (Op::And, Op::Not) => "write NOT alone",
                _ => "leave one of them out",
            };
            self.fault(
                start,
                format!("{first} and {op} stand side by side"),
                remedy,
            )?;
        } else if !has_left {
            let remedy = match op {
                Op::Not => "write what it takes away from before it, such as all[sb] NOT …",
                _ => {
                    "write what comes before it, or remove it; the word itself goes in quotation marks"
                }
            };
            return self.fault(start, format!("{op} has nothing before it"), remedy);
        }
        *pending = Some((op, start));
        Ok(())
    }

    /// One operand; `None` where a forgiven fault leaves nothing.
    fn operand(&mut self, nested: usize) -> Result<Option<Deep>, Fault> {
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
        if super::Field::of_tag(text.split(':').next().unwrap_or_default()).is_some() {
            let problem = format!("the field tag [{text}] has no term before it");
            let remedy = format!("write one, such as asthma[{text}]");
            return self.fault(start, problem, remedy);
        }
        let problem = format!("[{text}] is in square brackets, which hold field tags");
        self.fault(start, problem, "put the text in quotation marks")
    }

    fn term(&mut self, start: usize) -> Result<Option<Deep>, Fault> {
        let piece = self.piece()?;
        let range_follows = piece.may_begin_range()
            && self.peek().map(|token| token.kind) == Some(TokenKind::Colon)
            && self.ahead_is_date();
        let leaves = if range_follows {
            self.at += 1;
            let end = self.piece()?;
            piece::range(self, &piece, &end)?
        } else {
            piece::leaves(self, &piece)?
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
    fn names_line(&self, kind: TokenKind<'_>) -> bool {
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

    fn join(&self, left: Deep, op: Op, right: Deep, start: usize) -> Result<Deep, Fault> {
        let goes_on = matches!(&left.node, Node::Group { op: same, .. } if *same == op);
        let depth = if goes_on {
            left.depth.max(right.depth + 1)
        } else {
            left.depth.max(right.depth) + 1
        };
        if depth > self.limits.depth {
            return Err(self.too_deep(start));
        }
        Ok(Deep {
            node: left.node.join(op, right.node),
            depth,
        })
    }

    fn too_deep(&self, start: usize) -> Fault {
        let most = self.limits.depth;
        self.beyond(
            start,
            format!("the query is nested more than {most} deep"),
            "join what belongs together with one operator",
        )
    }

    fn peek(&self) -> Option<&Token<'q>> {
        self.tokens.get(self.at)
    }

    /// A fault that cannot be forgiven.
    fn beyond(&self, byte: usize, problem: String, remedy: &str) -> Fault {
        Fault {
            position: self.query[..byte].chars().count() + 1,
            problem,
            remedy: remedy.to_owned(),
        }
    }

    /// Reports a fault, or notes it where faults are forgiven.
    pub(super) fn fault(
        &mut self,
        byte: usize,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Result<(), Fault> {
        let fault = Fault {
            position: self.query[..byte].chars().count() + 1,
            problem: problem.into(),
            remedy: remedy.into(),
        };
        if !self.lenient {
            return Err(fault);
        }
        if self.faults.len() < TOLD {
            self.faults.push(fault);
        } else {
            self.more += 1;
        }
        Ok(())
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

/// For a leaf where a list is wanted.
pub(super) fn one(leaf: Leaf) -> Vec<Leaf> {
    vec![leaf]
}
