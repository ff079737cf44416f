//! Where the real data is, and its tables.

use std::collections::HashMap;
use std::ops::Index;
use std::path::{Path, PathBuf};

/// The folder `pubmed` of the real data; `None` where a test cannot run.
///
/// # Panics
/// Under `CI=true` where the folder is absent.
pub(crate) fn pubmed(test: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = std::env::var_os("MEDSIFT_DATA")
        .map_or(default, PathBuf::from)
        .join("pubmed");
    if folder.is_dir() {
        return Some(folder);
    }
    let reason = format!(
        "{} is absent; MEDSIFT_DATA names another place",
        folder.display()
    );
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{test}: {reason}"
    );
    eprintln!("ignored: {test}: {reason}");
    None
}

/// All gzip files below a folder, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "gz") {
            found.push(path);
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no files in {}", folder.display());
    found
}

/// A line of a table, by column name.
pub(crate) struct Row(HashMap<String, String>);

impl Index<&str> for Row {
    type Output = String;
    fn index(&self, column: &str) -> &String {
        &self.0[column]
    }
}

/// A table with a line of column names.
pub(crate) fn table(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let row = |line: &str| {
        let cells = columns.iter().zip(line.split('\t'));
        Row(cells.map(|(c, v)| (c.to_string(), v.to_owned())).collect())
    };
    lines.map(row).collect()
}
