//! `DeleteCitation` and `DeleteDocument`: withdrawn PMIDs.

use super::pmid_of;
use crate::parse::Parsed;
use crate::xml::{Cursor, Flaw};

/// Reads a list of withdrawn PMIDs. One that is no PMID is a fault of its own.
pub(crate) fn deletions(record: &str) -> Vec<Parsed> {
    let mut parsed = Vec::new();
    if let Err(flaw) = read(record, &mut parsed) {
        parsed.push(Parsed::Flawed(None, flaw.to_string()));
    }
    parsed
}

fn read(record: &str, parsed: &mut Vec<Parsed>) -> Result<(), Flaw> {
    let mut cursor = Cursor::new(record);
    cursor.child()?;
    while let Some(element) = cursor.child()? {
        let text = cursor.text()?;
        parsed.push(match (element.name(), pmid_of(&text)) {
            ("PMID", Ok(id)) => Parsed::Deletion(id),
            ("PMID", Err(flaw)) => {
                Parsed::Flawed(Some(text), format!("in a list of deletions, {flaw}"))
            }
            (name, _) => Parsed::Flawed(
                Some(text),
                format!("<{name}> stands in a list of deletions"),
            ),
        });
    }
    for (name, texts) in cursor.into_leftover() {
        parsed.push(Parsed::Flawed(
            None,
            format!("{name} {texts} stands in a list of deletions"),
        ));
    }
    Ok(())
}
