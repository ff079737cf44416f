//! Articles as a file that is made part by part.

use axum::body::Bytes;
use medsift::Result;
use medsift::columnar::{ColumnWriter, VectorModel};
use medsift::index::Commit;
use medsift::searcher::{EmbeddedArticle, ListFormat, Searcher, TextList, Walk};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Articles that are fetched and written at a time.
const BATCH: usize = 200;

/// Bytes of a row group of Parquet: what an export holds in memory, and sends at
/// a time.
const ROW_GROUP: usize = 4 << 20;

/// A file that is being made.
pub(crate) enum Exported {
    /// A text.
    Text(TextList),
    /// Columns, with vectors or without, and what of them is not sent yet. The
    /// writer is gone when the file is whole.
    Columns {
        writer: Option<Box<ColumnWriter<Written>>>,
        written: Written,
        vectors: bool,
    },
}

/// The next bytes of a file, and whether they are the last.
pub(crate) struct Part {
    pub(crate) bytes: Bytes,
    pub(crate) is_last: bool,
}

/// Bytes that are written and not taken yet.
#[derive(Clone, Default)]
pub(crate) struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Exported {
    /// Begins a file; what stands before the first article goes with the first
    /// part.
    ///
    /// # Errors
    /// `Internal` where columns cannot be written.
    pub(crate) fn new(format: ListFormat, vectors: bool, commit: &Commit) -> Result<Self> {
        Ok(match format {
            ListFormat::Text(format) => Self::Text(TextList::new(format)),
            ListFormat::Columns(format) => {
                let written = Written::default();
                let model = vectors.then(|| VectorModel::of(commit));
                let writer = ColumnWriter::new(written.clone(), format, model.as_ref())?;
                Self::Columns {
                    writer: Some(Box::new(writer.with_row_groups_of(ROW_GROUP))),
                    written,
                    vectors,
                }
            }
        })
    }

    /// What stands before the first article.
    pub(crate) fn head(&self) -> Bytes {
        match self {
            Self::Text(list) => list.head().into(),
            Self::Columns { written, .. } => written.take().into(),
        }
    }

    /// Writes the next articles of a walk; at its end, what stands behind them.
    /// A part of columns may be empty, where a row group is not full.
    ///
    /// # Errors
    /// Where an article cannot be read or written.
    pub(crate) fn next(&mut self, searcher: &Searcher, walk: &mut Walk) -> Result<Part> {
        match self {
            Self::Text(list) => {
                let articles = searcher.advance(walk, BATCH)?;
                let is_last = articles.is_empty();
                let mut text = String::new();
                for stored in &articles {
                    list.push(&stored.article, &mut text)?;
                }
                if is_last {
                    text = list.tail();
                }
                let bytes = text.into();
                Ok(Part { bytes, is_last })
            }
            Self::Columns {
                writer,
                written,
                vectors,
            } => {
                let articles = fetch(searcher, walk, *vectors)?;
                let is_last = articles.is_empty();
                if is_last {
                    writer.take().map(|writer| writer.finish()).transpose()?;
                } else if let Some(writer) = writer {
                    writer.write(&articles)?;
                }
                let bytes = written.take().into();
                Ok(Part { bytes, is_last })
            }
        }
    }
}

fn fetch(searcher: &Searcher, walk: &mut Walk, vectors: bool) -> Result<Vec<EmbeddedArticle>> {
    if vectors {
        return searcher.advance_embedded(walk, BATCH);
    }
    let bare = |stored| EmbeddedArticle {
        stored,
        passages: Vec::new(),
    };
    Ok(searcher
        .advance(walk, BATCH)?
        .into_iter()
        .map(bare)
        .collect())
}
