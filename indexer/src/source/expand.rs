//! From what a user names (files, folders, globs) to a list of files.

use medsift::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Endings of the files that are taken from a folder, before `.gz`, whatever
/// they hold: one that turns out to hold something else is worth a word.
/// `.txt` and `.json` say nothing: notes and settings have them too.
const ENDINGS: [&str; 12] = [
    "xml", "nxml", "nbib", "medline", "jsonl", "ndjson", "ris", "bib", "parquet", "arrow",
    "arrows", "feather",
];

/// Turns files, folders and glob patterns into files in a stable order.
///
/// Each argument's files are in natural order ([`natural_order`]), so that
/// update files follow each other by number; the arguments keep theirs. A file
/// that is named twice is taken once, at its first place. Folders are searched
/// with their subfolders for files whose name ends as those of a known format
/// do or whose content is of one; hidden files are left out, and in a folder of
/// the BEIR benchmark its queries. An argument that
/// matches nothing is an error.
pub fn expand<S: AsRef<OsStr>>(arguments: &[S]) -> Result<Vec<PathBuf>> {
    let mut seen = HashSet::new();
    let mut sources = Vec::new();
    for argument in arguments {
        for source in expand_one(Path::new(argument.as_ref()))? {
            let identity = fs::canonicalize(&source).unwrap_or_else(|_| source.clone());
            if seen.insert(identity) {
                sources.push(source);
            }
        }
    }
    Ok(sources)
}

fn expand_one(argument: &Path) -> Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    match fs::metadata(argument) {
        Ok(found) if found.is_dir() => {
            collect_folder(argument, &mut sources)?;
            if sources.is_empty() {
                return Err(nothing(argument, "is a folder without files to read"));
            }
        }
        Ok(_) => sources.push(argument.to_owned()),
        Err(error) => {
            collect_glob(argument, error, &mut sources)?;
        }
    }
    sources.sort_by(|a, b| natural_order(a, b));
    Ok(sources)
}

fn collect_glob(argument: &Path, error: std::io::Error, sources: &mut Vec<PathBuf>) -> Result<()> {
    let Some(pattern) = argument
        .to_str()
        .filter(|text| text.contains(['*', '?', '[']))
    else {
        return Err(Error::io("read", argument, error));
    };
    let matches = glob::glob(pattern)
        .map_err(|bad| Error::invalid("source", format!("`{pattern}` is not a pattern: {bad}")))?;
    for found in matches {
        let path = found.map_err(|bad| {
            let path = bad.path().to_owned();
            Error::io("read", &path, bad.into())
        })?;
        if path.is_dir() {
            collect_folder(&path, sources)?;
        } else {
            sources.push(path);
        }
    }
    if sources.is_empty() {
        return Err(nothing(argument, "matches no file"));
    }
    Ok(())
}

fn nothing(argument: &Path, what: &str) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format!("{} {what}", argument.display()),
    )
}

fn collect_folder(folder: &Path, sources: &mut Vec<PathBuf>) -> Result<()> {
    let is_beir = ["corpus.jsonl", "corpus.jsonl.gz"]
        .iter()
        .any(|name| folder.join(name).is_file());
    for entry in fs::read_dir(folder).map_err(|e| Error::io("read folder", folder, e))? {
        let entry = entry.map_err(|e| Error::io("read folder", folder, e))?;
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if is_beir && is_queries(&path) {
            tracing::info!(
                "{} holds queries of a BEIR folder, no articles",
                path.display()
            );
            continue;
        }
        let kind = entry.file_type().map_err(|e| Error::io("read", &path, e))?;
        if kind.is_dir() {
            collect_folder(&path, sources)?;
        } else if path.is_file() && (has_known_ending(&path) || super::is_known_format(&path)) {
            sources.push(path);
        }
    }
    Ok(())
}

/// The queries beside a corpus look like its documents.
fn is_queries(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name == "queries.jsonl" || name == "queries.jsonl.gz"
}

fn has_known_ending(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Orders paths so that runs of digits compare as numbers: `n9` before `n10`.
pub fn natural_order(a: &Path, b: &Path) -> Ordering {
    let (a_text, b_text) = (a.to_string_lossy(), b.to_string_lossy());
    let (mut left, mut right) = (&*a_text, &*b_text);
    loop {
        let ((x, left_rest), (y, right_rest)) = (next_run(left), next_run(right));
        let order = match (number(x), number(y)) {
            (Some(m), Some(n)) => m.len().cmp(&n.len()).then_with(|| m.cmp(n)),
            _ => x.cmp(y),
        };
        if order != Ordering::Equal {
            return order;
        }
        if x.is_empty() {
            // Only leading zeros can differ now.
            return a.cmp(b);
        }
        (left, right) = (left_rest, right_rest);
    }
}

/// Splits off the first run of digits or of anything else.
fn next_run(text: &str) -> (&str, &str) {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text
        .find(|c: char| c.is_ascii_digit() != digits)
        .unwrap_or(text.len());
    text.split_at(end)
}

/// A run of digits without leading zeros, whose length then orders it.
fn number(run: &str) -> Option<&str> {
    run.starts_with(|c: char| c.is_ascii_digit())
        .then(|| run.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sources: &[PathBuf]) -> Vec<String> {
        let name = |s: &PathBuf| s.file_name().unwrap().to_string_lossy().into_owned();
        sources.iter().map(name).collect()
    }

    #[test]
    fn numbers_order_by_value() {
        let mut paths = ["p25n10.xml", "p25n9.xml", "p24n11.xml", "p25n010.xml", "a"]
            .map(|p| Path::new(p).to_owned());
        paths.sort_by(|a, b| natural_order(a, b));
        let expected = ["a", "p24n11.xml", "p25n9.xml", "p25n010.xml", "p25n10.xml"];
        assert_eq!(paths, expected.map(|p| Path::new(p).to_owned()));
    }

    #[test]
    fn folders_give_files_of_known_formats_once() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        for name in [
            "n10.xml.gz",
            "n9.XML",
            ".hidden.xml",
            "n9.xml.gz.md5",
            "sub/a.nbib",
        ] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        fs::write(dir.path().join("notes.txt"), "where this is from\n").unwrap();
        fs::write(dir.path().join("saved.txt"), "PMID- 7\nTI  - Title\n").unwrap();
        let pattern = dir.path().join("n*.xml.gz");
        let found = expand(&[dir.path(), &pattern]).unwrap();
        assert_eq!(
            names(&found),
            ["n9.XML", "n10.xml.gz", "saved.txt", "a.nbib"]
        );
    }

    #[test]
    fn queries_beside_a_corpus_are_no_articles() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("queries.jsonl"), "{\"_id\": \"1\"}\n").unwrap();
        assert_eq!(names(&expand(&[dir.path()]).unwrap()), ["queries.jsonl"]);
        fs::write(dir.path().join("corpus.jsonl"), "{\"_id\": \"1\"}\n").unwrap();
        assert_eq!(names(&expand(&[dir.path()]).unwrap()), ["corpus.jsonl"]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("none.xml");
        let error = expand(&[&missing]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.to_string().contains("none.xml"));
        let error = expand(&[dir.path().join("*.xml")]).unwrap_err();
        assert!(error.to_string().contains("matches no file"), "{error}");
        let error = expand(&[dir.path()]).unwrap_err();
        assert!(error.to_string().contains("without files"), "{error}");
    }
}
