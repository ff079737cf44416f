use super::batch::Batch;
use super::vectors;
use super::{FileReport, Session};
use crate::RecordReader;
use crate::record::{Fault, Record};
use crate::source::{self, SourceInfo};
use medsift::columnar::GivenPassages;
use medsift::index::{
    AppliedFile, Change, Completeness, Ledger, Origin, QuarantinedRecord, Removal, nlm_number,
};
use medsift::{Article, ArticleId, Result};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Records that may wait between the reader and the writer.
const CHANNEL: usize = 64;

/// One file on its way into the index.
pub(super) struct FileRun<'s, 'j> {
    session: &'s mut Session<'j>,
    batch: Batch,
    applied: AppliedFile,
    report: FileReport,
    completeness: Completeness,
}

impl<'s, 'j> FileRun<'s, 'j> {
    /// Applies a file from where an earlier job left it.
    pub(super) fn apply(
        session: &'s mut Session<'j>,
        path: &Path,
        position: usize,
        of: usize,
    ) -> Result<FileReport> {
        let opened = match session.job.reencode {
            true => source::open_without_vectors(path),
            false => source::open(path),
        };
        let (info, reader) = match opened {
            Ok(opened) => opened,
            Err(e) => return Ok(refused(path, e.to_string())),
        };
        session
            .progress
            .file_started(&info.name, position, of, info.bytes);
        if let Some(given) = &info.vectors
            && let Err(reason) = vectors::check_model(given, session.job)
        {
            return Ok(FileReport {
                format: Some(info.format.to_string()),
                ..refused(path, format!("{} {reason}", path.display()))
            });
        }
        let completeness = info.format.completeness();
        let former = former(session, &info);
        let mut report = FileReport {
            name: info.name.clone(),
            format: Some(info.format.to_string()),
            ..FileReport::default()
        };
        if let Some(done) = former.as_ref().filter(|file| file.complete) {
            report.skipped = Some(if done.name == info.name {
                "already in the index".to_owned()
            } else {
                format!("already in the index as {}", done.name)
            });
            return Ok(report);
        }
        let applied = former.unwrap_or_else(|| AppliedFile {
            name: info.name,
            sha256: info.sha256,
            bytes: info.bytes,
            records: 0,
            complete: false,
            ledger: Ledger::default(),
        });
        report.resumed_after = applied.records;
        let run = FileRun {
            session,
            batch: Batch::default(),
            applied,
            report,
            completeness,
        };
        run.read(reader)
    }

    fn read(self, mut reader: RecordReader) -> Result<FileReport> {
        let position = reader.progress();
        let skip = self.applied.records;
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(CHANNEL);
            scope.spawn(move || send_all(&mut reader, skip, &sender));
            // The receiver ends with this call, and the sender with it.
            self.take(receiver, &position)
        })
    }

    fn take(mut self, records: Receiver<Record>, position: &crate::Progress) -> Result<FileReport> {
        let mut since_pause = 0;
        let mut held = None;
        for record in records {
            if let Some(fault) = held.take() {
                self.quarantine(&fault);
            }
            match record {
                // Whether it is the record's fault or the file's shows when
                // another record follows, or none.
                Record::Fault(fault) => held = Some(fault),
                Record::Article(article) => self.article(*article, None)?,
                Record::Embedded(embedded) => {
                    let embedded = *embedded;
                    let given = GivenPassages {
                        passages: embedded.passages,
                        vectors: embedded.vectors,
                    };
                    self.article(embedded.article, Some(given))?;
                }
                Record::Deletion(id) => self.deletion(&id)?,
            }
            since_pause += 1;
            // Counted in records, since a file may change nothing for long.
            if since_pause >= self.session.job.settings.batch_articles {
                since_pause = 0;
                self.flush()?;
                self.session.progress.file_position(position.read_bytes());
                self.session.progress.records(&self.report.ledger);
                if self.pause()?.is_break() {
                    self.report.interrupted = true;
                    return Ok(self.report);
                }
            }
        }
        let failure = position.failure();
        if let Some(fault) = held.filter(|_| failure.is_none()) {
            self.quarantine(&fault);
        }
        self.flush()?;
        self.applied.complete = failure.is_none();
        self.report.damaged = position
            .damage()
            .filter(|_| failure.is_none())
            .map(|damage| format!("{damage}: what follows in the file is missing"));
        self.report.refused = failure;
        self.note();
        self.session.progress.file_position(position.read_bytes());
        self.session.progress.records(&self.report.ledger);
        Ok(self.report)
    }

    /// Decides what an article does. The batch is written first when it holds
    /// another state of the article.
    fn article(&mut self, article: Article, given: Option<GivenPassages>) -> Result<()> {
        if self.batch.holds(&article.id) {
            self.flush()?;
        }
        let origin = Origin {
            file: &self.applied.name,
            completeness: self.completeness,
            replace: self.session.job.replace,
        };
        let (change, stored) = self.session.writer.classify(article, &origin)?;
        if matches!(change, Change::Replaced) && self.session.writer.needs_commit(&stored) {
            self.flush()?;
            // Without this record, which is not in yet.
            self.note();
            self.session.commit()?;
        }
        let ledger = &mut self.report.ledger;
        ledger.read += 1;
        match change {
            Change::Added => ledger.added += 1,
            Change::Replaced => ledger.replaced += 1,
            Change::Unchanged | Change::Deleted => {
                ledger.unchanged += 1;
                return Ok(());
            }
            Change::Kept => {
                ledger.unchanged += 1;
                self.report.kept += 1;
                return Ok(());
            }
        }
        self.batch.push(stored, given);
        Ok(())
    }

    fn deletion(&mut self, id: &ArticleId) -> Result<()> {
        if self.batch.holds(id) {
            self.flush()?;
        }
        let removal = self.session.writer.delete(id, &self.applied.name)?;
        let ledger = &mut self.report.ledger;
        ledger.read += 1;
        match removal {
            Removal::Deleted => ledger.deleted += 1,
            Removal::Unchanged => ledger.unchanged += 1,
            Removal::Replaced(holds) => {
                ledger.replaced += 1;
                self.batch.push(*holds, None);
            }
        }
        Ok(())
    }

    fn quarantine(&mut self, fault: &Fault) {
        // The report tells it; at this level it would be told twice.
        tracing::debug!("{fault}");
        self.report.ledger.read += 1;
        self.report.ledger.quarantined += 1;
        let record = QuarantinedRecord {
            file: self.applied.name.clone(),
            byte_offset: fault.byte_offset,
            ordinal: fault.ordinal.saturating_sub(1),
            id: fault.id.clone(),
            reason: fault.reason.clone(),
            raw: String::from_utf8_lossy(&fault.raw).into_owned(),
        };
        self.report.faults.push(QuarantinedRecord {
            raw: String::new(),
            ..record.clone()
        });
        self.session.writer.quarantine(record);
    }

    fn flush(&mut self) -> Result<()> {
        let job = self.session.job;
        self.batch
            .write(&job.encoder, job.passages, &mut self.session.writer)
    }

    /// After a batch: commits when it is time, and says whether to stop.
    fn pause(&mut self) -> Result<ControlFlow<()>> {
        self.note();
        if self.session.progress.cancelled() {
            return Ok(ControlFlow::Break(()));
        }
        self.session.commit_if_due()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Tells the writer how far the file has come, for its next commit.
    fn note(&mut self) {
        let mut applied = self.applied.clone();
        applied.records += self.report.ledger.read;
        applied.ledger += self.report.ledger;
        self.session.writer.note_source(applied);
    }
}

/// Reads until the end, or until nobody takes records any more.
fn send_all(reader: &mut RecordReader, skip: u64, sender: &SyncSender<Record>) {
    let mut passed_over = 0;
    for record in reader {
        if passed_over < skip {
            passed_over += 1;
            continue;
        }
        if sender.send(record).is_err() {
            return;
        }
    }
}

/// The same content as it was applied before, under whatever name, unless this
/// name says that it is newer.
fn former(session: &Session<'_>, info: &SourceInfo) -> Option<AppliedFile> {
    let mut same: Vec<&AppliedFile> = session
        .writer
        .sources()
        .iter()
        .filter(|file| file.sha256 == info.sha256)
        .filter(|file| nlm_number(&file.name) >= nlm_number(&info.name))
        // What was kept from it the first time may be taken now.
        .filter(|file| !(session.job.replace && file.complete))
        .collect();
    same.sort_by_key(|file| (file.complete, file.name == info.name));
    match same.last() {
        Some(file) if file.complete || file.name == info.name => Some((*file).clone()),
        _ => None,
    }
}

fn refused(path: &Path, reason: String) -> FileReport {
    FileReport {
        name: path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned(),
        refused: Some(reason),
        ..FileReport::default()
    }
}
