//! What names the columns of a table, and what their cells have to hold.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A column of a table: by its name in the header, by its number from 1, or a
/// sentence that names columns in braces, as in `Did {intervention} help?`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Column {
    /// Its number, counted from 1.
    Number(usize),
    /// Its name, or a sentence with names in braces.
    Name(String),
}

/// What a cell has to hold; a number in a configuration stands for its digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// One of these.
    OneOf(Vec<Cell>),
}

impl Column {
    /// As an argument has it: a number stands for a place.
    pub fn parse(text: &str) -> Self {
        match text.parse() {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Name(text.to_owned()),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

impl Cell {
    /// Everything that it lets a cell hold.
    pub(super) fn values(&self) -> Vec<String> {
        match self {
            Self::Number(number) => vec![number.to_string()],
            Self::Text(text) => vec![text.clone()],
            Self::OneOf(cells) => cells.iter().flat_map(Self::values).collect(),
        }
    }
}

/// Where a text is taken from: a cell, or pieces around several.
#[derive(Debug, PartialEq)]
pub(super) enum Source {
    Cell(usize),
    /// For each cell the words before it; then those behind the last.
    Sentence(Vec<(String, usize)>, String),
}

impl Source {
    /// Looks up what a column names.
    ///
    /// # Errors
    /// What `place` says, or that a brace is not closed.
    pub(super) fn new(
        column: &Column,
        place: impl Fn(&Column) -> Result<usize, String>,
    ) -> Result<Self, String> {
        let Column::Name(name) = column else {
            return place(column).map(Self::Cell);
        };
        if !name.contains('{') {
            return place(column).map(Self::Cell);
        }
        let mut cells = Vec::new();
        let mut rest = name.as_str();
        while let Some((before, behind)) = rest.split_once('{') {
            let (inner, behind) = behind
                .split_once('}')
                .ok_or_else(|| format!("a brace is not closed in: {name}"))?;
            cells.push((before.to_owned(), place(&Column::parse(inner.trim()))?));
            rest = behind;
        }
        Ok(Self::Sentence(cells, rest.to_owned()))
    }

    /// The text of a row; empty where one of its cells is.
    pub(super) fn text<'a>(&self, cells: &[&'a str]) -> Cow<'a, str> {
        match self {
            Self::Cell(place) => Cow::Borrowed(cells[*place]),
            Self::Sentence(pieces, _) if pieces.iter().any(|piece| cells[piece.1].is_empty()) => {
                Cow::Borrowed("")
            }
            Self::Sentence(pieces, end) => {
                let mut text = String::new();
                for (before, place) in pieces {
                    text.push_str(before);
                    text.push_str(cells[*place]);
                }
                text.push_str(end);
                Cow::Owned(text)
            }
        }
    }
}
