//! Texts with labels: tables of tab-separated columns, or JSON objects of records.

use super::keyed;
use super::relations::labelled_pairs;
use super::sentence::{content, fault};
use crate::enrich::{PairRule, exchange};
use crate::error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
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
    /// Column of the text that is read behind it, where there are two.
    pub text_pair: Option<Column>,
    /// Column of the label.
    pub label: Column,
    /// Whether the first line names the columns.
    pub header: bool,
    /// Only rows whose cells hold these values.
    pub only: BTreeMap<String, Cell>,
    /// Not the rows whose cells hold all of these; nothing where empty.
    pub without: BTreeMap<String, Cell>,
    /// Only rows with these ids, which stand in the column `id`; all where empty.
    pub only_ids: HashSet<String>,
    /// Not the rows with these.
    pub without_ids: HashSet<String>,
    /// Files are annotated documents (PubTator, BioC): their texts are the
    /// sentences of each pair of these types, both masked, and the label is
    /// what the document says of the two, or `none`. Columns do not count.
    pub pairs: Option<PairRule>,
}

/// A text and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledText {
    /// The text.
    pub text: String,
    /// The text behind it, where there are two.
    pub pair: Option<String>,
    /// Its label, as the file has it.
    pub label: String,
    /// Its line, or the place of its record or document in the file, counted from 1.
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
            text_pair: None,
            label: Column::Name("label".to_owned()),
            header: true,
            only: BTreeMap::new(),
            without: BTreeMap::new(),
            only_ids: HashSet::new(),
            without_ids: HashSet::new(),
            pairs: None,
        }
    }
}

fn read_pairs(path: &Path, text: &str, rule: &PairRule) -> Result<LabelledTexts> {
    let documents = exchange::read(text).map_err(|error| {
        let what = format!("{}, {error}", path.display());
        Error::new(ErrorKind::InvalidInput, what)
    })?;
    let texts = LabelledTexts {
        rows: labelled_pairs(&documents, rule),
        ..LabelledTexts::default()
    };
    texts.checked(path)
}

impl LabelledTexts {
    /// Refuses a file of which nothing is left.
    fn checked(self, path: &Path) -> Result<Self> {
        if self.rows.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("no row of {} is left to be read", path.display()),
            ));
        }
        Ok(self)
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
    pair: Option<usize>,
    label: usize,
    id: Option<usize>,
    only: Vec<(usize, String)>,
    without: Vec<(usize, String)>,
    columns: usize,
    only_ids: HashSet<String>,
    without_ids: HashSet<String>,
}

impl LabelledTable {
    /// Reads a file, plain or gzip: a table, in which lines without anything in
    /// them are passed over, or a JSON object of records by their ids, in the form
    /// of PubMedQA, whose columns are `id` and the records' keys.
    ///
    /// # Errors
    /// With file and line, when a column is not there, a line has more or fewer
    /// columns than the first, a text or label is empty, or no row counts.
    pub fn read(&self, path: &Path) -> Result<LabelledTexts> {
        let text = content(path)?;
        if let Some(rule) = &self.pairs {
            return read_pairs(path, &text, rule);
        }
        if text.trim_start().starts_with('{') {
            return self.read_records(path, &text);
        }
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
        texts.checked(path)
    }

    fn read_records(&self, path: &Path, text: &str) -> Result<LabelledTexts> {
        let (names, rows) = keyed::table(path, text)?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let named = Self {
            header: true,
            ..self.clone()
        };
        let faulty = |what: String| {
            let what = format!("{}: {what}", path.display());
            Error::new(ErrorKind::InvalidInput, what)
        };
        let places = named.places(&names).map_err(faulty)?;
        let mut texts = LabelledTexts::default();
        for (number, row) in (1..).zip(&rows) {
            let cells: Vec<&str> = row.iter().map(String::as_str).collect();
            places
                .take(&cells, number, &mut texts)
                .map_err(|what| faulty(format!("record {}: {what}", row[0])))?;
        }
        texts.checked(path)
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
            pair: self.text_pair.as_ref().map(&find).transpose()?,
            label: find(&self.label)?,
            id: match self.only_ids.is_empty() && self.without_ids.is_empty() {
                true => None,
                false => Some(find(&Column::Name("id".to_owned()))?),
            },
            only_ids: self.only_ids.clone(),
            without_ids: self.without_ids.clone(),
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
        let pair = self.pair.map(|place| cells[place]);
        for (what, cell) in [
            ("text", Some(text)),
            ("second text", pair),
            ("label", Some(label)),
        ] {
            if cell.is_some_and(str::is_empty) {
                return Err(format!("the {what} is empty"));
            }
        }
        let id = self.id.map(|place| cells[place]);
        let held_out = id.is_some_and(|id| self.without_ids.contains(id));
        let meant = |id: &str| self.only_ids.is_empty() || self.only_ids.contains(id);
        if held_out || (!self.without.is_empty() && holds(&self.without)) {
            texts.without.push(text.to_owned());
        } else if holds(&self.only) && id.is_none_or(meant) {
            texts.rows.push(LabelledText {
                text: text.to_owned(),
                pair: pair.map(str::to_owned),
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
    fn records_have_pairs_and_are_chosen_by_id() {
        let text = r#"{"11": {"Q": "Why?", "C": ["One.", "Two."], "d": "yes"},
                       "12": {"Q": "How?", "C": ["Three."], "d": "no"}}"#;
        let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect();
        let mut table = LabelledTable {
            text: Column::parse("Q"),
            text_pair: Some(Column::parse("C")),
            label: Column::parse("d"),
            without_ids: ids(&["12"]),
            ..LabelledTable::default()
        };
        let texts = read(&table, text).unwrap();
        let row = &texts.rows[0];
        let pair = row.pair.as_deref();
        assert_eq!(
            (&row.text[..], pair, row.line),
            ("Why?", Some("One. Two."), 1)
        );
        assert_eq!(
            (texts.rows.len(), &texts.without[..]),
            (1, &["How?".to_owned()][..])
        );
        table.without_ids.clear();
        table.only_ids = ids(&["12"]);
        let texts = read(&table, text).unwrap();
        assert_eq!((&texts.rows[0].label[..], texts.others), ("no", 1));
        table.text_pair = Some(Column::parse("x"));
        let error = read(&table, text).unwrap_err().to_string();
        assert!(
            error.contains("no column x; there are: id, C, Q, d"),
            "{error}"
        );
        table.text_pair = Some(Column::parse("C"));
        let error = read(&table, &text.replace("Three.", ""))
            .unwrap_err()
            .to_string();
        assert!(error.contains("record 12: the second text"), "{error}");
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
