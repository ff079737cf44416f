//! Search strategies: numbered lines that refer to each other, as systematic
//! reviews are searched and reported.
//!
//! ```text
//! // Steroids for asthma in children
//! 1. asthma[mh] OR asthma*[tiab]
//! 2. steroid*[tiab] OR glucocorticoids[mh]   // inhaled or not
//! 3. #1 AND #2
//! ```
//!
//! A line without a number has the one after the line before it. A line may
//! refer to lines before and after it, but not to itself by any way.

mod order;
#[cfg(test)]
mod tests;
mod text;

use super::pubmed::{self, Leaf, Limits, Node};
use crate::error::{Error, Result};
use std::collections::BTreeSet;

/// Most lines.
pub const MAX_LINES: usize = 500;

/// Longest line in characters.
pub const MAX_LINE_CHARS: usize = 20_000;

/// A strategy that can be searched.
#[derive(Debug, Clone, PartialEq)]
pub struct Strategy {
    lines: Vec<Line>,
    comments: Vec<String>,
    /// Places of `lines` in an order in which each comes after those that it
    /// refers to.
    order: Vec<usize>,
}

/// A line of a strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// The query as it was written, without number and comment.
    pub text: String,
    /// What was written behind it.
    pub comment: Option<String>,
    /// The query.
    pub tree: Node,
}

impl Line {
    /// Numbers of the lines that it refers to, rising, each once.
    pub fn refers_to(&self) -> BTreeSet<u32> {
        let number = |(leaf, _): (&Leaf, bool)| match leaf {
            Leaf::Line { number } => Some(*number),
            _ => None,
        };
        self.tree.leaves().into_iter().filter_map(number).collect()
    }
}

impl Strategy {
    /// Reads a strategy.
    ///
    /// # Errors
    ///
    /// `InvalidInput` with the line of the text, the character in the query, and
    /// the remedy: for queries that cannot be read, numbers that are given
    /// twice, lines that are not there, and lines that refer to each other.
    pub fn parse(text: &str) -> Result<Self> {
        let text::Cut {
            lines: raw,
            comments,
        } = text::cut(text)?;
        let numbers: BTreeSet<u32> = raw.iter().map(|line| line.number).collect();
        let mut lines = Vec::with_capacity(raw.len());
        for line in &raw {
            let tree = pubmed::parse_line(line.query, Limits::default(), &numbers);
            let tree = tree.map_err(|fault| fault_in(line.at, &fault.to_string()))?;
            lines.push(Line {
                number: line.number,
                text: line.query.to_owned(),
                comment: line.comment.map(str::to_owned),
                tree,
            });
        }
        let order = order::order(&lines).map_err(|circle| {
            let at = raw.iter().find(|line| Some(&line.number) == circle.first());
            let circle: Vec<String> = circle.iter().map(|line| format!("#{line}")).collect();
            let what = format!(
                "the lines refer to each other in a circle ({}): take one of the references out",
                circle.join(" → ")
            );
            fault_in(at.map_or(1, |line| line.at), &what)
        })?;
        Ok(Self {
            lines,
            comments,
            order,
        })
    }

    /// Its lines, as they were written.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Lines of the text that are comments, in order.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Its lines, each after those that it refers to.
    pub fn in_order(&self) -> impl Iterator<Item = &Line> {
        self.order.iter().filter_map(|&at| self.lines.get(at))
    }

    /// The line that is the result: the one with a number, or the last one.
    ///
    /// # Errors
    ///
    /// `InvalidInput` where there is none of that number.
    pub fn result(&self, number: Option<u32>) -> Result<&Line> {
        let Some(number) = number else {
            return self.lines.last().ok_or_else(text::empty);
        };
        self.lines
            .iter()
            .find(|line| line.number == number)
            .ok_or_else(|| {
                let last = self.lines.last().map_or(0, |line| line.number);
                Error::invalid(
                    "line",
                    format!("the strategy has no line {number}; its last one is {last}"),
                )
            })
    }
}

/// A fault in a line of the text.
fn fault_in(at: usize, what: &str) -> Error {
    Error::invalid("strategy", format!("line {at} of the strategy: {what}"))
}
