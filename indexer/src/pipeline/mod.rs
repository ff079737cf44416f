//! From source files to commits: read, classify, embed, write.
//!
//! A thread reads and parses; the caller's thread decides what each record
//! does, embeds articles batch by batch on the encoder's cores, and commits.
//! Both are joined by a bounded channel, so memory is bounded by a batch.
//!
//! What is committed is always a prefix of the work: all records of a file up
//! to some record, after all records of the files before it.

mod batch;
mod file;
mod progress;
mod report;
mod settings;
mod vectors;

pub use progress::{Progress, Silent};
pub use report::{FileReport, IndexReport};
pub use settings::IndexSettings;

use crate::source;
use file::FileRun;
use medsift::encoder::Encoder;
use medsift::index::{IndexWriter, PassageMode, nlm_number};
use medsift::{Error, Result};
use progress::Commits;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to index, where, and with what.
pub struct IndexJob {
    /// The index directory; made when it is not there.
    pub index_dir: PathBuf,
    /// Files, folders and globs, applied in the order given; the files of a
    /// folder or glob in natural order of their names.
    pub inputs: Vec<PathBuf>,
    /// Embeds the passages.
    pub encoder: Arc<Encoder>,
    /// Where the model can be found again, noted in the index.
    pub model_location: String,
    /// How articles become passages.
    pub passages: PassageMode,
    /// Whether records take the place of articles that say more than they do.
    pub replace: bool,
    /// Whether the vectors in files are passed over, and made anew.
    pub reencode: bool,
    /// Batches, commits and graphs.
    pub settings: IndexSettings,
}

/// The writer with what decides when it commits.
struct Session<'a> {
    job: &'a IndexJob,
    progress: &'a dyn Progress,
    writer: IndexWriter,
    last_commit: Instant,
}

/// Applies every input that the index does not hold yet.
///
/// A file that is refused or cannot be opened is reported and the next one is
/// read; it makes [`IndexReport::is_clean`] false. When
/// [`Progress::cancelled`] says so, the current batch is finished and
/// committed, and the report says that the job is not complete.
///
/// # Errors
///
/// What makes going on pointless: an index that cannot be opened or written,
/// an encoder that fails, inputs that name nothing.
pub fn run(job: &IndexJob, progress: &dyn Progress) -> Result<IndexReport> {
    let mut files = source::expand(&job.inputs)?;
    sort_nlm_files(&mut files);
    if files.is_empty() {
        return Err(Error::invalid(
            "inputs",
            "nothing to index: the inputs name no file",
        ));
    }
    job.settings.check()?;
    let writer = IndexWriter::open(
        &job.index_dir,
        job.encoder.fingerprint(),
        &job.model_location,
        job.passages,
        job.settings.writer.clone(),
    )?;
    let mut session = Session {
        job,
        progress,
        writer,
        last_commit: Instant::now(),
    };
    let mut report = IndexReport::default();
    for (position, file) in files.iter().enumerate() {
        if progress.cancelled() {
            report.cancelled = true;
            break;
        }
        let file_report = FileRun::apply(&mut session, file, position, files.len())?;
        report.cancelled |= file_report.interrupted;
        progress.file_done(&file_report);
        report.push(file_report);
        session.commit_if_due()?;
    }
    session.commit()?;
    report.generation = session.writer.committed().generation;
    report.articles = session.writer.committed().articles;
    session.writer.close()?;
    Ok(report)
}

/// Puts baseline and update files into the order of their numbers, in the
/// places that such files have: what is newer has to be applied later.
fn sort_nlm_files(files: &mut [PathBuf]) {
    let number = |file: &PathBuf| nlm_number(&file.file_name()?.to_string_lossy());
    let places: Vec<usize> = (0..files.len())
        .filter(|&place| number(&files[place]).is_some())
        .collect();
    let mut numbered: Vec<PathBuf> = places.iter().map(|&place| files[place].clone()).collect();
    numbered.sort_by_key(number);
    for (place, file) in places.into_iter().zip(numbered) {
        files[place] = file;
    }
}

impl Session<'_> {
    fn commit_if_due(&mut self) -> Result<()> {
        let settings = &self.job.settings;
        let quarantined = self.writer.pending_quarantine() >= settings.commit_articles;
        let waited = self.last_commit.elapsed() >= Duration::from_secs(settings.commit_seconds);
        if waited || quarantined || self.writer.pending_articles() >= settings.commit_articles {
            self.commit()?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let before = self.writer.committed().generation;
        let generation = self.writer.commit_watched(&Commits(self.progress))?;
        self.last_commit = Instant::now();
        if generation != before {
            self.progress.committed(generation);
        }
        Ok(())
    }
}
