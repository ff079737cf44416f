//! `descYYYY.xml`: a `DescriptorRecord` for each descriptor.

use super::Fault;
use crate::xml::{Cursor, Flaw};
use medsift::mesh::Descriptor;
use std::io::BufRead;

const END: &[u8] = b"</DescriptorRecord>";

/// Longest record; the real ones stay below a hundredth of it.
const MOST: usize = 1 << 24;

/// Reads all records, one in memory at a time.
pub(super) fn read(mut input: impl BufRead) -> Result<Vec<Descriptor>, Fault> {
    let mut descriptors = Vec::new();
    let mut record = Vec::new();
    while input.read_until(b'>', &mut record)? > 0 {
        if record.ends_with(END) {
            let place = descriptors.len() + 1;
            let fault = |what: String| Fault::Content(format!("record {place}: {what}"));
            let text = std::str::from_utf8(&record).map_err(|error| fault(error.to_string()))?;
            descriptors.push(descriptor(text).map_err(|flaw| fault(flaw.to_string()))?);
            record.clear();
        } else if record.len() > MOST {
            return Err(Fault::Content(format!(
                "record {} is longer than {MOST} bytes",
                descriptors.len() + 1
            )));
        }
    }
    let begun = record.windows(17).any(|part| part == b"<DescriptorRecord");
    if begun && !descriptors.is_empty() {
        let what = format!("it ends within record {}", descriptors.len() + 1);
        return Err(Fault::Content(what));
    }
    Ok(descriptors)
}

/// What stands before the record, such as the root's start tag, is passed over.
fn descriptor(text: &str) -> Result<Descriptor, Flaw> {
    let start = text
        .find("<DescriptorRecord>")
        .or_else(|| text.find("<DescriptorRecord "))
        .ok_or_else(|| Flaw::new("an end without a beginning"))?;
    let mut cursor = Cursor::new(&text[start..]);
    let mut found = Descriptor::default();
    cursor.child()?;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "DescriptorUI" => found.ui = cursor.text()?,
            "DescriptorName" => found.heading = cursor.text()?,
            "TreeNumberList" => {
                while cursor.child()?.is_some() {
                    found.tree_numbers.push(cursor.text()?);
                }
            }
            "ConceptList" => concepts(&mut cursor, &mut found.entry_terms)?,
            _ => cursor.skip()?,
        }
    }
    if found.ui.is_empty() || found.heading.is_empty() {
        return Err(Flaw::new("no DescriptorUI or no DescriptorName"));
    }
    found.entry_terms.retain(|term| *term != found.heading);
    Ok(found)
}

/// The terms of all concepts.
fn concepts(cursor: &mut Cursor<'_>, terms: &mut Vec<String>) -> Result<(), Flaw> {
    while cursor.child()?.is_some() {
        while let Some(part) = cursor.child()? {
            if part.name() != "TermList" {
                cursor.skip()?;
                continue;
            }
            while cursor.child()?.is_some() {
                while let Some(part) = cursor.child()? {
                    match part.name() {
                        "String" => terms.push(cursor.text()?),
                        _ => cursor.skip()?,
                    }
                }
            }
        }
    }
    Ok(())
}
