//! Strategies that are kept by name, with what each run of them found.
//!
//! ```text
//! strategies/NAME/strategy.txt   as it was written
//! strategies/NAME/runs/000001.json …
//! ```
//!
//! They are the user's, not the index's: an index is made anew, moved, and may
//! be read-only, and its writer removes what its commits do not name. So they
//! lie in the user's data folder, and not in the cache, which may be emptied.

mod prisma;
mod record;
mod report;

pub(crate) use record::{Record, Since};
pub(crate) use report::Report;

use crate::error::{CliError, Result};
use medsift::durable::{sync_folder, write_synced};
use medsift::{Error, ErrorKind};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Longest text of a strategy in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Longest name.
const MAX_NAME: usize = 64;

const TEXT: &str = "strategy.txt";
const RUNS: &str = "runs";

/// The folder of all strategies.
pub(crate) struct Store {
    root: PathBuf,
}

impl Store {
    /// `$XDG_DATA_HOME/medsift/strategies`, else
    /// `~/.local/share/medsift/strategies`.
    pub(crate) fn of_user() -> Result<Self> {
        let variable = env::var_os("XDG_DATA_HOME").map(PathBuf::from);
        let data = variable
            // The base directory specification wants relative values ignored.
            .filter(|path| path.is_absolute())
            .or_else(|| env::home_dir().map(|home| home.join(".local/share")));
        let data = data.ok_or_else(|| {
            let what = "there is no home folder to keep strategies in: set XDG_DATA_HOME";
            CliError::Failure(what.to_owned())
        })?;
        Ok(Self {
            root: data.join("medsift/strategies"),
        })
    }

    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Names of all strategies, in order.
    pub(crate) fn names(&self) -> Result<Vec<String>> {
        let mut names = entries(&self.root)?;
        names.retain(|name| is_name(name) && self.root.join(name).join(TEXT).is_file());
        Ok(names)
    }

    /// Keeps a text under a name.
    pub(crate) fn save(&self, name: &str, text: &str, replace: bool) -> Result<PathBuf> {
        check_name(name)?;
        let dir = self.root.join(name);
        let path = dir.join(TEXT);
        if path.exists() && !replace {
            return Err(CliError::Usage(format!(
                "there is a strategy {name} already: choose another name, or put this one in its \
                 place with --replace (its runs are kept)"
            )));
        }
        write_whole(&dir, TEXT, text.as_bytes())?;
        Ok(path)
    }

    /// The text of a strategy.
    pub(crate) fn text(&self, name: &str) -> Result<String> {
        check_name(name)?;
        let path = self.root.join(name).join(TEXT);
        if path.is_file() {
            return read_text(&path);
        }
        let known = self.names()?.join(", ");
        let known = if known.is_empty() { "none" } else { &known };
        let what = format!(
            "no strategy is kept as {name} ({known} are): keep one with `medsift strategy save \
             {name} FILE`; a file is named with its folder or extension, as in ./{name}"
        );
        Err(Error::new(ErrorKind::NotFound, what).into())
    }

    /// What runs of a strategy found, oldest first.
    pub(crate) fn records(&self, name: &str) -> Result<Vec<Record>> {
        check_name(name)?;
        let dir = self.root.join(name).join(RUNS);
        let files = entries(&dir)?.into_iter();
        files
            .filter(|file| number(file).is_some())
            .map(|file| Record::read(&dir.join(file)))
            .collect()
    }

    /// Adds what a run found.
    pub(crate) fn record(&self, name: &str, record: &Record) -> Result<()> {
        check_name(name)?;
        let dir = self.root.join(name).join(RUNS);
        let files = entries(&dir)?;
        let last = files.iter().filter_map(|file| number(file)).max();
        let file = format!("{:06}.json", last.unwrap_or(0) + 1);
        write_whole(&dir, &file, &serde_json::to_vec(record)?)
    }
}

/// Reads a text that may be a strategy.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let length = fs::metadata(path).map_err(|error| Error::io("read", path, error))?;
    if length.len() > MAX_BYTES {
        let what = format!(
            "{} is longer than {MAX_BYTES} bytes: that is no strategy",
            path.display()
        );
        return Err(CliError::Usage(what));
    }
    let bytes = fs::read(path).map_err(|error| Error::io("read", path, error))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let what = format!(
            "{} is not UTF-8 at byte {at}: save it as such",
            path.display()
        );
        CliError::Usage(what)
    })
}

/// Whether a text may be a name: a file's has a dot or a slash.
pub(crate) fn is_name(text: &str) -> bool {
    let fits = (1..=MAX_NAME).contains(&text.len());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    fits && text.bytes().all(plain) && !text.starts_with(['-', '_'])
}

fn check_name(name: &str) -> Result<()> {
    if is_name(name) {
        return Ok(());
    }
    Err(CliError::Usage(format!(
        "{name:?} is no name for a strategy: use up to {MAX_NAME} letters, digits, - and _"
    )))
}

/// Writes a file whole, or leaves what was there.
pub(crate) fn write_whole(dir: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))?;
    let passing = format!(".{name}.tmp");
    write_synced(dir, &passing, bytes)?;
    let path = dir.join(name);
    fs::rename(dir.join(passing), &path).map_err(|error| Error::io("replace", &path, error))?;
    Ok(sync_folder(dir)?)
}

/// Names in a folder, in order; none where there is no folder.
fn entries(dir: &Path) -> Result<Vec<String>> {
    let all = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|error| Error::io("read", dir, error))?,
    };
    let mut names = Vec::new();
    for entry in all {
        let entry = entry.map_err(|error| Error::io("read", dir, error))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// The number of a run's file.
fn number(file: &str) -> Option<u32> {
    file.strip_suffix(".json")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_kept_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(&dir.path().join("deep/strategies"));
        assert!(store.names().unwrap().is_empty());
        assert!(store.records("gout").unwrap().is_empty());
        let missing = store.text("gout").unwrap_err().report().unwrap();
        assert!(
            missing.contains("none are") && missing.contains("./gout"),
            "{missing}"
        );
        store.save("gout", "gout[ti]", false).unwrap();
        let taken = store
            .save("gout", "x", false)
            .unwrap_err()
            .report()
            .unwrap();
        assert!(taken.contains("--replace"), "{taken}");
        store.save("gout", "gout[mh]", true).unwrap();
        assert_eq!(store.text("gout").unwrap(), "gout[mh]");
        assert_eq!(store.names().unwrap(), ["gout"]);
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(dir.path());
        for name in ["", "..", "../x", "a/b", "a.b", "-x", "ä", &"x".repeat(65)] {
            assert!(store.save(name, "gout", true).is_err(), "{name}");
            assert!(store.text(name).is_err(), "{name}");
            assert!(store.records(name).is_err(), "{name}");
        }
    }

    #[test]
    fn texts_that_are_none_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.txt");
        fs::write(&path, b"gout\xff").unwrap();
        let error = read_text(&path).unwrap_err().report().unwrap();
        assert!(error.contains("byte 4"), "{error}");
        fs::write(&path, vec![b'a'; 1 << 21]).unwrap();
        assert!(read_text(&path).is_err());
    }
}
