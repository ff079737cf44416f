//! Records of an older version in a later file than the article's.
//!
//! Version 2 in file 3 hides version 1 in file 7. When the deletion of file 5
//! is applied after both, version 2 goes and version 1 holds, as it would have
//! if the files had come in their order. So version 1 is kept until then.

use super::files::{read_file, write_file};
use super::order::{FileNumber, is_older, nlm_number};
use super::stored::StoredArticle;
use crate::article::ArticleId;
use crate::error::{Error, Result};
use crate::vector::FileMeta;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

/// What articles fall back to. Of each article only records are kept that
/// could still come to hold: the older the version, the later the file.
#[derive(Debug, Default)]
pub(super) struct Fallbacks {
    /// Newest version first.
    kept: BTreeMap<ArticleId, Vec<StoredArticle>>,
    changed: bool,
}

impl Fallbacks {
    /// Keeps a record of an older version than the article's.
    pub(super) fn keep(&mut self, record: StoredArticle) {
        let file = nlm_number(&record.source);
        let version = record.article.version;
        let kept = self.kept.entry(record.article.id.clone()).or_default();
        let is_hidden_by = |other: &StoredArticle| {
            let there = nlm_number(&other.source);
            match other.article.version.cmp(&version) {
                Ordering::Greater => !is_older(there, file),
                Ordering::Equal => is_older(file, there) || *other == record,
                Ordering::Less => false,
            }
        };
        if kept.iter().any(is_hidden_by) {
            return;
        }
        kept.retain(|other| {
            other.article.version > version || is_older(file, nlm_number(&other.source))
        });
        let place = kept.partition_point(|other| other.article.version > version);
        kept.insert(place, record);
        self.changed = true;
    }

    /// The article now dates from a file: what is not of a later one can no
    /// longer come to hold.
    pub(super) fn outdate(&mut self, id: &ArticleId, file: FileNumber) {
        if file.is_some() {
            self.retain(id, |kept| is_older(file, nlm_number(&kept.source)));
        }
    }

    /// A file deleted the article: gives what holds instead, and keeps what
    /// may hold after that.
    pub(super) fn take(&mut self, id: &ArticleId, deleted: FileNumber) -> Option<StoredArticle> {
        self.retain(id, |kept| is_older(deleted, nlm_number(&kept.source)));
        let kept = self.kept.get_mut(id)?;
        // None of them is left empty.
        let first = kept.remove(0);
        if kept.is_empty() {
            self.kept.remove(id);
        }
        self.changed = true;
        Some(first)
    }

    fn retain(&mut self, id: &ArticleId, keep: impl Fn(&StoredArticle) -> bool) {
        let Some(kept) = self.kept.get_mut(id) else {
            return;
        };
        let before = kept.len();
        kept.retain(keep);
        self.changed |= kept.len() < before;
        if kept.is_empty() {
            self.kept.remove(id);
        }
    }

    /// Records that are kept.
    pub(super) fn len(&self) -> u64 {
        self.kept.values().map(|kept| kept.len() as u64).sum()
    }

    /// All of them, by article.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&ArticleId, &[StoredArticle])> {
        self.kept.iter().map(|(id, kept)| (id, kept.as_slice()))
    }

    /// Whether there is something that no commit holds.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// A commit holds everything.
    pub(super) fn committed(&mut self) {
        self.changed = false;
    }

    /// Writes them to a new file, one JSON object a line.
    pub(super) fn write(&self, folder: &Path, name: &str) -> Result<FileMeta> {
        let mut lines = Vec::new();
        for record in self.kept.values().flatten() {
            lines.extend(record.to_bytes()?);
            lines.push(b'\n');
        }
        write_file(folder, name, &lines)
    }

    /// Reads them from a file that a commit names.
    pub(super) fn read(folder: &Path, meta: &FileMeta) -> Result<Self> {
        let bytes = read_file(folder, meta)?;
        let mut fallbacks = Self::default();
        for line in bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            let record = StoredArticle::parse(line)
                .map_err(|e| Error::corrupt(&folder.join(&meta.name), e))?;
            fallbacks.keep(record);
        }
        fallbacks.changed = false;
        Ok(fallbacks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::article::Article;

    fn id() -> ArticleId {
        ArticleId::new("1").unwrap()
    }

    fn record(version: u32, number: u32) -> StoredArticle {
        let mut article = Article::new(id());
        article.version = version;
        StoredArticle::new(
            article,
            &format!("pubmed25n{number:04}.xml"),
            crate::index::Completeness::Full,
        )
        .unwrap()
    }

    fn versions(fallbacks: &Fallbacks) -> Vec<u32> {
        let kept = fallbacks.iter().flat_map(|(_, kept)| kept);
        kept.map(|record| record.article.version).collect()
    }

    #[test]
    fn what_can_never_hold_is_not_kept() {
        let mut fallbacks = Fallbacks::default();
        fallbacks.keep(record(3, 5));
        fallbacks.keep(record(1, 7));
        // Older and earlier than what is there.
        fallbacks.keep(record(2, 4));
        assert_eq!(versions(&fallbacks), [3, 1]);
        // Newer and later than version 1.
        fallbacks.keep(record(2, 8));
        assert_eq!(versions(&fallbacks), [3, 2]);
        fallbacks.outdate(&id(), Some((25, 5)));
        assert_eq!(versions(&fallbacks), [2]);
    }

    #[test]
    fn a_deletion_takes_what_is_later_than_it() {
        let mut fallbacks = Fallbacks::default();
        fallbacks.keep(record(3, 5));
        fallbacks.keep(record(2, 7));
        fallbacks.keep(record(1, 9));
        let holds = fallbacks.take(&id(), Some((25, 6)));
        assert_eq!(holds, Some(record(2, 7)));
        assert_eq!(versions(&fallbacks), [1]);
        assert_eq!(fallbacks.take(&id(), Some((25, 9))), None);
        assert_eq!(fallbacks.len(), 0);
    }

    #[test]
    fn what_is_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let mut fallbacks = Fallbacks::default();
        fallbacks.keep(record(3, 5));
        fallbacks.keep(record(2, 7));
        let meta = fallbacks.write(dir.path(), "1").unwrap();
        let read = Fallbacks::read(dir.path(), &meta).unwrap();
        assert_eq!(read.kept, fallbacks.kept);
        assert!(!read.is_changed());
    }
}
