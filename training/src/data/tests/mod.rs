//! Loading sets: what comes out, and what is said of faulty files.

mod exclude;
mod faults;
mod formats;
mod table;

use super::{DataSet, DataSpec, Format, load};
use crate::example::Label;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// A specification of one file with this content.
    fn spec(&self, format: Format, name: &str, content: impl AsRef<[u8]>) -> DataSpec {
        DataSpec::new(format, [self.write(name, content)])
    }
}

fn gzip(content: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn error(spec: &DataSpec) -> String {
    load(spec).unwrap_err().to_string()
}

fn texts(set: &DataSet) -> Vec<Vec<&str>> {
    let texts = set.examples.iter().map(|example| &example.texts);
    texts
        .map(|texts| texts.iter().map(|text| &**text).collect())
        .collect()
}

fn labels(set: &DataSet) -> Vec<Label> {
    set.examples
        .iter()
        .map(|example| example.label.clone())
        .collect()
}
