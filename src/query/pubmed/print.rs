//! Writes queries; what is written is read back as the same tree.

use super::field::Field;
use super::tree::{Leaf, Node, Op};
use std::fmt;

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::And => "AND",
            Self::Or => "OR",
            Self::Not => "NOT",
        })
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(leaf) => leaf.fmt(f),
            Self::Group { op, operands } => {
                for (at, operand) in operands.iter().enumerate() {
                    if at > 0 {
                        write!(f, " {op} ")?;
                    }
                    match operand {
                        Self::Group { .. } => write!(f, "({operand})")?,
                        Self::Leaf(leaf) => leaf.fmt(f)?,
                    }
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Term {
                text,
                quoted,
                field,
                noexp,
            } => {
                let mark = if *quoted { "\"" } else { "" };
                let below = if *noexp { ":noexp" } else { "" };
                write!(f, "{mark}{text}{mark}")?;
                field.map_or(Ok(()), |field| write!(f, "[{}{below}]", field.name()))
            }
            Self::Near {
                text,
                field,
                distance,
            } => write!(f, "\"{text}\"[{}:~{distance}]", field.name()),
            Self::Mesh {
                heading,
                qualifier,
                major,
                explode,
            } => {
                write!(f, "\"{heading}")?;
                if let Some(qualifier) = qualifier {
                    write!(f, "/{qualifier}")?;
                }
                let field = if *major {
                    Field::MeshMajor
                } else {
                    Field::MeshTerms
                };
                let below = if *explode { "" } else { ":noexp" };
                write!(f, "\"[{}{below}]", field.name())
            }
            Self::Range { field, from, to } => {
                write!(f, "{from}")?;
                if from != to {
                    write!(f, ":{to}")?;
                }
                write!(f, "[{}]", field.name())
            }
            Self::Recent { field, span } => write!(f, "\"last {span}\"[{}]", field.name()),
            Self::Line { number } => write!(f, "#{number}"),
            Self::Filter { name } => write!(f, "\"{name}\"[{}]", Field::Filter.name()),
        }
    }
}
