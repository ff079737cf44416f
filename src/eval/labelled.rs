//! Texts with labels: tables of tab-separated columns.

use super::sentence::{content, fault};
use crate::error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// A column of a table: by its name in the header, or by its number from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Column {
    /// Its number, counted from 1.
    Number(usize),
    /// Its name.
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
}

/// Where texts and labels stand in a file, and which rows count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledTable {
    /// Column of the text.
    pub text: Column,
    /// Column of the label.
    pub label: Column,
    /// Whether the first line names the columns.
    pub header: bool,
    /// Only rows whose cells hold these values.
    pub only: BTreeMap<String, Cell>,
    /// Not the rows whose cells hold all of these; nothing where empty.
    pub without: BTreeMap<String, Cell>,
}

/// A text and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledText {
    /// The text.
    pub text: String,
    /// Its label, as the file has it.
    pub label: String,
    /// Its line, counted from 1.
    pub line: usize,
}

/// The rows of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelledTexts {
    /// Those that count, in order.
    pub rows: Vec<LabelledText>,
    /// The texts of those that [`LabelledTable::without`] leaves out.
    pub without: Vec<String>,
    /// Rows that [`LabelledTable::only`] leaves out.
    pub others: usize,
}

impl Default for LabelledTable {
    fn default() -> Self {
        Self {
            text: Column::Name("text".to_owned()),
            label: Column::Name("label".to_owned()),
            header: true,
            only: BTreeMap::new(),
            without: BTreeMap::new(),
        }
    }
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

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// Places of the columns that are read, and how many there are.
struct Places {
    text: usize,
    label: usize,
    only: Vec<(usize, String)>,
    without: Vec<(usize, String)>,
    columns: usize,
}

impl LabelledTable {
    /// Reads a file, plain or gzip. Lines without anything in them are passed
    /// over.
    ///
    /// # Errors
    /// With file and line, when a column is not there, a line has more or fewer
    /// columns than the first, a text or label is empty, or no row counts.
    pub fn read(&self, path: &Path) -> Result<LabelledTexts> {
        let text = content(path)?;
        let mut lines = (1..).zip(text.lines()).peekable();
        let Some(&(_, first)) = lines.peek() else {
            return Err(fault(path, 1, "the file is empty"));
        };
        let names: Vec<&str> = first.split('\t').map(str::trim).collect();
        let places = self.places(&names).map_err(|what| fault(path, 1, what))?;
        if self.header {
            lines.next();
        }
        let mut texts = LabelledTexts::default();
        for (line, row) in lines.filter(|(_, row)| !row.trim().is_empty()) {
            let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
            places
                .take(&cells, line, &mut texts)
                .map_err(|what| fault(path, line, what))?;
        }
        if texts.rows.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("no row of {} is left to be read", path.display()),
            ));
        }
        Ok(texts)
    }

    fn places(&self, names: &[&str]) -> std::result::Result<Places, String> {
        let find = |column: &Column| match column {
            Column::Number(number) if (1..=names.len()).contains(number) => Ok(number - 1),
            Column::Number(number) => Err(format!(
                "there is no column {number}: the line has {}, counted from 1",
                names.len()
            )),
            Column::Name(name) if self.header => {
                let place = names.iter().position(|column| column == name);
                place.ok_or_else(|| format!("no column {name}; there are: {}", names.join(", ")))
            }
            Column::Name(name) => Err(format!(
                "the file has no header to look for the column {name} in; give its number, \
                 counted from 1"
            )),
        };
        let conditions = |wanted: &BTreeMap<String, Cell>| {
            let each = wanted.iter();
            each.map(|(name, value)| Ok((find(&Column::parse(name))?, value.to_string())))
                .collect::<std::result::Result<Vec<_>, String>>()
        };
        Ok(Places {
            text: find(&self.text)?,
            label: find(&self.label)?,
            only: conditions(&self.only)?,
            without: conditions(&self.without)?,
            columns: names.len(),
        })
    }
}

impl Places {
    fn take(
        &self,
        cells: &[&str],
        line: usize,
        texts: &mut LabelledTexts,
    ) -> std::result::Result<(), String> {
        if cells.len() != self.columns {
            return Err(format!(
                "{} columns, where the first line has {}",
                cells.len(),
                self.columns
            ));
        }
        let holds = |wanted: &[(usize, String)]| {
            let mut each = wanted.iter();
            each.all(|(place, value)| cells[*place] == value)
        };
        let (text, label) = (cells[self.text], cells[self.label]);
        for (what, cell) in [("text", text), ("label", label)] {
            if cell.is_empty() {
                return Err(format!("the {what} is empty"));
            }
        }
        if !self.without.is_empty() && holds(&self.without) {
            texts.without.push(text.to_owned());
        } else if holds(&self.only) {
            texts.rows.push(LabelledText {
                text: text.to_owned(),
                label: label.to_owned(),
                line,
            });
        } else {
            texts.others += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(table: &LabelledTable, text: &str) -> Result<LabelledTexts> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("dev.tsv");
        std::fs::write(&path, text).unwrap();
        table.read(&path)
    }

    const FILE: &str = "fold\tlabel\tsentence\r\n1\tyes\tOne.\n\n2\tno\t Two. \n1\tno\tThree.\n";

    fn table() -> LabelledTable {
        LabelledTable {
            text: Column::parse("sentence"),
            ..LabelledTable::default()
        }
    }

    fn cells(name: &str, value: i64) -> BTreeMap<String, Cell> {
        BTreeMap::from([(name.to_owned(), Cell::Number(value))])
    }

    #[test]
    fn columns_are_found_by_name_and_by_number() {
        let texts = read(&table(), FILE).unwrap();
        let rows: Vec<(&str, &str, usize)> = texts
            .rows
            .iter()
            .map(|row| (&row.text[..], &row.label[..], row.line))
            .collect();
        assert_eq!(
            rows,
            [("One.", "yes", 2), ("Two.", "no", 4), ("Three.", "no", 5)]
        );
        let numbered = LabelledTable {
            text: Column::Number(3),
            label: Column::Number(2),
            header: false,
            ..LabelledTable::default()
        };
        let rows = read(&numbered, FILE).unwrap().rows;
        assert_eq!((rows.len(), &rows[0].label[..]), (4, "label"));
    }

    #[test]
    fn rows_are_chosen_and_held_out() {
        let mut table = table();
        table.only = cells("fold", 1);
        let texts = read(&table, FILE).unwrap();
        assert_eq!((texts.rows.len(), texts.others), (2, 1));
        table.only.clear();
        table.without = cells("1", 1);
        let texts = read(&table, FILE).unwrap();
        assert_eq!(texts.without, ["One.", "Three."]);
        assert_eq!((texts.rows.len(), texts.others), (1, 0));
    }

    #[test]
    fn faults_name_their_line() {
        let numbered = |header| LabelledTable {
            text: Column::Number(9),
            label: Column::parse("label"),
            header,
            ..LabelledTable::default()
        };
        for (table, text, parts) in [
            (table(), "", ["line 1", "empty"]),
            (
                table(),
                "text\tlabel\na\tb\n",
                ["line 1", "no column sentence"],
            ),
            (numbered(true), FILE, ["line 1", "no column 9"]),
            (
                table(),
                "sentence\tlabel\na\tb\nc\n",
                ["line 3", "1 columns"],
            ),
            (
                table(),
                "sentence\tlabel\na\t \n",
                ["line 2", "label is empty"],
            ),
            (table(), "sentence\tlabel\n", ["dev.tsv", "no row"]),
        ] {
            let error = read(&table, text).unwrap_err().to_string();
            for part in parts {
                assert!(error.contains(part), "{text:?}: {error}");
            }
        }
        let mut named = table();
        named.header = false;
        let error = read(&named, FILE).unwrap_err().to_string();
        assert!(error.contains("no header"), "{error}");
    }
}
