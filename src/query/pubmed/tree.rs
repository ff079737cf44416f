//! The typed query.

use super::date::{Date, Span};
use super::field::Field;
use serde::Serialize;

/// How operands are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Op {
    /// Articles that every operand finds.
    And,
    /// Articles that any operand finds.
    Or,
    /// Articles that the first operand finds and no other one does.
    Not,
}

/// A query, or a part of one.
///
/// A group has two operands at least, and its first one is no group of the
/// same operator: `a AND b AND c` is one group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Node {
    /// Operands, joined from left to right.
    Group {
        /// How.
        op: Op,
        /// What.
        operands: Vec<Node>,
    },
    /// What is looked up.
    Leaf(Leaf),
}

/// One thing that is looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Leaf {
    /// Words, a phrase or a value. Words without a field are subject to
    /// automatic term mapping.
    Term {
        /// The words with one space between them; an asterisk at the end of a
        /// word truncates it.
        text: String,
        /// Whether quotation marks stood around it.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        quoted: bool,
        /// Where it is looked up.
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<Field>,
        /// Whether narrower publication types or qualifiers do not count.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        noexp: bool,
    },
    /// Words that stand near each other, in any order.
    Near {
        /// The words.
        text: String,
        /// Where.
        field: Field,
        /// Most other words between them, taken together.
        distance: u32,
    },
    /// A MeSH heading.
    Mesh {
        /// The heading, an entry term or an identifier.
        heading: String,
        /// A qualifier that the heading must have.
        #[serde(skip_serializing_if = "Option::is_none")]
        qualifier: Option<String>,
        /// Whether it must be a main topic.
        major: bool,
        /// Whether the headings below it in the trees count as well.
        explode: bool,
    },
    /// Dates up to the day of the search, counted back from it.
    Recent {
        /// Which date.
        field: Field,
        /// How far back.
        #[serde(flatten)]
        span: Span,
    },
    /// What another line of a strategy selects.
    Line {
        /// The line's number.
        number: u32,
    },
    /// Dates, both ends included.
    Range {
        /// Which date.
        field: Field,
        /// First.
        from: Date,
        /// Last.
        to: Date,
    },
    /// A filter or subset.
    Filter {
        /// Its name.
        name: String,
    },
}

impl Leaf {
    /// A term with or without quotation marks and a field.
    pub fn term(text: impl Into<String>, quoted: bool, field: Option<Field>) -> Self {
        Self::Term {
            text: text.into(),
            quoted,
            field,
            noexp: false,
        }
    }
}

impl From<Leaf> for Node {
    fn from(leaf: Leaf) -> Self {
        Self::Leaf(leaf)
    }
}

impl Node {
    /// Joins two operands as the parser does: a group of the same operator on
    /// the left goes on.
    pub(super) fn join(self, op: Op, right: Self) -> Self {
        match self {
            Self::Group {
                op: same,
                mut operands,
            } if same == op => {
                operands.push(right);
                Self::Group { op, operands }
            }
            left => Self::Group {
                op,
                operands: vec![left, right],
            },
        }
    }

    /// Joins any number of operands; none for none.
    pub(super) fn join_all(op: Op, nodes: impl IntoIterator<Item = Self>) -> Option<Self> {
        nodes.into_iter().reduce(|left, right| left.join(op, right))
    }

    /// Every leaf, in order, with whether the articles that it finds are
    /// wanted (`true`) or left out.
    pub fn leaves(&self) -> Vec<(&Leaf, bool)> {
        fn collect<'n>(node: &'n Node, wanted: bool, leaves: &mut Vec<(&'n Leaf, bool)>) {
            match node {
                Node::Leaf(leaf) => leaves.push((leaf, wanted)),
                Node::Group { op, operands } => {
                    for (at, operand) in operands.iter().enumerate() {
                        let wanted = wanted != (*op == Op::Not && at > 0);
                        collect(operand, wanted, leaves);
                    }
                }
            }
        }
        let mut leaves = Vec::new();
        collect(self, true, &mut leaves);
        leaves
    }
}
