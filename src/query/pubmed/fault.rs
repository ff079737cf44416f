//! What a query does wrong, and where.

use std::fmt;

/// A place of a query that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The character at which it stands, counted from 1.
    pub position: usize,
    /// What is wrong.
    pub problem: String,
    /// What to write instead.
    pub remedy: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            position,
            problem,
            remedy,
        } = self;
        write!(
            f,
            "at character {position} of the query: {problem}; {remedy}"
        )
    }
}

impl std::error::Error for Fault {}
