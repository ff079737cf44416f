//! Whether an index may be written with what it is opened with.

use super::commit::{Commit, PassageMode};
use super::layout::Layout;
use crate::encoder::ModelFingerprint;
use crate::error::{Error, ErrorKind, Result};
use std::fs;
use std::path::Path;

/// Refuses another model or passage mode than the index was made with.
pub(super) fn check_fits(
    commit: &Commit,
    model: &ModelFingerprint,
    passages: PassageMode,
    dir: &Path,
) -> Result<()> {
    if commit.model != *model {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the index {} was made with model {}, not with {model}: give the same model, or \
                 make a new index in another folder",
                dir.display(),
                commit.model
            ),
        ));
    }
    if commit.passages != passages {
        return Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the index {} was made with passages {:?}: give the same setting, or make a new \
                 index in another folder",
                dir.display(),
                commit.passages
            ),
        ));
    }
    Ok(())
}

/// A new index is not begun where somebody else's files lie: what no commit
/// names would be removed.
pub(super) fn refuse_foreign(layout: &Layout) -> Result<()> {
    for folder in [
        layout.vectors(),
        layout.deletes(),
        layout.provenance(),
        layout.quarantine(),
    ] {
        let mut entries = fs::read_dir(&folder).map_err(|e| Error::io("read", &folder, e))?;
        if entries.next().is_some() {
            return Err(Error::invalid(
                "index",
                format!(
                    "{} is no index and {} is not empty: give an empty or a new folder",
                    layout.root().display(),
                    folder.display()
                ),
            ));
        }
    }
    Ok(())
}
