//! The articles of bibliographic files for training, and what became of every
//! record.

use crate::context::Context;
use crate::error::{CliError, Result};
use indicatif::ProgressBar;
use medsift::Article;
use medsift_indexer::source;
use medsift_indexer::{Record, RecordReader};
use medsift_training::data::corpus::ArticleSource;
use medsift_training::data::refuse_evaluation_set;
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Faults that are kept in words; the rest are counted.
const NAMED_FAULTS: usize = 10;

/// What became of the records; the parts add up to `records`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ArticleCounts {
    /// Files opened.
    pub(crate) files: usize,
    /// Records in them.
    pub(crate) records: u64,
    /// Articles given out.
    pub(crate) articles: u64,
    /// Withdrawals of an article.
    pub(crate) deletions: u64,
    /// Records that could not be read.
    pub(crate) faulty: u64,
    /// The first of these in words.
    pub(crate) faults: Vec<String>,
}

impl ArticleCounts {
    /// Says on standard error what could not be read.
    pub(crate) fn tell_faults(&self, context: &Context) {
        if self.faulty == 0 {
            return;
        }
        context.note(&format!("{} records could not be read:", self.faulty));
        for fault in &self.faults {
            context.note(&format!("  {fault}"));
        }
        let named = self.faults.len() as u64;
        if self.faulty > named {
            context.note(&format!("  and {} more", self.faulty - named));
        }
    }
}

/// How a training reads files of articles. Records that cannot be read are
/// left out, and a warning counts them at each file's end.
pub(crate) fn source() -> ArticleSource {
    ArticleSource::new(|path| {
        let articles = Articles::read(&[path.to_owned()], ProgressBar::hidden())?;
        let path = path.to_owned();
        Ok(Box::new(Told { articles, path }))
    })
}

/// Articles of one file, with a warning behind the last.
struct Told {
    articles: Articles,
    path: PathBuf,
}

impl Iterator for Told {
    type Item = medsift::Result<Article>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.articles.next();
        let counts = &self.articles.counts;
        if next.is_none() && counts.faulty > 0 {
            tracing::warn!(
                "{}: {} of {} records could not be read, the first: {}",
                self.path.display(),
                counts.faulty,
                counts.records,
                counts.faults.first().map_or("", String::as_str)
            );
        }
        next
    }
}

/// Articles of files one after another. It ends after an error.
pub(crate) struct Articles {
    files: std::vec::IntoIter<PathBuf>,
    reader: Option<RecordReader>,
    bar: ProgressBar,
    done: u64,
    counts: ArticleCounts,
    deleted: HashSet<String>,
}

impl Articles {
    /// The articles of files, folders and patterns, none of which may be of a
    /// set for measuring; a bar of bytes shows how far reading has come.
    pub(crate) fn open(inputs: &[PathBuf], bar: ProgressBar) -> Result<Self> {
        Ok(Self::read(inputs, bar)?)
    }

    fn read(inputs: &[PathBuf], bar: ProgressBar) -> medsift::Result<Self> {
        let files = source::expand(inputs)?;
        for file in &files {
            refuse_evaluation_set(file)?;
        }
        let sizes = files.iter().map(|file| file.metadata());
        let bytes = sizes.flatten().map(|found| found.len()).sum();
        bar.set_length(bytes);
        Ok(Self {
            files: files.into_iter(),
            reader: None,
            bar,
            done: 0,
            counts: ArticleCounts::default(),
            deleted: HashSet::new(),
        })
    }

    /// Refuses to write over a file that is read.
    pub(crate) fn refuse_as_output(&self, output: &Path) -> Result<()> {
        let Ok(output) = output.canonicalize() else {
            return Ok(());
        };
        let same = |file: &PathBuf| file.canonicalize().is_ok_and(|path| path == output);
        if self.files.as_slice().iter().any(same) {
            return Err(CliError::Usage(format!(
                "{} is one of the files that are read: name another --output",
                output.display()
            )));
        }
        Ok(())
    }

    /// What has been read so far.
    pub(crate) fn counts(&self) -> &ArticleCounts {
        &self.counts
    }

    /// Ids that were withdrawn behind their articles, or without one.
    pub(crate) fn deleted(&self) -> &HashSet<String> {
        &self.deleted
    }

    /// The next record of the present file, or `None` at its end.
    fn next_record(&mut self) -> Option<Record> {
        let reader = self.reader.as_mut()?;
        let record = reader.next();
        let read = reader.progress().read_bytes();
        self.bar.set_position(self.done + read);
        if record.is_none() {
            self.done += read;
            self.reader = None;
        }
        record
    }

    fn take(&mut self, record: Record) -> Option<Article> {
        self.counts.records += 1;
        match record {
            Record::Article(article) => {
                self.counts.articles += 1;
                // A record that comes after its withdrawal stands again.
                self.deleted.remove(article.id.as_str());
                Some(*article)
            }
            Record::Embedded(embedded) => {
                self.counts.articles += 1;
                self.deleted.remove(embedded.article.id.as_str());
                Some(embedded.article)
            }
            Record::Deletion(id) => {
                self.counts.deletions += 1;
                self.deleted.insert(id.as_str().to_owned());
                None
            }
            Record::Fault(fault) => {
                self.counts.faulty += 1;
                if self.counts.faults.len() < NAMED_FAULTS {
                    self.counts.faults.push(fault.to_string());
                }
                None
            }
        }
    }
}

impl Iterator for Articles {
    type Item = medsift::Result<Article>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.next_record() {
                if let Some(article) = self.take(record) {
                    return Some(Ok(article));
                }
                continue;
            }
            let file = self.files.next()?;
            match source::open_without_vectors(&file) {
                Ok((_, reader)) => {
                    self.counts.files += 1;
                    self.reader = Some(reader);
                }
                Err(error) => {
                    self.files = Vec::new().into_iter();
                    return Some(Err(error));
                }
            }
        }
    }
}
