//! Texts with labels: tables of tab-separated columns, or records in JSON.

mod column;

use super::keyed;
use super::relations::labelled_pairs;
use super::sentence::{content, fault};
use crate::enrich::{PairRule, exchange};
use crate::error::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

pub use column::{Cell, Column};

use column::Source;

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

/// Places of the columns that are read, and how many there are.
struct Places {
    text: Source,
    pair: Option<Source>,
    label: usize,
    id: Option<usize>,
    only: Vec<(usize, Vec<String>)>,
    without: Vec<(usize, Vec<String>)>,
    columns: usize,
    only_ids: HashSet<String>,
    without_ids: HashSet<String>,
}

impl LabelledTable {
    /// Reads a file, plain or gzip: a table, in which lines without anything in
    /// them are passed over, or records in JSON, whose columns are `id` and their
    /// keys: an object of them by their ids (PubMedQA), or one a line (BioASQ).
    ///
    /// # Errors
    /// With file and line, when a column is not there, a line has more or fewer
    /// columns than the first, a text or label of a row that counts is empty, or
    /// no row counts.
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
            each.map(|(name, value)| Ok((find(&Column::parse(name))?, value.values())))
                .collect::<std::result::Result<Vec<_>, String>>()
        };
        Ok(Places {
            text: Source::new(&self.text, find)?,
            pair: match &self.text_pair {
                Some(pair) => Some(Source::new(pair, find)?),
                None => None,
            },
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
        let holds = |wanted: &[(usize, Vec<String>)]| {
            let mut each = wanted.iter();
            each.all(|(place, values)| values.iter().any(|value| value == cells[*place]))
        };
        let id = self.id.map(|place| cells[place]);
        let held_out = id.is_some_and(|id| self.without_ids.contains(id));
        let meant = |id: &str| self.only_ids.is_empty() || self.only_ids.contains(id);
        let text = self.text.text(cells);
        if held_out || (!self.without.is_empty() && holds(&self.without)) {
            texts.without.push(text.into_owned());
            return Ok(());
        }
        if !(holds(&self.only) && id.is_none_or(meant)) {
            texts.others += 1;
            return Ok(());
        }
        let pair = self.pair.as_ref().map(|pair| pair.text(cells));
        let label = cells[self.label];
        for (what, cell) in [
            ("text", Some(&text[..])),
            ("second text", pair.as_deref()),
            ("label", Some(label)),
        ] {
            if cell.is_some_and(str::is_empty) {
                return Err(format!("the {what} is empty"));
            }
        }
        texts.rows.push(LabelledText {
            text: text.into_owned(),
            pair: pair.map(|pair| pair.into_owned()),
            label: label.to_owned(),
            line,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
