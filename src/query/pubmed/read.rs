//! Reads a query, strictly or forgivingly, alone or as a line of a strategy.

use super::fault::Fault;
use super::parser::Parser;
use super::reference::References;
use super::tree::Node;
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
    forgive(Parser::new(query, limits, true))
}

/// The same for a query that may name the sets of a history, as a line of a
/// strategy names lines: `#1 AND asthma`.
pub fn parse_lenient_line(query: &str, limits: Limits, lines: &BTreeSet<u32>) -> Lenient {
    let mut parser = Parser::new(query, limits, true);
    parser.references = Some(References::new(&parser.tokens, lines));
    forgive(parser)
}

fn forgive(mut parser: Parser<'_>) -> Lenient {
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
