//! What an index remembers beyond its articles, so that the order in which
//! files are applied does not matter.

use super::commit::{Commit, CountedFile};
use super::fallbacks::Fallbacks;
use super::layout::Layout;
use super::tombstones::Tombstones;
use crate::error::Result;
use std::path::PathBuf;

/// Deletions, and records that may come to hold.
pub(super) struct Provenance {
    folder: PathBuf,
    pub(super) tombstones: Tombstones,
    pub(super) fallbacks: Fallbacks,
}

impl Provenance {
    /// Reads what a commit names.
    pub(super) fn open(layout: &Layout, commit: &Commit) -> Result<Self> {
        let folder = layout.provenance();
        let tombstones = match &commit.tombstones {
            Some(counted) => Tombstones::read(&folder, &counted.file)?,
            None => Tombstones::default(),
        };
        let fallbacks = match &commit.fallbacks {
            Some(counted) => Fallbacks::read(&folder, &counted.file)?,
            None => Fallbacks::default(),
        };
        Ok(Self {
            folder,
            tombstones,
            fallbacks,
        })
    }

    /// Whether there is something that no commit holds.
    pub(super) fn is_changed(&self) -> bool {
        self.tombstones.is_changed() || self.fallbacks.is_changed()
    }

    /// Writes what changed, for a commit to name.
    pub(super) fn write(&self, commit: &mut Commit, name: &str) -> Result<()> {
        if self.tombstones.is_changed() {
            let file = self
                .tombstones
                .write(&self.folder, &format!("{name}.tombstones"))?;
            let entries = self.tombstones.len();
            commit.tombstones = Some(CountedFile { file, entries });
        }
        if self.fallbacks.is_changed() {
            let entries = self.fallbacks.len();
            commit.fallbacks = if entries == 0 {
                None
            } else {
                let file = self
                    .fallbacks
                    .write(&self.folder, &format!("{name}.fallbacks"))?;
                Some(CountedFile { file, entries })
            };
        }
        Ok(())
    }

    /// A commit holds everything.
    pub(super) fn committed(&mut self) {
        self.tombstones.committed();
        self.fallbacks.committed();
    }
}
