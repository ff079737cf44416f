//! One record of a file, whatever the file's form.

use super::lines::{Lines, at_line};
use medsift::{Error, ErrorKind, Result};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Reads the records of a tab-separated or JSON-lines file.
pub(crate) struct Records {
    path: PathBuf,
    lines: Lines,
    form: Form,
}

enum Form {
    /// Names of the columns.
    Table(Vec<String>),
    Json,
}

/// One record.
pub(crate) enum Record<'a> {
    Table {
        header: &'a [String],
        fields: Vec<&'a str>,
    },
    Json(Map<String, Value>),
}

impl Records {
    /// Opens a file and reads its header, where it has one. The form is
    /// told by the name, `.gz` apart.
    ///
    /// # Errors
    /// When it cannot be read, or its name has another ending.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let name = path.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let mut lines = Lines::open(path)?;
        let form = if name.ends_with(".tsv") {
            let Some(header) = lines.next_line()? else {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!("{} is empty: a header is missing", path.display()),
                ));
            };
            Form::Table(
                header
                    .split('\t')
                    .map(|name| name.trim().to_owned())
                    .collect(),
            )
        } else if [".jsonl", ".ndjson", ".json"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            Form::Json
        } else {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{} is neither .tsv nor .jsonl (perhaps with .gz) by its name",
                    path.display()
                ),
            ));
        };
        Ok(Self {
            path: path.to_owned(),
            lines,
            form,
        })
    }

    /// The header of a table.
    pub(crate) fn header(&self) -> Option<&[String]> {
        match &self.form {
            Form::Table(header) => Some(header),
            Form::Json => None,
        }
    }

    /// The next record and its line, or what is wrong with it. Blank lines are
    /// passed over.
    ///
    /// # Errors
    /// When the file cannot be read further.
    pub(crate) fn next_record(
        &mut self,
    ) -> Result<Option<(u64, std::result::Result<Record<'_>, String>)>> {
        // The borrow of the line ends with each turn of the loop only where
        // the line is not returned, hence the two looks at it.
        loop {
            match self.lines.next_line()? {
                None => return Ok(None),
                Some(line) if line.trim().is_empty() => {}
                Some(_) => break,
            }
        }
        let number = self.lines.number();
        let line = self.lines.line();
        let record = match &self.form {
            Form::Table(header) => table_record(header, line),
            Form::Json => json_record(line),
        };
        Ok(Some((number, record)))
    }

    /// An error about a line of this file.
    pub(crate) fn fault(&self, line: u64, what: &str) -> Error {
        at_line(ErrorKind::Incompatible, &self.path, line, what)
    }

    /// Checksum and length ([`Lines::finish`]).
    ///
    /// # Errors
    /// When the rest cannot be read.
    pub(crate) fn finish(self) -> Result<(String, u64)> {
        self.lines.finish()
    }
}

fn table_record<'a>(
    header: &'a [String],
    line: &'a str,
) -> std::result::Result<Record<'a>, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    if fields.len() != header.len() {
        return Err(format!(
            "{} columns, but the header has {}",
            fields.len(),
            header.len()
        ));
    }
    Ok(Record::Table { header, fields })
}

fn json_record<'a>(line: &str) -> std::result::Result<Record<'a>, String> {
    match serde_json::from_str(line) {
        Ok(Value::Object(object)) => Ok(Record::Json(object)),
        Ok(_) => Err("not a JSON object".to_owned()),
        Err(error) => Err(format!(
            "not JSON: {error} (column {} of the line)",
            error.column()
        )),
    }
}

impl Record<'_> {
    /// Whether a column or key is there.
    pub(crate) fn has(&self, column: &str) -> bool {
        match self {
            Self::Table { header, .. } => header.iter().any(|name| name == column),
            Self::Json(object) => object.contains_key(column),
        }
    }

    /// The texts of a column: one, or those of a list in JSON. None is empty.
    pub(crate) fn texts(&self, column: &str) -> std::result::Result<Vec<&str>, String> {
        let mut texts = Vec::new();
        match self {
            Self::Table { .. } => texts.push(self.field(column)?),
            Self::Json(object) => {
                let mut steps = column.split('.');
                let first = steps.next().unwrap_or_default();
                let value = object
                    .get(first)
                    .ok_or_else(|| format!("`{first}` is missing"))?;
                walk(value, &steps.collect::<Vec<_>>(), column, &mut texts)?;
            }
        }
        for text in &mut texts {
            *text = text.trim();
            if text.is_empty() {
                return Err(format!("`{column}` is empty"));
            }
        }
        Ok(texts)
    }

    /// The one text of a column.
    pub(crate) fn text(&self, column: &str) -> std::result::Result<&str, String> {
        match self.texts(column)?.as_slice() {
            [text] => Ok(text),
            several => Err(format!(
                "`{column}` holds {} texts where one is expected",
                several.len()
            )),
        }
    }

    /// A finite number.
    pub(crate) fn number(&self, column: &str) -> std::result::Result<f32, String> {
        match self {
            Self::Table { .. } => {
                let field = self.field(column)?;
                finite(field.trim().parse::<f64>().ok(), column, field)
            }
            Self::Json(object) => {
                let value = object
                    .get(column)
                    .ok_or_else(|| format!("`{column}` is missing"))?;
                finite(value.as_f64(), column, value)
            }
        }
    }

    /// A list of finite numbers.
    pub(crate) fn numbers(&self, column: &str) -> std::result::Result<Vec<f32>, String> {
        match self {
            Self::Json(object) => match object.get(column) {
                Some(Value::Array(values)) => values
                    .iter()
                    .map(|value| finite(value.as_f64(), column, value))
                    .collect(),
                Some(_) => Err(format!("`{column}` is not a list of numbers")),
                None => Err(format!("`{column}` is missing")),
            },
            Self::Table { .. } => Err(format!(
                "`{column}` is a list, which needs JSON lines in place of a table"
            )),
        }
    }

    /// A value as text, whatever its type; `None` where it is missing.
    pub(crate) fn value(&self, column: &str) -> Option<String> {
        match self {
            Self::Table { .. } => self.field(column).ok().map(str::to_owned),
            Self::Json(object) => object.get(column).map(|value| match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            }),
        }
    }

    /// The record's id, under the names that collections use.
    pub(crate) fn id(&self) -> Option<String> {
        ["_id", "id", "query-id", "corpus-id"]
            .iter()
            .find_map(|name| self.value(name))
    }

    fn field(&self, column: &str) -> std::result::Result<&str, String> {
        match self {
            Self::Table { header, fields } => header
                .iter()
                .position(|name| name == column)
                .map(|at| fields[at])
                .ok_or_else(|| {
                    format!(
                        "no column `{column}`: the header has {}; set `columns` or `label`",
                        header.join(", ")
                    )
                }),
            Self::Json(_) => Err(format!("`{column}` is not a field")),
        }
    }
}

/// Follows a dotted path through objects and lists to texts.
fn walk<'v>(
    value: &'v Value,
    steps: &[&str],
    column: &str,
    texts: &mut Vec<&'v str>,
) -> std::result::Result<(), String> {
    match (value, steps) {
        (Value::Array(items), _) => items
            .iter()
            .try_for_each(|item| walk(item, steps, column, texts)),
        (Value::String(text), []) => {
            texts.push(text);
            Ok(())
        }
        (Value::Object(object), [step, rest @ ..]) => match object.get(*step) {
            Some(value) => walk(value, rest, column, texts),
            None => Err(format!("`{step}` of `{column}` is missing")),
        },
        _ => Err(format!("`{column}` is not a text")),
    }
}

fn finite(
    number: Option<f64>,
    column: &str,
    shown: impl std::fmt::Display,
) -> std::result::Result<f32, String> {
    number
        .map(|number| number as f32)
        .filter(|number| number.is_finite())
        .ok_or_else(|| format!("`{column}` is {shown}, not a finite number"))
}
