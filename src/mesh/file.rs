//! The table as a file: a line for each descriptor, columns parted by tabs.
//!
//! ```text
//! medsift-mesh  1  desc2025.xml.gz
//! D001249  Asthma  C08.127.108;C08.381.495.108  Asthmas|Bronchial Asthma
//! ```

use super::{Descriptor, MeshTable};
use crate::durable::{sync_folder, write_synced};
use crate::error::{Error, ErrorKind, Result};
use std::fmt::Write;
use std::path::Path;

/// First column of the first line.
const MAGIC: &str = "medsift-mesh";

/// Version that is written and read.
const VERSION: &str = "1";

impl MeshTable {
    /// Writes the table whole, or leaves what was there. `source` says where it
    /// is from.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path, source: &str) -> Result<()> {
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let mut text = format!("{MAGIC}\t{VERSION}\t{}\n", plain(source));
        for descriptor in &self.descriptors {
            let Descriptor {
                ui,
                heading,
                tree_numbers,
                entry_terms,
            } = descriptor;
            let (ui, heading) = (plain(ui), plain(heading));
            let numbers = plain(&tree_numbers.join(";"));
            let terms = plain(&entry_terms.join("|"));
            // A string takes whatever is written.
            let _ = writeln!(text, "{ui}\t{heading}\t{numbers}\t{terms}");
        }
        let (dir, name) = (
            path.parent(),
            path.file_name().and_then(|name| name.to_str()),
        );
        let (Some(dir), Some(name)) = (dir, name) else {
            let what = format!("{} is no place for a file", path.display());
            return Err(Error::invalid("path", what));
        };
        let passing = format!(".{name}.tmp");
        write_synced(dir, &passing, text.as_bytes())?;
        std::fs::rename(dir.join(passing), path)
            .map_err(|error| Error::io("replace", path, error))?;
        sync_folder(dir)
    }

    /// Reads a table.
    ///
    /// # Errors
    /// When the file cannot be read, is no table, or is of another version.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::io("read", path, error))?;
        Self::parse(&text).map_err(|what| {
            Error::new(
                ErrorKind::Corrupt,
                format!(
                    "{} {what}; make it again with `medsift mesh import`",
                    path.display()
                ),
            )
        })
    }

    /// The table that a text holds, or what is wrong with it.
    ///
    /// # Errors
    /// Words that follow a name: `is no …`, `has …`.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let mut head = first.split('\t');
        match (head.next(), head.next()) {
            (Some(MAGIC), Some(VERSION)) => {}
            (Some(MAGIC), version) => {
                return Err(format!(
                    "is of version {}, this program reads {VERSION}",
                    version.unwrap_or("unknown")
                ));
            }
            _ => return Err("is no table of MeSH".to_owned()),
        }
        let source = head.next().unwrap_or_default().to_owned();
        let descriptors = rest
            .lines()
            .zip(2_usize..)
            .map(|(line, number)| {
                let mut columns = line.split('\t');
                let next = columns.next().zip(columns.next());
                let lists = columns.next().zip(columns.next());
                let (Some((ui, heading)), Some((numbers, terms)), None) =
                    (next, lists, columns.next())
                else {
                    return Err(format!("has not four columns in line {number}"));
                };
                let list = |text: &str, at: char| -> Vec<String> {
                    let parts = text.split(at).filter(|part| !part.is_empty());
                    parts.map(str::to_owned).collect()
                };
                Ok(Descriptor {
                    ui: ui.to_owned(),
                    heading: heading.to_owned(),
                    tree_numbers: list(numbers, ';'),
                    entry_terms: list(terms, '|'),
                })
            })
            .collect::<std::result::Result<Vec<_>, _>>()?;
        let mut table = Self::new(descriptors);
        table.source = source;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::small;
    use super::*;

    #[test]
    fn a_table_comes_back_from_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mesh.tsv");
        let table = small();
        table.write(&path, "desc\t2025").unwrap();
        let read = MeshTable::read(&path).unwrap();
        assert_eq!(read.descriptors, table.descriptors);
        assert_eq!(read.source(), "desc 2025");
        assert_eq!(read.find("heart attack"), table.find("heart attack"));
    }

    #[test]
    fn what_is_no_table_is_refused_with_a_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mesh.tsv");
        for (text, part) in [
            ("", "is no table"),
            ("ui\tname\n", "is no table"),
            ("medsift-mesh\t2\tx\n", "is of version 2"),
            ("medsift-mesh\t1\tx\nD1\tA\t\n", "four columns in line 2"),
            (
                "medsift-mesh\t1\tx\nD1\tA\t\t\nD2\tB\t\t\t\n",
                "four columns in line 3",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = MeshTable::read(&path).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
            assert!(error.contains("medsift mesh import"), "{error}");
        }
        let none = MeshTable::read(&dir.path().join("none")).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::NotFound);
    }
}
