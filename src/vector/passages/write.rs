//! Writes the passages of a segment as an Arrow IPC file.

use super::layout::{FORMAT, FORMAT_KEY, NUMBER_COLUMNS, VECTOR_COLUMN};
use crate::error::{Error, ErrorKind, Result};
use crate::vector::checksum::HashedFile;
use crate::vector::segment::{FileMeta, PassageRow};
use arrow::array::{ArrayRef, FixedSizeListArray, Float32Array, RecordBatch, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use arrow::ipc::MetadataVersion;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use std::collections::HashMap;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Columns begin at multiples of this many bytes, a cache line.
const ALIGNMENT: usize = 64;

/// A passages file under construction; holds one batch in memory.
pub(in crate::vector) struct PassagesWriter {
    path: PathBuf,
    file: FileWriter<HashedFile>,
    schema: Arc<Schema>,
    batch_rows: usize,
    dimension: i32,
    numbers: [Vec<u32>; 4],
    vectors: Vec<f32>,
}

impl PassagesWriter {
    /// Creates the file, which must not exist yet.
    pub(in crate::vector) fn create(
        path: &Path,
        dimension: usize,
        batch_rows: usize,
    ) -> Result<Self> {
        debug_assert!(batch_rows.is_power_of_two());
        let width = i32::try_from(dimension).ok().filter(|width| *width > 0);
        let width = width.ok_or_else(|| {
            Error::invalid(
                "dimension",
                format!("vectors cannot have {dimension} numbers"),
            )
        })?;
        let schema = Arc::new(schema(width));
        let failed = |error| arrow_error(path, error);
        let options =
            IpcWriteOptions::try_new(ALIGNMENT, false, MetadataVersion::V5).map_err(failed)?;
        let file = HashedFile::create(path)?;
        Ok(Self {
            path: path.to_owned(),
            file: FileWriter::try_new_with_options(file, &schema, options).map_err(failed)?,
            schema,
            batch_rows,
            dimension: width,
            numbers: Default::default(),
            vectors: Vec::new(),
        })
    }

    /// Appends a row, whose vector has the file's dimension.
    pub(in crate::vector) fn push(&mut self, row: &PassageRow<'_>) -> Result<()> {
        let numbers = [row.key.0, row.ordinal, row.range.start, row.range.end];
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.push(number);
        }
        self.vectors.extend_from_slice(row.vector);
        if self.numbers[0].len() == self.batch_rows {
            self.write_batch()?;
        }
        Ok(())
    }

    fn write_batch(&mut self) -> Result<()> {
        let failed = |error| arrow_error(&self.path, error);
        let mut columns: Vec<ArrayRef> = self
            .numbers
            .iter_mut()
            .map(|column| Arc::new(UInt32Array::from(take(column))) as ArrayRef)
            .collect();
        let values = Arc::new(Float32Array::from(take(&mut self.vectors)));
        let vectors = FixedSizeListArray::try_new(item(), self.dimension, values, None);
        columns.push(Arc::new(vectors.map_err(failed)?));
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(failed)?;
        self.file.write(&batch).map_err(failed)
    }

    /// Writes what is left and the footer, and brings the file to the device.
    pub(in crate::vector) fn finish(mut self) -> Result<FileMeta> {
        if !self.numbers[0].is_empty() {
            self.write_batch()?;
        }
        let file = self.file.into_inner();
        file.map_err(|error| arrow_error(&self.path, error))?
            .finish()
    }
}

fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Float32, false))
}

fn schema(dimension: i32) -> Schema {
    let mut fields: Vec<Field> = NUMBER_COLUMNS
        .iter()
        .map(|name| Field::new(*name, DataType::UInt32, false))
        .collect();
    let list = DataType::FixedSizeList(item(), dimension);
    fields.push(Field::new(VECTOR_COLUMN, list, false));
    let metadata = HashMap::from([(FORMAT_KEY.to_owned(), FORMAT.to_owned())]);
    Schema::new(fields).with_metadata(metadata)
}

fn arrow_error(path: &Path, error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => Error::io("write", path, error),
        error => Error::new(
            ErrorKind::Internal,
            format!("cannot write {}: {error}", path.display()),
        )
        .with_source(error),
    }
}
