//! `MedlineCitation`: what NLM records about an article.

use super::{article, data, date, metadata, people, pmid, subject};
use crate::article::Article;
use crate::xml::XmlWriter;

pub(super) fn write(xml: &mut XmlWriter, record: &Article) {
    let attributes = [
        ("Status", record.status.as_deref()),
        ("Owner", record.owner.as_deref()),
        ("VersionID", metadata(record, "version_id")),
        ("VersionDate", metadata(record, "version_date")),
        ("IndexingMethod", record.indexing_method.as_deref()),
    ];
    xml.inside("MedlineCitation", &attributes, |xml| {
        pmid(xml, record);
        for event in &record.history {
            if let Some(name) = data::record_date(event) {
                date::event(xml, name, &[], event);
            }
        }
        article::write(xml, record);
        article::medline_journal(xml, record.journal.as_ref());
        about(xml, record);
        beside(xml, record);
    });
}

fn about(xml: &mut XmlWriter, record: &Article) {
    subject::substances(xml, record);
    for subset in &record.citation_subsets {
        xml.leaf("CitationSubset", subset);
    }
    subject::links(xml, &record.links);
    subject::list(
        xml,
        "GeneSymbolList",
        &record.gene_symbols,
        |xml, symbol| {
            xml.leaf("GeneSymbol", symbol);
        },
    );
    subject::list(xml, "MeshHeadingList", &record.mesh, subject::mesh);
    xml.optional("NumberOfReferences", record.reference_count.as_ref());
    people::subjects(xml, &record.personal_name_subjects);
}

fn beside(xml: &mut XmlWriter, record: &Article) {
    data::other_ids(xml, record);
    for other in &record.other_abstracts {
        let attributes = [
            ("Type", other.kind.as_deref()),
            ("Language", other.language.as_deref()),
        ];
        xml.inside("OtherAbstract", &attributes, |xml| {
            subject::sections(xml, &other.sections, other.copyright.as_ref());
        });
    }
    subject::keywords(xml, &record.keywords);
    xml.optional("CoiStatement", record.conflict_of_interest.as_ref());
    for mission in &record.space_flight_missions {
        xml.leaf("SpaceFlightMission", mission);
    }
    people::investigators(xml, &record.investigators);
    for note in &record.notes {
        xml.leaf_with(
            "GeneralNote",
            &[("Owner", note.owner.as_deref())],
            &note.text,
        );
    }
}
