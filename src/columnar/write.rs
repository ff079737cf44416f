//! Writes rows into a container, batch by batch.

use super::format::ColumnFormat;
use super::model::VectorModel;
use super::row::Row;
use super::schema::{MORE, PASSAGE_COLUMN, VECTOR, VERSION, schema};
use super::{arrays, internal, more, passages};
use crate::searcher::EmbeddedArticle;
use crate::{Article, Result};
use arrow::datatypes::SchemaRef;
use arrow::ipc::writer::{FileWriter, StreamWriter};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use serde_json::{Map, Value};
use std::io::Write;
use std::sync::Arc;

/// Bytes of a row group before it is written: what a writer, and a reader,
/// holds in memory.
const ROW_GROUP_BYTES: usize = 32 << 20;
/// Rows of a row group at most.
const ROW_GROUP_ROWS: usize = 50_000;

/// Writes articles as columns. Nothing of it is a whole file before
/// [`finish`](Self::finish).
pub struct ColumnWriter<W: Write + Send> {
    schema: SchemaRef,
    container: Container<W>,
    with_vectors: bool,
    row_group_bytes: usize,
}

enum Container<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    File(Box<FileWriter<W>>),
    Stream(Box<StreamWriter<W>>),
}

impl<W: Write + Send> ColumnWriter<W> {
    /// Begins a file; with the vectors of passages where a model is given.
    ///
    /// # Errors
    /// `Io` where nothing can be written.
    pub fn new(out: W, format: ColumnFormat, model: Option<&VectorModel>) -> Result<Self> {
        let schema: SchemaRef = Arc::new(schema(model)?);
        let container = match format {
            ColumnFormat::Parquet => {
                let properties = Some(properties(&schema)?);
                let writer = ArrowWriter::try_new(out, schema.clone(), properties);
                Container::Parquet(Box::new(writer.map_err(internal)?))
            }
            ColumnFormat::ArrowFile => {
                let writer = FileWriter::try_new(out, &schema);
                Container::File(Box::new(writer.map_err(internal)?))
            }
            ColumnFormat::ArrowStream => {
                let writer = StreamWriter::try_new(out, &schema);
                Container::Stream(Box::new(writer.map_err(internal)?))
            }
        };
        Ok(Self {
            schema,
            container,
            with_vectors: model.is_some(),
            row_group_bytes: ROW_GROUP_BYTES,
        })
    }

    /// Ends row groups of Parquet at so many bytes, not at 32 MiB: what is held
    /// in memory, and goes out at a time.
    #[must_use]
    pub fn with_row_groups_of(mut self, bytes: usize) -> Self {
        self.row_group_bytes = bytes;
        self
    }

    /// Writes articles behind those before them, as a batch. Their passages
    /// are written where the file has them.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&mut self, articles: &[EmbeddedArticle]) -> Result<()> {
        if articles.is_empty() {
            return Ok(());
        }
        let batch = self.batch(articles)?;
        match &mut self.container {
            Container::Parquet(writer) => {
                writer.write(&batch).map_err(internal)?;
                // The size of what is encoded, without what dictionaries save.
                if writer.in_progress_size() >= self.row_group_bytes {
                    writer.flush().map_err(internal)?;
                }
            }
            Container::File(writer) => writer.write(&batch).map_err(internal)?,
            Container::Stream(writer) => writer.write(&batch).map_err(internal)?,
        }
        Ok(())
    }

    /// Ends the file and gives back what it was written to.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn finish(self) -> Result<W> {
        match self.container {
            Container::Parquet(writer) => (*writer).into_inner().map_err(internal),
            Container::File(writer) => (*writer).into_inner().map_err(internal),
            Container::Stream(writer) => (*writer).into_inner().map_err(internal),
        }
    }

    fn batch(&self, articles: &[EmbeddedArticle]) -> Result<RecordBatch> {
        let rows = articles
            .iter()
            .map(|article| values(&article.stored.article));
        let rows = rows.collect::<Result<Vec<_>>>()?;
        let columns = self.schema.fields().iter().map(|field| {
            if self.with_vectors && field.name() == PASSAGE_COLUMN {
                return passages::column(field, articles);
            }
            let of_field: Vec<_> = rows.iter().map(|row| row.get(field.name())).collect();
            arrays::column(field, &of_field)
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        RecordBatch::try_new(self.schema.clone(), columns).map_err(internal)
    }
}

/// The values of an article by the names of their columns.
fn values(article: &Article) -> Result<Map<String, Value>> {
    let row = Row::of(article);
    let beyond = more::beyond(article, &row).map_err(internal)?;
    let Value::Object(mut values) = serde_json::to_value(&row).map_err(internal)? else {
        return Err(internal("a row is no object"));
    };
    if !beyond.is_empty() {
        values.insert(MORE.to_owned(), Value::Object(beyond).to_string().into());
    }
    Ok(values)
}

fn properties(schema: &SchemaRef) -> Result<WriterProperties> {
    // Also where readers look that do not know Arrow's schema.
    let mut metadata: Vec<KeyValue> = schema
        .metadata()
        .iter()
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
        .collect();
    metadata.sort_by(|one, other| one.key.cmp(&other.key));
    let path = [PASSAGE_COLUMN, "list", "item", VECTOR, "list", "item"];
    let path = ColumnPath::new(path.map(str::to_owned).to_vec());
    let level = ZstdLevel::try_new(3).map_err(internal)?;
    Ok(WriterProperties::builder()
        .set_created_by(format!(
            "medsift {} (columns {VERSION})",
            env!("CARGO_PKG_VERSION")
        ))
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        // No two numbers of a vector are alike.
        .set_column_dictionary_enabled(path, false)
        .set_key_value_metadata(Some(metadata))
        .build())
}
