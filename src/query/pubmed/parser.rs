//! Reads a query into its tree: operators from left to right, as PubMed does.

use super::fault::Fault;
use super::lexer::{Token, TokenKind, tokens};
use super::read::Limits;
use super::reference::References;
use super::tree::{Leaf, Node, Op};

/// Forgiven faults that are told one by one.
const TOLD: usize = 20;

pub(super) struct Parser<'q> {
    pub(super) query: &'q str,
    pub(super) tokens: Vec<Token<'q>>,
    pub(super) at: usize,
    pub(super) limits: Limits,
    pub(super) lenient: bool,
    pub(super) faults: Vec<Fault>,
    pub(super) more: usize,
    pub(super) terms: usize,
    /// The lines that may be named, in a line of a strategy.
    pub(super) references: Option<References<'q>>,
}

/// A tree with its depth.
pub(super) struct Deep {
    pub(super) node: Node,
    pub(super) depth: usize,
}

impl<'q> Parser<'q> {
    pub(super) fn new(query: &'q str, limits: Limits, lenient: bool) -> Self {
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

    pub(super) fn whole(&mut self) -> Result<Option<Node>, Fault> {
        Ok(self.expression(0)?.map(|deep| deep.node))
    }

    /// Operands up to the end, or up to the closing parenthesis of one of
    /// `nested` levels, which is left there.
    pub(super) fn expression(&mut self, nested: usize) -> Result<Option<Deep>, Fault> {
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

    pub(super) fn too_deep(&self, start: usize) -> Fault {
        let most = self.limits.depth;
        self.beyond(
            start,
            format!("the query is nested more than {most} deep"),
            "join what belongs together with one operator",
        )
    }

    pub(super) fn peek(&self) -> Option<&Token<'q>> {
        self.tokens.get(self.at)
    }

    /// A fault that cannot be forgiven.
    pub(super) fn beyond(&self, byte: usize, problem: String, remedy: &str) -> Fault {
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

/// For a leaf where a list is wanted.
pub(super) fn one(leaf: Leaf) -> Vec<Leaf> {
    vec![leaf]
}
