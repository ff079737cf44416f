//! Which articles NLM deleted, and in which file last.
//!
//! On disk: a mark, then for each file its year, its number, the bytes of a
//! bitmap of PMIDs and the bitmap, and the ids that are no PMIDs, each behind
//! its length. Numbers are little-endian and 32 bits wide.

use super::files::{read_file, write_file};
use crate::article::ArticleId;
use crate::error::{Error, Result};
use crate::vector::FileMeta;
use roaring::RoaringBitmap;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// First bytes of the file; the last says which layout follows.
const MARK: &[u8; 8] = b"mstombs1";

/// The newest deletion of each article. At most one entry an id, so its size
/// is bounded by the number of ids that were ever deleted.
#[derive(Debug, Default)]
pub(super) struct Tombstones {
    pmids: HashMap<u32, (u32, u32)>,
    others: HashMap<ArticleId, (u32, u32)>,
    changed: bool,
}

/// Deletions of one file.
#[derive(Default)]
struct Group<'a> {
    pmids: RoaringBitmap,
    others: Vec<&'a ArticleId>,
}

impl Tombstones {
    /// The newest file that deleted an article.
    pub(super) fn of(&self, id: &ArticleId) -> Option<(u32, u32)> {
        match pmid(id) {
            Some(pmid) => self.pmids.get(&pmid),
            None => self.others.get(id),
        }
        .copied()
    }

    /// Notes a deletion; one of an older file than is known says nothing.
    pub(super) fn bury(&mut self, id: &ArticleId, file: (u32, u32)) {
        if self.of(id).is_some_and(|known| known >= file) {
            return;
        }
        self.changed = true;
        match pmid(id) {
            Some(pmid) => self.pmids.insert(pmid, file),
            None => self.others.insert(id.clone(), file),
        };
    }

    /// Articles with a deletion.
    pub(super) fn len(&self) -> u64 {
        (self.pmids.len() + self.others.len()) as u64
    }

    /// Whether there is something that no commit holds.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// A commit holds everything.
    pub(super) fn committed(&mut self) {
        self.changed = false;
    }

    /// Writes them to a new file.
    pub(super) fn write(&self, folder: &Path, name: &str) -> Result<FileMeta> {
        let bytes = self
            .to_bytes()
            .map_err(|e| Error::io("write", &folder.join(name), e))?;
        write_file(folder, name, &bytes)
    }

    /// Reads them from a file that a commit names.
    pub(super) fn read(folder: &Path, meta: &FileMeta) -> Result<Self> {
        let bytes = read_file(folder, meta)?;
        Self::parse(&bytes).map_err(|what| Error::corrupt(&folder.join(&meta.name), what))
    }

    fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut groups: BTreeMap<(u32, u32), Group<'_>> = BTreeMap::new();
        for (pmid, file) in &self.pmids {
            groups.entry(*file).or_default().pmids.insert(*pmid);
        }
        for (id, file) in &self.others {
            groups.entry(*file).or_default().others.push(id);
        }
        let mut bytes = MARK.to_vec();
        for ((year, number), mut group) in groups {
            group.others.sort_unstable();
            let sizes = [group.pmids.serialized_size(), group.others.len()];
            for value in [year as usize, number as usize, sizes[0], sizes[1]] {
                let value = u32::try_from(value).map_err(std::io::Error::other)?;
                bytes.extend(value.to_le_bytes());
            }
            group.pmids.serialize_into(&mut bytes)?;
            for id in group.others {
                // An id has 256 bytes at most.
                bytes.extend((id.as_str().len() as u32).to_le_bytes());
                bytes.extend(id.as_str().as_bytes());
            }
        }
        Ok(bytes)
    }

    fn parse(bytes: &[u8]) -> std::result::Result<Self, String> {
        let mut rest = bytes
            .strip_prefix(MARK)
            .ok_or("it does not begin as a list of deletions")?;
        let mut tombstones = Self::default();
        while !rest.is_empty() {
            let file = (number(&mut rest)?, number(&mut rest)?);
            let (size, others) = (number(&mut rest)?, number(&mut rest)?);
            let bitmap = RoaringBitmap::deserialize_from(take(&mut rest, size)?)
                .map_err(|e| e.to_string())?;
            tombstones
                .pmids
                .extend(bitmap.iter().map(|pmid| (pmid, file)));
            for _ in 0..others {
                let length = number(&mut rest)?;
                let text =
                    std::str::from_utf8(take(&mut rest, length)?).map_err(|e| e.to_string())?;
                let id = ArticleId::new(text).map_err(|e| e.to_string())?;
                tombstones.others.insert(id, file);
            }
        }
        Ok(tombstones)
    }
}

/// An id as a number where that says all of it.
fn pmid(id: &ArticleId) -> Option<u32> {
    let text = id.as_str();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_plain.then(|| text.parse().ok()).flatten()
}

fn take<'a>(rest: &mut &'a [u8], bytes: u32) -> std::result::Result<&'a [u8], String> {
    let (taken, others) = rest
        .split_at_checked(bytes as usize)
        .ok_or("it ends too early")?;
    *rest = others;
    Ok(taken)
}

fn number(rest: &mut &[u8]) -> std::result::Result<u32, String> {
    let (taken, others) = rest.split_first_chunk().ok_or("it ends too early")?;
    *rest = others;
    Ok(u32::from_le_bytes(*taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ArticleId {
        ArticleId::new(text).unwrap()
    }

    fn some() -> Tombstones {
        let mut tombstones = Tombstones::default();
        for (text, number) in [("7", 3), ("007", 4), ("8", 3), ("MED-10", 3), ("7", 1)] {
            tombstones.bury(&id(text), (25, number));
        }
        tombstones
    }

    #[test]
    fn the_newest_deletion_stays() {
        let tombstones = some();
        assert_eq!(tombstones.of(&id("7")), Some((25, 3)));
        assert_eq!(tombstones.of(&id("007")), Some((25, 4)));
        assert_eq!(tombstones.of(&id("9")), None);
        assert_eq!(tombstones.len(), 4);
    }

    #[test]
    fn what_is_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let meta = some().write(dir.path(), "1").unwrap();
        let read = Tombstones::read(dir.path(), &meta).unwrap();
        assert_eq!((&read.pmids, &read.others), (&some().pmids, &some().others));
        assert!(!read.is_changed());
    }

    #[test]
    fn a_list_that_is_cut_anywhere_is_refused() {
        let bytes = some().to_bytes().unwrap();
        // Where a file's deletions end, the list could have ended as well.
        let whole = (0..bytes.len()).filter(|end| Tombstones::parse(&bytes[..*end]).is_ok());
        assert_eq!(whole.count(), 2);
        assert!(Tombstones::parse(b"something else").is_err());
    }
}
