//! NLM's files of MeSH descriptors: `descYYYY.xml` and `dYYYY.bin`, plain or
//! gzip (<https://www.nlm.nih.gov/mesh/filelist.html>).

mod ascii;
#[cfg(test)]
mod tests;
mod xml;

use crate::source::Gunzip;
use medsift::mesh::Descriptor;
use medsift::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Bytes of a file's beginning by which its form is told.
const BEGINNING: usize = 4096;

/// What goes wrong in a file.
enum Fault {
    /// It cannot be read, or is no gzip after all.
    Read(std::io::Error),
    /// It holds something else than the form says.
    Content(String),
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::Read(error)
    }
}

/// Reads the descriptors of a file, in its order.
///
/// # Errors
/// When the file cannot be read, holds something else (supplementary records
/// and qualifiers have files of their own), is damaged, or has no descriptor.
pub fn read_descriptors(path: &Path) -> Result<Vec<Descriptor>> {
    let file = File::open(path).map_err(|error| Error::io("read", path, error))?;
    let mut input = BufReader::with_capacity(1 << 18, Gunzip::new(BufReader::new(file)));
    let beginning = input
        .fill_buf()
        .map_err(|error| Error::corrupt(path, error))?;
    let beginning = String::from_utf8_lossy(&beginning[..beginning.len().min(BEGINNING)]);
    let form = Form::of(&beginning).map_err(|what| {
        Error::new(
            ErrorKind::InvalidInput,
            format!(
                "{} {what}; give NLM's descriptors, descYYYY.xml or dYYYY.bin, plain or gzip",
                path.display()
            ),
        )
    })?;
    let read = match form {
        Form::Xml => xml::read(input),
        Form::Ascii => ascii::read(input),
    };
    let descriptors = read.map_err(|fault| match fault {
        Fault::Read(error) => Error::corrupt(path, error),
        Fault::Content(what) => Error::corrupt(path, what),
    })?;
    if descriptors.is_empty() {
        return Err(Error::corrupt(path, "it has no descriptor"));
    }
    Ok(descriptors)
}

/// The two forms.
#[derive(Debug, PartialEq)]
enum Form {
    Xml,
    Ascii,
}

impl Form {
    fn of(beginning: &str) -> std::result::Result<Self, &'static str> {
        let text = beginning.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("*NEWRECORD") {
            return Ok(Self::Ascii);
        }
        let named = |name: &str| text.contains(name);
        match text.starts_with('<') {
            true if named("<DescriptorRecord") => Ok(Self::Xml),
            true if named("<SupplementalRecord") => Err("holds supplementary records"),
            true if named("<QualifierRecord") => Err("holds qualifiers"),
            _ => Err("is no MeSH file"),
        }
    }
}
