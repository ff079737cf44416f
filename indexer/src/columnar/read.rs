//! Reads rows of a container, batch by batch, as records.

use super::format::ColumnFormat;
use super::model::{VectorModel, check_version};
use super::passages::PassageColumn;
use super::row::Row;
use super::schema::{MORE, PASSAGE_COLUMN};
use super::values::Values;
use super::{damage, lenient, more};
use crate::reader::Progress;
use crate::record::{Embedded, Fault, Record};
use crate::source::Counted;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};
use arrow::record_batch::RecordBatch;
use medsift::{Error, ErrorKind, Result};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// Rows of a Parquet file that are in memory at a time.
const BATCH_ROWS: usize = 200;

/// Reads the rows of a file in order.
pub(crate) struct ColumnReader {
    file: Arc<Path>,
    batches: Option<Batches>,
    model: Option<VectorModel>,
    progress: Progress,
    /// What one part of `parts` is in bytes, and how far the count is.
    bytes: u64,
    parts: u64,
    parts_read: u64,
    rows_read: u64,
    batch: Option<(Columns, usize, usize)>,
}

enum Batches {
    Parquet(Box<ParquetRecordBatchReader>),
    File(Box<FileReader<BufReader<File>>>),
    Stream(Box<StreamReader<BufReader<Counted>>>),
}

/// Opens a file of columns, with the vectors of its passages where they are
/// wanted and there.
///
/// # Errors
/// `Io` where it cannot be read, `Corrupt` where it is damaged; `InvalidInput`
/// in words where its columns are no articles, or its vectors of no model.
pub(crate) fn open(
    path: &Path,
    format: ColumnFormat,
    bytes: u64,
    progress: Progress,
    with_vectors: bool,
) -> Result<(ColumnReader, Option<VectorModel>)> {
    let file = File::open(path).map_err(|error| Error::io("read", path, error))?;
    let begun = guarded(|| begin(file, format, progress.clone()));
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
    let has_vectors = with_vectors && schema.field_with_name(PASSAGE_COLUMN).is_ok();
    let model = has_vectors.then(|| VectorModel::read(schema.metadata()));
    let model = model.transpose().map_err(refuse)?;
    let reader = ColumnReader {
        file: path.into(),
        batches: Some(batches),
        model: model.clone(),
        progress,
        bytes,
        parts,
        parts_read: 0,
        rows_read: 0,
        batch: None,
    };
    Ok((reader, model))
}

fn begin(
    file: File,
    format: ColumnFormat,
    progress: Progress,
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
            let counted = Counted::new(file, progress);
            let reader = StreamReader::try_new_buffered(counted, None).map_err(damage)?;
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

impl ColumnReader {
    /// The next row; `None` at the end, or behind the fault that ends it.
    pub(crate) fn next(&mut self) -> Option<Record> {
        loop {
            if let Some((_, rows, at)) = &mut self.batch {
                if at < rows {
                    let row = *at;
                    *at += 1;
                    self.rows_read += 1;
                    return Some(self.record(row));
                }
                self.batch = None;
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
                    self.count(batch.1 as u64);
                    self.batch = Some(batch);
                }
                Ok(None) => {
                    self.batches = None;
                    return None;
                }
                Err(reason) => {
                    self.batches = None;
                    self.progress.damaged(&reason);
                    self.rows_read += 1;
                    return Some(self.fault(None, reason, Vec::new()));
                }
            }
        }
    }

    fn count(&mut self, rows: u64) {
        let part = match self.batches {
            Some(Batches::Parquet(_)) => rows,
            Some(Batches::File(_)) => 1,
            _ => return,
        };
        let place = |parts: u64| {
            let share = u128::from(self.bytes) * u128::from(parts.min(self.parts));
            u64::try_from(share / u128::from(self.parts.max(1))).unwrap_or(self.bytes)
        };
        self.progress
            .add(place(self.parts_read + part) - place(self.parts_read));
        self.parts_read += part;
    }

    fn record(&self, row: usize) -> Record {
        let Some((columns, ..)) = &self.batch else {
            return self.fault(None, "not a record".to_owned(), Vec::new());
        };
        let object = columns.object(row);
        match columns.record(row, &object) {
            Ok(record) => record,
            Err(reason) => {
                let id = object.get("id").and_then(Value::as_str).map(str::to_owned);
                let mut raw = Value::Object(object).to_string().into_bytes();
                raw.truncate(Fault::MAX_RAW_BYTES);
                self.fault(id, reason, raw)
            }
        }
    }

    fn fault(&self, id: Option<String>, reason: String, raw: Vec<u8>) -> Record {
        Record::Fault(Fault {
            file: self.file.clone(),
            // A row lies in as many places as there are columns.
            byte_offset: 0,
            ordinal: self.rows_read,
            id,
            reason,
            raw,
        })
    }
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

    fn record(
        &self,
        row: usize,
        object: &Map<String, Value>,
    ) -> std::result::Result<Record, String> {
        let (known, others) = lenient::columns(object.clone());
        let mut known = known;
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
        Ok(match given {
            Some(given) => Record::Embedded(Box::new(Embedded {
                article: *article,
                passages: given.passages,
                vectors: given.vectors,
            })),
            None => Record::Article(article),
        })
    }
}
