//! Files of annotated texts: PubTator, BioC as JSON and BioC as XML, plain or
//! gzip. Which it is, the content says.

mod bioc;
#[cfg(test)]
mod tests;

pub use bioc::read_bioc_xml;

use crate::source::Gunzip;
use medsift::enrich::exchange::{self, Document};
use medsift::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Reads the documents of a file, with their mentions and relations.
///
/// # Errors
/// When the file cannot be read, is not UTF-8, is of none of the forms (with
/// the line or the place), or has no document.
pub fn read_documents(path: &Path) -> Result<Vec<Document>> {
    let text = content(path)?;
    let documents = match text.trim_start().starts_with('<') {
        true => read_bioc_xml(&text).map(|collection| collection.to_documents()),
        false => exchange::read(&text),
    };
    let documents = documents.map_err(|error| invalid(path, error))?;
    match documents.is_empty() {
        true => Err(invalid(path, "it has no document")),
        false => Ok(documents),
    }
}

fn invalid(path: &Path, what: impl std::fmt::Display) -> Error {
    let what = what.to_string();
    let behind = if what.starts_with("line ") { "," } else { ":" };
    let path = path.display();
    Error::new(
        ErrorKind::InvalidInput,
        format!("{path}{behind} {what}; give PubTator, BioC JSON or BioC XML"),
    )
}

/// The text of a file, unpacked, without a byte order mark.
fn content(path: &Path) -> Result<String> {
    let file = File::open(path).map_err(|error| Error::io("read", path, error))?;
    let mut bytes = Vec::new();
    Gunzip::new(BufReader::new(file))
        .read_to_end(&mut bytes)
        .map_err(|error| Error::corrupt(path, error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        invalid(path, format!("not UTF-8 from byte {place} on"))
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}
