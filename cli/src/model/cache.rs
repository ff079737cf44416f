//! The per-user folder that holds fetched models.

use super::registry::KnownModel;
use crate::error::{CliError, Result};
use std::env;
use std::path::{Path, PathBuf};

/// Overrides where the cache lies.
const VARIABLE: &str = "MEDSIFT_CACHE";

/// `$MEDSIFT_CACHE`, else `$XDG_CACHE_HOME/medsift`, else `~/.cache/medsift`.
pub(crate) fn root() -> Result<PathBuf> {
    choose(|name| env::var_os(name).map(PathBuf::from), env::home_dir()).ok_or_else(|| {
        CliError::Failure(format!(
            "there is no home folder to keep models in: set {VARIABLE} to a folder"
        ))
    })
}

fn choose(variable: impl Fn(&str) -> Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|path| !path.as_os_str().is_empty());
    set(VARIABLE)
        .or_else(|| {
            // The base directory specification wants relative values ignored.
            set("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .map(|path| path.join("medsift"))
        })
        .or_else(|| home.map(|home| home.join(".cache").join("medsift")))
}

/// Where a known model is kept. The weights' digest is part of the name, so
/// that a changed pin is another folder.
pub(super) fn dir_of_known(root: &Path, known: &KnownModel) -> PathBuf {
    let digest = known
        .files
        .iter()
        .max_by_key(|file| file.bytes)
        .map_or("", |weights| &weights.sha256[..8]);
    models(root).join(format!("{}-{digest}", known.name))
}

/// Where a hub model is kept.
pub(super) fn dir_of_hub(root: &Path, id: &str) -> PathBuf {
    models(root).join(id.replace('/', "--"))
}

/// The folder of all models.
pub(super) fn models(root: &Path) -> PathBuf {
    root.join("models")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let home = || Some(PathBuf::from("/home/u"));
        let none = choose(|_| None, home());
        assert_eq!(none, Some("/home/u/.cache/medsift".into()));
        let xdg = choose(
            |name| (name == "XDG_CACHE_HOME").then(|| "/x".into()),
            home(),
        );
        assert_eq!(xdg, Some("/x/medsift".into()));
        let relative = choose(
            |name| (name == "XDG_CACHE_HOME").then(|| "x".into()),
            home(),
        );
        assert_eq!(relative, Some("/home/u/.cache/medsift".into()));
        assert_eq!(choose(|_| Some("/m".into()), home()), Some("/m".into()));
        assert_eq!(choose(|_| Some("".into()), None), None);
    }
}
