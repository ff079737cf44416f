//! `Abstract` and `OtherAbstract`.

use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{OtherAbstract, Section};

/// The main abstract.
pub(super) fn main(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    let (sections, copyright) = sections(cursor)?;
    record.abstract_sections.extend(sections);
    record.copyright = copyright.or(record.copyright.take());
    Ok(())
}

/// An abstract in another language or by another author.
pub(super) fn other<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    let kind = element.attribute("Type")?;
    let language = element.attribute("Language")?;
    let (sections, copyright) = sections(cursor)?;
    if !sections.is_empty() || copyright.is_some() {
        record.other_abstracts.push(OtherAbstract {
            kind,
            language,
            sections,
            copyright,
        });
    }
    Ok(())
}

fn sections(cursor: &mut Cursor<'_>) -> Result<(Vec<Section>, Option<String>), Flaw> {
    let mut sections = Vec::new();
    let mut copyright = None;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "AbstractText" => {
                let label = element.attribute("Label")?;
                let category = element.attribute("NlmCategory")?;
                let text = cursor.rich()?;
                // A label without text is still the author's structure.
                if !text.is_empty() || label.is_some() {
                    sections.push(Section {
                        label,
                        category,
                        text,
                    });
                }
            }
            "CopyrightInformation" => copyright = cursor.some_text()?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok((sections, copyright))
}
