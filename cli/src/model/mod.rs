//! Embedding models: which are known, where they lie, how they are fetched.

mod cache;
mod checksum;
mod heads;
mod hub;
pub(crate) mod inspect;
mod install;
mod pip;
pub(crate) mod registry;
mod shipped;
mod wheel;

use crate::error::{CliError, Result};
use std::path::{Path, PathBuf};

pub(crate) use cache::root as cache_root;
pub(crate) use medsift::digest::of_file as digest;

/// The model that is used when none is named.
pub(crate) const DEFAULT: &str = "medsift-mini";

/// A model that lies on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The model directory.
    pub(crate) dir: PathBuf,
    /// What an index records to find it again: the registry's or hub's name,
    /// or the absolute directory.
    pub(crate) location: String,
}

/// What a `--model` value means.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Named {
    Known(&'static registry::KnownModel),
    Directory(PathBuf),
    Hub(String),
}

/// Finds a model by a registry name, a directory or a hub name, and fetches it
/// where it is not here yet.
pub(crate) fn resolve(value: &str, quiet: bool) -> Result<Resolved> {
    match name(value)? {
        Named::Known(known) => {
            let dir = install::known(known, &cache::root()?, quiet)?;
            heads::install(known.name, &dir);
            let location = known.name.to_owned();
            Ok(Resolved { dir, location })
        }
        Named::Directory(path) => {
            let dir = path
                .canonicalize()
                .map_err(|error| medsift::Error::io("open the model directory", &path, error))?;
            let location = dir.display().to_string();
            Ok(Resolved { dir, location })
        }
        Named::Hub(id) => Ok(Resolved {
            dir: install::from_hub(&id, &cache::root()?, quiet)?,
            location: id,
        }),
    }
}

/// Where a known model lies, if it has been fetched.
pub(crate) fn installed(known: &registry::KnownModel) -> Result<Option<PathBuf>> {
    let dir = cache::dir_of_known(&cache::root()?, known);
    Ok(checksum::is_complete(&dir, known).then_some(dir))
}

fn name(value: &str) -> Result<Named> {
    if let Some(known) = registry::find(value) {
        return Ok(Named::Known(known));
    }
    let path = Path::new(value);
    if path.is_dir() {
        return Ok(Named::Directory(path.to_owned()));
    }
    if is_hub_id(value) && !path.exists() {
        return Ok(Named::Hub(value.to_owned()));
    }
    let names: Vec<&str> = registry::ALL.iter().map(|known| known.name).collect();
    Err(CliError::Core(medsift::Error::new(
        medsift::ErrorKind::NotFound,
        format!(
            "there is no model {value:?}: give a known name ({}), a model directory, \
             or the hub's org/name",
            names.join(", ")
        ),
    )))
}

/// `org/name`, as the hub spells it: letters, digits, `-`, `_` and `.`.
fn is_hub_id(value: &str) -> bool {
    let fits = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '-'])
            && !part.contains("..")
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    value
        .split_once('/')
        .is_some_and(|(org, name)| fits(org) && fits(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_known_name_a_directory_or_a_hub_name() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(name("minilm").unwrap(), Named::Known(_)));
        let path = dir.path().display().to_string();
        assert_eq!(name(&path).unwrap(), Named::Directory(dir.path().into()));
        assert_eq!(
            name("org/some-model_v1.5").unwrap(),
            Named::Hub("org/some-model_v1.5".into())
        );
    }

    #[test]
    fn anything_else_lists_what_would_do() {
        for value in ["minilmm", "/absent/dir", "../x", "a/b/c", "./m", "a/..", ""] {
            let message = name(value).unwrap_err().report().unwrap();
            assert!(message.contains("minilm"), "{message}");
            assert!(message.contains("model directory"), "{message}");
        }
    }
}
