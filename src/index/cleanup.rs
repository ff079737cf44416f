use super::commit::Commit;
use super::layout::Layout;
use crate::error::{Error, Result};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

/// Removes what no commit names: leftovers of a writer that was interrupted,
/// and what a newer commit no longer needs.
///
/// A reader that has such a file mapped keeps it: the name goes, the content
/// stays until it is closed.
pub(crate) fn remove_unnamed(layout: &Layout, commit: &Commit) -> Result<()> {
    let segments = commit
        .segments
        .iter()
        .map(|segment| segment.meta.name.as_str());
    let deletes = commit.deletes.iter().map(|file| file.name.as_str());
    let provenance = [&commit.tombstones, &commit.fallbacks]
        .into_iter()
        .flatten()
        .map(|counted| counted.file.name.as_str());
    let quarantine = commit.quarantine.iter().map(|file| file.name.as_str());
    remove_others(&layout.vectors(), &segments.collect())?;
    remove_others(&layout.deletes(), &deletes.collect())?;
    remove_others(&layout.provenance(), &provenance.collect())?;
    remove_others(&layout.quarantine(), &quarantine.collect())
}

fn remove_others(folder: &Path, named: &HashSet<&str>) -> Result<()> {
    let entries = fs::read_dir(folder).map_err(|e| Error::io("read", folder, e))?;
    for entry in entries {
        let entry = entry.map_err(|e| Error::io("read", folder, e))?;
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| named.contains(name))
        {
            continue;
        }
        let path = entry.path();
        tracing::debug!(path = %path.display(), "removing a file that no commit names");
        let removed = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        match removed {
            Ok(()) => {}
            // Somebody writes there still: a merge that was given up. The next
            // open for writing comes by again.
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
                ) =>
            {
                tracing::debug!(path = %path.display(), "left for the next open");
            }
            Err(e) => return Err(Error::io("remove", &path, e)),
        }
    }
    Ok(())
}
