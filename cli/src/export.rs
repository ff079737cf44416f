//! Where an export goes, and in which format.

use crate::error::{CliError, Result};
use crate::output::Output;
use crate::whole_file::WholeFile;
use medsift::Error;
use medsift::columnar::{ColumnWriter, VectorModel};
use medsift::index::Commit;
use medsift::searcher::{EmbeddedArticle, ExportFormat, ListFormat, Searcher, TextList, Walk};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name of the documents in a folder of the BEIR benchmark.
const CORPUS: &str = "corpus.jsonl";

/// What takes articles.
pub(crate) enum Sink {
    /// Text on standard output or in a file.
    Text(TextSink),
    /// Columns in a file, with vectors or without.
    Columns(Box<ColumnWriter<WholeFile>>, bool),
}

/// A text, where it goes, and the ids of its articles where they are wanted.
pub(crate) struct TextSink {
    list: TextList,
    file: Option<Box<WholeFile>>,
    ids: Option<HashSet<String>>,
}

impl Sink {
    /// Opens a file, or standard output.
    pub(crate) fn open(
        format: ListFormat,
        output: Option<&Path>,
        vectors: bool,
        commit: &Commit,
    ) -> Result<Self> {
        match format {
            ListFormat::Text(format) => {
                let path = output.map(|path| text_path(format, path)).transpose()?;
                let file = path.map(|path| WholeFile::create(&path)).transpose()?;
                Ok(Self::Text(TextSink {
                    list: TextList::new(format),
                    file: file.map(Box::new),
                    ids: None,
                }))
            }
            ListFormat::Columns(format) => {
                let path = output.ok_or_else(|| CliError::Usage("name an --output".to_owned()))?;
                let model = vectors.then(|| VectorModel::of(commit));
                let file = WholeFile::create(path)?;
                let writer = ColumnWriter::new(file, format, model.as_ref())?;
                Ok(Self::Columns(Box::new(writer), vectors))
            }
        }
    }

    /// Keeps the ids of what is written.
    pub(crate) fn remember_ids(&mut self) {
        if let Self::Text(sink) = self {
            sink.ids = Some(HashSet::new());
        }
    }

    /// Those that were kept.
    pub(crate) fn take_ids(&mut self) -> HashSet<String> {
        match self {
            Self::Text(sink) => sink.ids.take().unwrap_or_default(),
            Self::Columns(..) => HashSet::new(),
        }
    }

    /// Writes what stands before the first article.
    pub(crate) fn begin(&mut self, out: &mut Output) -> Result<()> {
        match self {
            Self::Text(sink) => {
                let head = sink.list.head();
                sink.text(out, &head)
            }
            Self::Columns(..) => Ok(()),
        }
    }

    /// Writes the next articles of a walk, and says how many they were; 0 at
    /// its end.
    pub(crate) fn write(
        &mut self,
        out: &mut Output,
        searcher: &Searcher,
        walk: &mut Walk,
        most: usize,
    ) -> Result<usize> {
        match self {
            Self::Text(sink) => {
                let articles = searcher.advance(walk, most)?;
                let mut written = String::new();
                for stored in &articles {
                    sink.list.push(&stored.article, &mut written)?;
                    if let Some(ids) = &mut sink.ids {
                        ids.insert(stored.article.id.to_string());
                    }
                }
                sink.text(out, &written)?;
                Ok(articles.len())
            }
            Self::Columns(writer, vectors) => {
                let articles = if *vectors {
                    searcher.advance_embedded(walk, most)?
                } else {
                    let bare = |stored| EmbeddedArticle {
                        stored,
                        passages: Vec::new(),
                    };
                    searcher
                        .advance(walk, most)?
                        .into_iter()
                        .map(bare)
                        .collect()
                };
                writer.write(&articles)?;
                Ok(articles.len())
            }
        }
    }

    /// Ends it; a file is in its place then.
    pub(crate) fn finish(self, out: &mut Output) -> Result<()> {
        match self {
            Self::Text(mut sink) => {
                let tail = sink.list.tail();
                sink.text(out, &tail)?;
                match sink.file {
                    Some(file) => file.finish(),
                    None => Ok(()),
                }
            }
            Self::Columns(writer, _) => writer.finish()?.finish(),
        }
    }
}

impl TextSink {
    fn text(&mut self, out: &mut Output, text: &str) -> Result<()> {
        match &mut self.file {
            Some(file) => file
                .write_all(text.as_bytes())
                .map_err(|error| CliError::failure(format!("cannot write the output: {error}"))),
            None => out.text(text),
        }
    }
}

/// A data set of BEIR is a folder.
fn text_path(format: ExportFormat, output: &Path) -> Result<PathBuf> {
    if format != ExportFormat::Beir {
        return Ok(output.to_owned());
    }
    std::fs::create_dir_all(output).map_err(|error| Error::io("make", output, error))?;
    Ok(output.join(CORPUS))
}
