//! `MedlineCitation`: what NLM records about an article.

use super::{
    Draft, abstracts, article, corrections, date, funding, ids, journal, person, pmid, subject,
};
use crate::xml::{Cursor, Element, Flaw};
use medsift::article::Note;
use serde_json::Value;

pub(super) fn read<'a>(
    cursor: &mut Cursor<'a>,
    draft: &mut Draft,
    element: &Element<'a>,
) -> Result<(), Flaw> {
    attributes(draft, element)?;
    let record = &mut draft.article;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "PMID" if draft.id.is_none() => {
                let (id, version) = pmid(cursor, &element)?;
                record.version = version.unwrap_or(1);
                draft.id = Some(id);
            }
            "DateCreated" => date::history(cursor, record, "created")?,
            "DateCompleted" => date::history(cursor, record, "completed")?,
            "DateRevised" => date::history(cursor, record, "last-revised")?,
            "Article" => article::read(cursor, record, &element)?,
            "MedlineJournalInfo" => journal::medline_info(cursor, record)?,
            "ChemicalList" => subject::chemicals(cursor, record)?,
            "SupplMeshList" => subject::supplementary(cursor, record)?,
            "CitationSubset" => record.citation_subsets.extend(cursor.some_text()?),
            "CommentsCorrectionsList" => corrections::list(cursor, record)?,
            "CommentsCorrections" => corrections::one(cursor, record, &element)?,
            "GeneSymbolList" => subject::gene_symbols(cursor, record)?,
            "MeshHeadingList" => subject::mesh(cursor, record)?,
            "NumberOfReferences" => record.reference_count = cursor.some_text()?,
            "PersonalNameSubjectList" => {
                person::named_people(cursor, &mut record.personal_name_subjects)?;
            }
            "InvestigatorList" => person::named_people(cursor, &mut record.investigators)?,
            "OtherID" => ids::other(cursor, record, &element)?,
            "OtherAbstract" => abstracts::other(cursor, record, &element)?,
            "KeywordList" => subject::keywords(cursor, record, &element)?,
            "CoiStatement" => record.conflict_of_interest = cursor.some_text()?,
            "SpaceFlightMission" => record.space_flight_missions.extend(cursor.some_text()?),
            "GeneralNote" => {
                let owner = element.attribute("Owner")?;
                let note = cursor.some_text()?.map(|text| Note { owner, text });
                record.notes.extend(note);
            }
            // Old vintages and altered files have some lists one level higher.
            "DataBankList" => funding::databanks(cursor, record, &element)?,
            "GrantList" => funding::grants(cursor, record, &element)?,
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(())
}

fn attributes(draft: &mut Draft, element: &Element<'_>) -> Result<(), Flaw> {
    let record = &mut draft.article;
    record.status = element.attribute("Status")?;
    record.owner = element.attribute("Owner")?;
    record.indexing_method = element.attribute("IndexingMethod")?;
    for (attribute, key) in [("VersionID", "version_id"), ("VersionDate", "version_date")] {
        if let Some(value) = element.attribute(attribute)? {
            record.metadata.insert(key.to_owned(), Value::String(value));
        }
    }
    Ok(())
}
