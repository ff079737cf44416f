//! Reads where the columns of a passages file lie.
//!
//! Only the footer and the batches' headers are read, with every offset
//! compared with the file's length: a damaged file is an error, never a panic.

use crate::error::{Error, ErrorKind, Result};
use crate::vector::mapped::MappedFile;
use arrow::ipc::{
    self, Block, MessageHeader, Precision, RecordBatch, Schema, Type, root_as_footer,
    root_as_message,
};
use std::path::Path;

const MAGIC: &[u8] = b"ARROW1";
/// What precedes the metadata of a message since Arrow 0.15.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// The columns before the vector.
pub(super) const NUMBER_COLUMNS: [&str; 4] = ["key", "ordinal", "start", "end"];
/// The last column.
pub(super) const VECTOR_COLUMN: &str = "vector";
/// Entry of the schema's metadata that says which layout it is.
pub(super) const FORMAT_KEY: &str = "medsift.passages";
/// The layout that is written and read.
pub(super) const FORMAT: &str = "1";

/// Where the columns of a batch begin in the file, in the order of the schema.
pub(super) struct Columns {
    pub(super) rows: usize,
    pub(super) starts: [usize; 5],
}

/// What the footer and the headers say.
pub(super) struct Layout {
    pub(super) dimension: usize,
    pub(super) batches: Vec<Columns>,
}

/// Reads the layout of a whole file.
pub(super) fn read(file: &MappedFile) -> Result<Layout> {
    let (path, bytes) = (file.path(), file.bytes());
    let damaged = |what: &str| Error::corrupt(path, what);
    let body = bytes
        .strip_suffix(MAGIC)
        .filter(|_| bytes.starts_with(MAGIC))
        .ok_or_else(|| damaged("it is not a whole Arrow file"))?;
    let (body, length) = body
        .split_last_chunk::<4>()
        .ok_or_else(|| damaged("it ends before its footer"))?;
    let footer = usize::try_from(i32::from_le_bytes(*length))
        .ok()
        .and_then(|length| body.len().checked_sub(length))
        .and_then(|start| body.get(start..))
        .ok_or_else(|| damaged("its footer lies beyond its beginning"))?
        .to_vec();
    let footer = root_as_footer(&footer).map_err(|error| unreadable(path, "footer", error))?;
    let schema = footer.schema().ok_or_else(|| damaged("it has no schema"))?;
    let dimension = check_schema(path, schema)?;
    let blocks = footer.recordBatches().unwrap_or_default();
    let batches = blocks
        .iter()
        .map(|block| read_block(path, body, block, dimension))
        .collect::<Result<_>>()?;
    Ok(Layout { dimension, batches })
}

fn unreadable(path: &Path, what: &str, error: impl std::fmt::Display) -> Error {
    Error::corrupt(path, format_args!("its {what} is unreadable ({error})"))
}

/// Compares the schema with the one that is written; gives the dimension.
fn check_schema(path: &Path, schema: Schema<'_>) -> Result<usize> {
    let format = schema.custom_metadata().and_then(|entries| {
        let entry = entries
            .iter()
            .find(|entry| entry.key() == Some(FORMAT_KEY))?;
        entry.value()
    });
    if format != Some(FORMAT) {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "{} has layout {} of passages, this program reads {FORMAT}: index again",
                path.display(),
                format.unwrap_or("unknown"),
            ),
        ));
    }
    let wrong = || Error::corrupt(path, "its columns are not those of passages");
    let fields = schema.fields().ok_or_else(wrong)?;
    if fields.len() != NUMBER_COLUMNS.len() + 1 {
        return Err(wrong());
    }
    for (field, name) in fields.iter().zip(NUMBER_COLUMNS) {
        let number = field.type_as_int().ok_or_else(wrong)?;
        if field.name() != Some(name) || number.bitWidth() != 32 || number.is_signed() {
            return Err(wrong());
        }
    }
    let vector = fields.get(NUMBER_COLUMNS.len());
    let list = vector.type_as_fixed_size_list().ok_or_else(wrong)?;
    let item = vector.children().filter(|children| children.len() == 1);
    let item = item.ok_or_else(wrong)?.get(0);
    let float = item.type_as_floating_point().ok_or_else(wrong)?;
    if vector.name() != Some(VECTOR_COLUMN)
        || item.type_type() != Type::FloatingPoint
        || float.precision() != Precision::SINGLE
    {
        return Err(wrong());
    }
    usize::try_from(list.listSize())
        .ok()
        .filter(|dimension| *dimension > 0)
        .ok_or_else(wrong)
}

/// Reads the header of one batch.
fn read_block(path: &Path, file: &[u8], block: &Block, dimension: usize) -> Result<Columns> {
    let beyond = || Error::corrupt(path, "a record batch lies beyond the end");
    let start = usize::try_from(block.offset()).map_err(|_| beyond())?;
    let header_bytes = usize::try_from(block.metaDataLength()).map_err(|_| beyond())?;
    let body_bytes = usize::try_from(block.bodyLength()).map_err(|_| beyond())?;
    let body_start = start.checked_add(header_bytes).ok_or_else(beyond)?;
    let header = file.get(start..body_start).ok_or_else(beyond)?;
    let body_end = body_start.checked_add(body_bytes).ok_or_else(beyond)?;
    if body_end > file.len() {
        return Err(beyond());
    }
    let message = header
        .strip_prefix(&CONTINUATION)
        .and_then(|rest| rest.get(4..))
        .ok_or_else(|| Error::corrupt(path, "a record batch has no header"))?
        .to_vec();
    let message =
        root_as_message(&message).map_err(|error| unreadable(path, "record batch", error))?;
    if message.header_type() != MessageHeader::RecordBatch {
        return Err(Error::corrupt(path, "a message is not a record batch"));
    }
    let batch = message
        .header_as_record_batch()
        .ok_or_else(|| Error::corrupt(path, "a record batch has no header"))?;
    read_columns(path, batch, body_start, body_bytes, dimension)
}

/// Finds the columns of a batch whose body begins at `body_start`.
fn read_columns(
    path: &Path,
    batch: RecordBatch<'_>,
    body_start: usize,
    body_bytes: usize,
    dimension: usize,
) -> Result<Columns> {
    let wrong = |what: &str| Error::corrupt(path, what);
    if batch.compression().is_some() {
        return Err(wrong("its columns are compressed"));
    }
    let rows = usize::try_from(batch.length()).map_err(|_| wrong("a batch has no length"))?;
    let nodes = batch
        .nodes()
        .ok_or_else(|| wrong("a batch has no columns"))?;
    if nodes.iter().any(|node| node.null_count() != 0) {
        return Err(wrong("it has nulls"));
    }
    let buffers = batch
        .buffers()
        .ok_or_else(|| wrong("a batch has no buffers"))?;
    // Validity and values of each number column; then the list's validity, and
    // validity and values of its items.
    let expected = NUMBER_COLUMNS.len() * 2 + 3;
    if nodes.len() != NUMBER_COLUMNS.len() + 2 || buffers.len() != expected {
        return Err(wrong("a batch has another number of columns"));
    }
    let values = rows.checked_mul(dimension);
    let start_of = |buffer: &ipc::Buffer, count: Option<usize>| {
        let offset = usize::try_from(buffer.offset()).ok()?;
        let length = usize::try_from(buffer.length()).ok()?;
        let needed = count?.checked_mul(size_of::<u32>())?;
        let fits = needed <= length && offset.checked_add(length)? <= body_bytes;
        fits.then(|| body_start + offset)
    };
    let mut starts = [0; 5];
    for (column, start) in starts.iter_mut().enumerate() {
        let (buffer, count) = if column < NUMBER_COLUMNS.len() {
            (column * 2 + 1, Some(rows))
        } else {
            (expected - 1, values)
        };
        *start = start_of(buffers.get(buffer), count)
            .ok_or_else(|| wrong("a column lies beyond its batch"))?;
    }
    Ok(Columns { rows, starts })
}
