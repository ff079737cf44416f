//! What an article is about: MeSH, substances, keywords, publication types.

use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{
    Chemical, Keyword, KeywordList, MeshHeading, MeshTerm, SupplementaryConcept,
};

fn term<'a>(cursor: &mut Cursor<'a>, element: &Element<'a>) -> Result<MeshTerm, Flaw> {
    let ui = element.attribute("UI")?;
    let name = cursor.text()?;
    Ok(MeshTerm { name, ui })
}

fn is_empty(term: &MeshTerm) -> bool {
    term.name.is_empty() && term.ui.is_none()
}

/// `MeshHeadingList`.
pub(super) fn mesh(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        if element.name() != "MeshHeading" {
            cursor.leftover(&element)?;
            continue;
        }
        let mut heading = MeshHeading::default();
        while let Some(element) = cursor.child()? {
            match element.name() {
                // Before 2011 the descriptor was called `Descriptor` in places.
                "DescriptorName" | "Descriptor" => {
                    heading.major = element.is_yes("MajorTopicYN", false)?;
                    heading.kind = element.attribute("Type")?;
                    heading.descriptor = term(cursor, &element)?;
                }
                "QualifierName" | "SubHeading" => {
                    let major = element.is_yes("MajorTopicYN", false)?;
                    let qualifier = term(cursor, &element)?;
                    if !is_empty(&qualifier) {
                        heading.qualifiers.push((qualifier, major));
                    }
                }
                _ => cursor.leftover(&element)?,
            }
        }
        if heading != MeshHeading::default() {
            record.mesh.push(heading);
        }
    }
    Ok(())
}

/// `SupplMeshList`.
pub(super) fn supplementary(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        if element.name() != "SupplMeshName" {
            cursor.leftover(&element)?;
            continue;
        }
        let kind = element.attribute("Type")?;
        let concept = term(cursor, &element)?;
        if !is_empty(&concept) {
            let concept = SupplementaryConcept { concept, kind };
            record.supplementary_concepts.push(concept);
        }
    }
    Ok(())
}

/// `ChemicalList`.
pub(super) fn chemicals(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        if element.name() != "Chemical" {
            cursor.leftover(&element)?;
            continue;
        }
        let mut chemical = Chemical::default();
        while let Some(element) = cursor.child()? {
            match element.name() {
                "RegistryNumber" => chemical.registry_number = cursor.some_text()?,
                "NameOfSubstance" => chemical.substance = term(cursor, &element)?,
                _ => cursor.leftover(&element)?,
            }
        }
        if chemical != Chemical::default() {
            record.chemicals.push(chemical);
        }
    }
    Ok(())
}

/// `KeywordList`.
pub(super) fn keywords<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    list: &Element<'a>,
) -> Result<(), Flaw> {
    let mut keywords = KeywordList {
        owner: list.attribute("Owner")?,
        keywords: Vec::new(),
    };
    while let Some(element) = cursor.child()? {
        if element.name() != "Keyword" {
            cursor.leftover(&element)?;
            continue;
        }
        let major = element.is_yes("MajorTopicYN", false)?;
        if let Some(text) = cursor.some_text()? {
            keywords.keywords.push(Keyword { text, major });
        }
    }
    if !keywords.keywords.is_empty() {
        record.keywords.push(keywords);
    }
    Ok(())
}

/// `GeneSymbolList`, of records until 1996.
pub(super) fn gene_symbols(cursor: &mut Cursor<'_>, record: &mut Article) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "GeneSymbol" => record.gene_symbols.extend(cursor.some_text()?),
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

/// `PublicationType`.
pub(super) fn publication_type<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    let kind = term(cursor, element)?;
    if !is_empty(&kind) {
        record.publication_types.push(kind);
    }
    Ok(())
}
