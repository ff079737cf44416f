//! Reads rows of a container, batch by batch, as articles.

use super::format::ColumnFormat;
use super::model::{VectorModel, check_version};
use super::passages::{GivenPassages, PassageColumn};
use super::row::Row;
use super::schema::{MORE, PASSAGE_COLUMN};
use super::values::Values;
use super::{damage, lenient, more};
use crate::article::PersonName;
use crate::{Article, Error, ErrorKind, Result};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};
use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Rows of a Parquet file that are in memory at a time.
const BATCH_ROWS: usize = 200;

/// Reads the rows of a file in order.
pub struct ColumnReader {
    batches: Option<Batches>,
    model: Option<VectorModel>,
    name_of: fn(&str) -> PersonName,
    parts: u64,
    parts_read: u64,
    batch: Option<(Columns, usize, usize)>,
}

/// How a file is read.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions {
    /// With the vectors of passages, where the file has them.
    pub vectors: bool,
    /// Takes the name of a person apart that stands as one text.
    pub name_of: fn(&str) -> PersonName,
}

/// What a row is.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnRow {
    /// An article, with its passages where it brings vectors.
    Article(Box<Article>, Option<GivenPassages>),
    /// No article; what follows is read.
    Fault(RowFault),
    /// Why nothing can be read from here on.
    Damage(String),
}

/// A row that is no article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFault {
    /// Its id, where it has one.
    pub id: Option<String>,
    /// What is wrong, for a person.
    pub reason: String,
    /// Its values as a JSON object.
    pub raw: String,
}

/// A file that is read from its beginning to its end.
type Stream = Box<dyn Read + Send>;

enum Batches {
    Parquet(Box<ParquetRecordBatchReader>),
    File(Box<FileReader<BufReader<File>>>),
    Stream(Box<StreamReader<BufReader<Stream>>>),
}

impl ColumnReader {
    /// Opens a file of columns. What is read as a stream goes through `stream`,
    /// for whoever counts bytes.
    ///
    /// # Errors
    /// `Io` where it cannot be read, `Corrupt` where it is damaged; `InvalidInput`
    /// in words where its columns are no articles, or its vectors of no model.
    pub fn open(
        path: &Path,
        format: ColumnFormat,
        options: ReadOptions,
        stream: impl FnOnce(File) -> Box<dyn Read + Send>,
    ) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io("read", path, error))?;
        let begun = guarded(|| begin(file, format, stream));
        let (batches, schema, parts) = begun.map_err(|what| Error::corrupt(path, what))?;
        let refuse = |what: String| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("{} {what}", path.display()),
            )
        };
        check_version(schema.metadata()).map_err(refuse)?;
        if schema.field_with_name("id").is_err() {
            let names = schema.fields().iter().map(|field| field.name().as_str());
            let names = names.take(8).collect::<Vec<_>>().join(", ");
            return Err(refuse(format!(
                "has no column `id`: its columns are {names}; docs/data.md says which are read"
            )));
        }
        let has_vectors = options.vectors && schema.field_with_name(PASSAGE_COLUMN).is_ok();
        let model = has_vectors.then(|| VectorModel::read(schema.metadata()));
        Ok(Self {
            batches: Some(batches),
            model: model.transpose().map_err(refuse)?,
            name_of: options.name_of,
            parts,
            parts_read: 0,
            batch: None,
        })
    }

    /// What the vectors are that are read.
    pub fn vectors(&self) -> Option<&VectorModel> {
        self.model.as_ref()
    }

    /// How many of how many parts are read; nothing where that is not known
    /// beforehand, as of a stream.
    pub fn parts(&self) -> Option<(u64, u64)> {
        (self.parts > 0).then(|| (self.parts_read.min(self.parts), self.parts))
    }

    fn count(&mut self, rows: usize) {
        self.parts_read += match self.batches {
            Some(Batches::Parquet(_)) => rows as u64,
            _ => 1,
        };
    }

    fn row(&self, columns: &Columns, row: usize) -> ColumnRow {
        let object = columns.object(row);
        match columns.article(row, &object, self.name_of) {
            Ok((article, given)) => ColumnRow::Article(article, given),
            Err(reason) => ColumnRow::Fault(RowFault {
                id: object.get("id").and_then(Value::as_str).map(str::to_owned),
                reason,
                raw: Value::Object(object).to_string(),
            }),
        }
    }
}

/// Ends behind the last row, or behind damage.
impl Iterator for ColumnReader {
    type Item = ColumnRow;

    fn next(&mut self) -> Option<ColumnRow> {
        loop {
            if let Some((columns, rows, at)) = self.batch.take()
                && at < rows
            {
                let row = self.row(&columns, at);
                self.batch = Some((columns, rows, at + 1));
                return Some(row);
            }
            let batches = self.batches.as_mut()?;
            let step = guarded(|| match batches.step() {
                None => Ok(None),
                Some(batch) => {
                    let batch = batch.map_err(damage)?;
                    let rows = batch.num_rows();
                    Ok(Some((Columns::new(&batch, self.model.as_ref())?, rows, 0)))
                }
            });
            match step {
                Ok(Some(batch)) => {
                    self.count(batch.1);
                    self.batch = Some(batch);
                }
                Ok(None) => {
                    self.batches = None;
                    return None;
                }
                Err(reason) => {
                    self.batches = None;
                    return Some(ColumnRow::Damage(reason));
                }
            }
        }
    }
}

fn begin(
    file: File,
    format: ColumnFormat,
    stream: impl FnOnce(File) -> Stream,
) -> std::result::Result<(Batches, SchemaRef, u64), String> {
    match format {
        ColumnFormat::Parquet => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damage)?;
            let schema = builder.schema().clone();
            let rows = builder.metadata().file_metadata().num_rows();
            let reader = builder
                .with_batch_size(BATCH_ROWS)
                .build()
                .map_err(damage)?;
            let rows = u64::try_from(rows).unwrap_or_default();
            Ok((Batches::Parquet(Box::new(reader)), schema, rows))
        }
        ColumnFormat::ArrowFile => {
            let reader = FileReader::try_new_buffered(file, None).map_err(damage)?;
            let (schema, parts) = (reader.schema(), reader.num_batches());
            Ok((Batches::File(Box::new(reader)), schema, parts as u64))
        }
        ColumnFormat::ArrowStream => {
            let reader = StreamReader::try_new_buffered(stream(file), None).map_err(damage)?;
            let schema = reader.schema();
            // Counted where it is read.
            Ok((Batches::Stream(Box::new(reader)), schema, 0))
        }
    }
}

/// What a reader of others does with a damaged file is not in our hands: where
/// it panics, that is damage too.
fn guarded<T>(
    read: impl FnOnce() -> std::result::Result<T, String>,
) -> std::result::Result<T, String> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err("it is damaged (its reader gave up)".to_owned()))
}

impl Batches {
    fn step(&mut self) -> Option<std::result::Result<RecordBatch, ArrowError>> {
        match self {
            Self::Parquet(reader) => reader.next(),
            Self::File(reader) => reader.next(),
            Self::Stream(reader) => reader.next(),
        }
    }
}

/// The columns of a batch.
struct Columns {
    values: Vec<(String, Values)>,
    passages: Option<PassageColumn>,
}

impl Columns {
    fn new(batch: &RecordBatch, model: Option<&VectorModel>) -> std::result::Result<Self, String> {
        let mut columns = Self {
            values: Vec::with_capacity(batch.num_columns()),
            passages: None,
        };
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            if field.name() != PASSAGE_COLUMN {
                let values = Values::new(field.name(), array)?;
                columns.values.push((field.name().clone(), values));
            } else if let Some(model) = model {
                let dimension = model.model.dimension;
                let passages = PassageColumn::new(array, dimension, model.normalised)?;
                columns.passages = Some(passages);
            }
        }
        Ok(columns)
    }

    /// The values of a row that are no nulls.
    fn object(&self, row: usize) -> Map<String, Value> {
        let values = self.values.iter();
        let values = values.map(|(name, values)| (name.clone(), values.at(row)));
        values.filter(|(_, value)| !value.is_null()).collect()
    }

    fn article(
        &self,
        row: usize,
        object: &Map<String, Value>,
        name_of: fn(&str) -> PersonName,
    ) -> std::result::Result<(Box<Article>, Option<GivenPassages>), String> {
        let (mut known, others) = lenient::columns(object.clone(), name_of);
        let beyond = match known.remove(MORE) {
            None => Map::new(),
            Some(Value::String(text)) => serde_json::from_str(&text)
                .map_err(|error| format!("column `more` is no JSON object: {error}"))?,
            Some(_) => return Err("column `more` is no text".to_owned()),
        };
        let cells: Row = serde_json::from_value(Value::Object(known))
            .map_err(|error| format!("its columns are no article: {error}"))?;
        let mut article = Box::new(more::restore(&cells, &beyond)?);
        for (name, value) in others {
            article.metadata.entry(name).or_insert(value);
        }
        let given = match &self.passages {
            Some(passages) => passages.at(row, &article)?,
            None => None,
        };
        Ok((article, given))
    }
}
