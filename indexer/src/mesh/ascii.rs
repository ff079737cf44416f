//! `dYYYY.bin`: lines of `KEY = VALUE` under `*NEWRECORD`.

use super::Fault;
use medsift::mesh::Descriptor;
use std::io::BufRead;

/// Reads all records.
pub(super) fn read(input: impl BufRead) -> Result<Vec<Descriptor>, Fault> {
    let mut descriptors: Vec<Descriptor> = Vec::new();
    for (line, number) in input.split(b'\n').zip(1_usize..) {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line == "*NEWRECORD" {
            check(descriptors.last(), number)?;
            descriptors.push(Descriptor::default());
            continue;
        }
        let Some((key, value)) = line.split_once(" = ") else {
            continue;
        };
        let Some(current) = descriptors.last_mut() else {
            let what = format!("line {number}: a field before the first *NEWRECORD");
            return Err(Fault::Content(what));
        };
        match key {
            "RECTYPE" if value != "D" => {
                return Err(Fault::Content(format!(
                    "line {number}: a record of type {value} where descriptors (D) are wanted"
                )));
            }
            "MH" => current.heading = value.to_owned(),
            "UI" => current.ui = value.to_owned(),
            "MN" => current.tree_numbers.push(value.to_owned()),
            // Behind the term come its semantic types, dates and a code.
            "ENTRY" | "PRINT ENTRY" => {
                let term = value.split('|').next().unwrap_or_default().trim();
                if !term.is_empty() {
                    current.entry_terms.push(term.to_owned());
                }
            }
            _ => {}
        }
    }
    check(descriptors.last(), 0)?;
    Ok(descriptors)
}

/// Whether the record that has ended is whole; `line` begins the next.
fn check(ended: Option<&Descriptor>, line: usize) -> Result<(), Fault> {
    match ended {
        Some(record) if record.ui.is_empty() || record.heading.is_empty() => {
            let place = match line {
                0 => "the last record".to_owned(),
                line => format!("the record before line {line}"),
            };
            Err(Fault::Content(format!("{place} has no MH or no UI")))
        }
        _ => Ok(()),
    }
}
