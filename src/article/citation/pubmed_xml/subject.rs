//! What an article is about, what it is linked with, what paid for it.

use super::yes_or_no;
use crate::article::{
    Article, Grant, KeywordList, Link, MeshHeading, MeshTerm, Section, SupplementaryConcept,
};
use crate::xml::XmlWriter;

/// A list, where it has entries.
pub(super) fn list<T>(
    xml: &mut XmlWriter,
    name: &str,
    entries: &[T],
    write: impl Fn(&mut XmlWriter, &T),
) {
    if entries.is_empty() {
        return;
    }
    xml.inside(name, &[], |xml| {
        for entry in entries {
            write(xml, entry);
        }
    });
}

/// A list that may be marked as incomplete, even without an entry.
fn marked<T>(
    xml: &mut XmlWriter,
    name: &str,
    complete: bool,
    entries: &[T],
    write: impl Fn(&mut XmlWriter, &T),
) {
    if entries.is_empty() && complete {
        return;
    }
    xml.inside(name, &[("CompleteYN", yes_or_no(complete))], |xml| {
        for entry in entries {
            write(xml, entry);
        }
    });
}

pub(super) fn term(xml: &mut XmlWriter, name: &str, term: &MeshTerm) {
    xml.leaf_with(name, &[("UI", term.ui.as_deref())], &term.name);
}

pub(super) fn mesh(xml: &mut XmlWriter, heading: &MeshHeading) {
    let attribute = |term: &MeshTerm, major: bool| (term.ui.clone(), yes_or_no(major));
    xml.inside("MeshHeading", &[], |xml| {
        let (ui, major) = attribute(&heading.descriptor, heading.major);
        let attributes = [
            ("UI", ui.as_deref()),
            ("MajorTopicYN", major),
            ("Type", heading.kind.as_deref()),
        ];
        xml.leaf_with("DescriptorName", &attributes, &heading.descriptor.name);
        for (qualifier, major) in &heading.qualifiers {
            let (ui, major) = attribute(qualifier, *major);
            let attributes = [("UI", ui.as_deref()), ("MajorTopicYN", major)];
            xml.leaf_with("QualifierName", &attributes, &qualifier.name);
        }
    });
}

pub(super) fn substances(xml: &mut XmlWriter, article: &Article) {
    list(xml, "ChemicalList", &article.chemicals, |xml, chemical| {
        xml.inside("Chemical", &[], |xml| {
            xml.optional("RegistryNumber", chemical.registry_number.as_ref());
            term(xml, "NameOfSubstance", &chemical.substance);
        });
    });
    let concepts = &article.supplementary_concepts;
    list(xml, "SupplMeshList", concepts, |xml, found| {
        let SupplementaryConcept { concept, kind } = found;
        let attributes = [("Type", kind.as_deref()), ("UI", concept.ui.as_deref())];
        xml.leaf_with("SupplMeshName", &attributes, &concept.name);
    });
}

pub(super) fn keywords(xml: &mut XmlWriter, lists: &[KeywordList]) {
    for list in lists {
        xml.inside("KeywordList", &[("Owner", list.owner.as_deref())], |xml| {
            for keyword in &list.keywords {
                let major = [("MajorTopicYN", yes_or_no(keyword.major))];
                xml.leaf_with("Keyword", &major, &keyword.text);
            }
        });
    }
}

pub(super) fn links(xml: &mut XmlWriter, links: &[Link]) {
    list(xml, "CommentsCorrectionsList", links, |xml, link| {
        // The DTD's names are the ones that JSON has.
        let kind = serde_json::to_value(&link.kind).unwrap_or_default();
        xml.inside(
            "CommentsCorrections",
            &[("RefType", kind.as_str())],
            |xml| {
                xml.leaf("RefSource", &link.source);
                if let Some(pmid) = &link.pmid {
                    xml.leaf_with("PMID", &[("Version", Some("1"))], pmid);
                }
                xml.optional("Note", link.note.as_ref());
            },
        );
    });
}

pub(super) fn databanks(xml: &mut XmlWriter, article: &Article) {
    let complete = article.databanks_complete;
    marked(
        xml,
        "DataBankList",
        complete,
        &article.databanks,
        |xml, bank| {
            xml.inside("DataBank", &[], |xml| {
                xml.leaf("DataBankName", &bank.name);
                list(
                    xml,
                    "AccessionNumberList",
                    &bank.accessions,
                    |xml, number| {
                        xml.leaf("AccessionNumber", number);
                    },
                );
            });
        },
    );
}

pub(super) fn grants(xml: &mut XmlWriter, article: &Article) {
    let complete = article.grants_complete;
    marked(xml, "GrantList", complete, &article.grants, |xml, grant| {
        let Grant {
            id,
            acronym,
            agency,
            country,
        } = grant;
        xml.inside("Grant", &[], |xml| {
            xml.optional("GrantID", id.as_ref());
            xml.optional("Acronym", acronym.as_ref());
            xml.optional("Agency", agency.as_ref());
            xml.optional("Country", country.as_ref());
        });
    });
}

/// The sections and the copyright line of an abstract.
pub(super) fn sections(xml: &mut XmlWriter, sections: &[Section], copyright: Option<&String>) {
    for section in sections {
        let attributes = [
            ("Label", section.label.as_deref()),
            ("NlmCategory", section.category.as_deref()),
        ];
        xml.rich("AbstractText", &attributes, &section.text);
    }
    xml.optional("CopyrightInformation", copyright);
}

/// `Abstract`, where there is one.
pub(super) fn main_abstract(xml: &mut XmlWriter, article: &Article) {
    if article.abstract_sections.is_empty() && article.copyright.is_none() {
        return;
    }
    xml.inside("Abstract", &[], |xml| {
        sections(xml, &article.abstract_sections, article.copyright.as_ref());
    });
}
