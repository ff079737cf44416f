//! From paths and patterns to files.

use medsift::{Error, ErrorKind, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Files that paths and patterns name, each once, in the order of the
/// arguments and sorted by name within a pattern.
///
/// A pattern has `*` (any characters) or `?` (one character) in its last
/// component.
///
/// # Errors
/// When an argument matches nothing, or has a wildcard in a folder's name.
pub(crate) fn expand(arguments: &[String]) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for argument in arguments {
        for file in expand_one(argument)? {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn expand_one(argument: &str) -> Result<Vec<PathBuf>> {
    let path = Path::new(argument);
    if path.exists() || !argument.contains(['*', '?']) {
        // A path that is not there is reported where it is opened.
        return Ok(vec![path.to_owned()]);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if folder.to_string_lossy().contains(['*', '?']) {
        return Err(Error::invalid(
            "files",
            format!("`{argument}`: wildcards are understood in a file's name, not in a folder's"),
        ));
    }
    let pattern: Vec<char> = path
        .file_name()
        .map(|name| name.to_string_lossy().chars().collect())
        .unwrap_or_default();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| Error::io("list", folder, error))? {
        let entry = entry.map_err(|error| Error::io("list", folder, error))?;
        let name: Vec<char> = entry.file_name().to_string_lossy().chars().collect();
        if matches(&pattern, &name) && entry.path().is_file() {
            found.push(folder.join(entry.file_name()));
        }
    }
    if found.is_empty() {
        return Err(Error::new(
            ErrorKind::NotFound,
            format!("`{argument}` matches no file"),
        ));
    }
    found.sort();
    Ok(found)
}

/// Whether a name fits a pattern. On a mismatch behind a star, the star takes
/// one character more.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut star, mut taken) = (0, None, 0);
    let mut position = 0;
    while position < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some(at);
                taken = position;
                at += 1;
            }
            Some(&c) if c == '?' || c == name[position] => {
                at += 1;
                position += 1;
            }
            _ => match star {
                Some(star) => {
                    at = star + 1;
                    taken += 1;
                    position = taken;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, name, expected) in [
            ("*.tsv", "a.tsv", true),
            ("*.tsv", "a.tsv.gz", false),
            ("*.tsv*", "a.tsv.gz", true),
            ("sts201?.*", "sts2012.train.tsv", true),
            ("a*b*c", "aXbbYc", true),
            ("a*b*c", "aXc", false),
            ("*", "", true),
        ] {
            let (p, n): (Vec<char>, Vec<char>) =
                (pattern.chars().collect(), name.chars().collect());
            assert_eq!(matches(&p, &n), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn arguments_keep_their_order_and_files_come_once() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.tsv", "a.tsv", "c.txt"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let path = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
        let files = expand(&[path("c.txt"), path("*.tsv"), path("a.tsv")]).unwrap();
        let names: Vec<_> = files
            .iter()
            .map(|file| file.file_name().unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, ["c.txt", "a.tsv", "b.tsv"]);
        let error = expand(&[path("*.csv")]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(expand(&["x*/y.tsv".to_owned()]).is_err());
    }
}
