//! Reads a query into its tree: operators from left to right, as PubMed does.

use super::fault::Fault;
use super::lexer::{Token, TokenKind, tokens};
use super::piece::{self, Piece};
use super::tree::{Leaf, Node, Op};

/// Bounds on what a query may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most things looked up.
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
    /// What was passed over.
    pub faults: Vec<Fault>,
}

/// Reads a query.
///
/// # Errors
///
/// The first fault, with its position and what to write instead.
pub fn parse(query: &str, limits: Limits) -> Result<Node, Fault> {
    let mut parser = Parser::new(query, limits, false);
    let tree = parser.whole()?;
    tree.ok_or_else(|| Fault {
        position: 1,
        problem: "there is nothing to look for".to_owned(),
        remedy: "write a term, such as asthma[mh]".to_owned(),
    })
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
    Lenient { tree, faults }
}

pub(super) struct Parser<'q> {
    query: &'q str,
    tokens: Vec<Token<'q>>,
    at: usize,
    limits: Limits,
    lenient: bool,
    faults: Vec<Fault>,
    terms: usize,
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
            terms: 0,
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
                _ => {
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
        self.terms += leaves.len();
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
        self.faults.push(fault);
        Ok(())
    }
}

/// For a leaf where a list is wanted.
pub(super) fn one(leaf: Leaf) -> Vec<Leaf> {
    vec![leaf]
}
