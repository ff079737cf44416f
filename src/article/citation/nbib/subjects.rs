//! What the article is about, what it is linked with, and its numbers.

use super::super::parts::line;
use super::Lines;
use crate::article::{Article, CorrectionKind, Grant, MeshHeading};

pub(super) fn write(out: &mut Lines, article: &Article) {
    for chemical in &article.chemicals {
        let number = chemical.registry_number.as_deref().unwrap_or("0");
        match chemical.substance.name.as_str() {
            "" => out.add("RN", number),
            name => out.add("RN", &format!("{number} ({name})")),
        }
    }
    for supplementary in &article.supplementary_concepts {
        out.add("NM", &supplementary.concept.name);
    }
    for symbol in &article.gene_symbols {
        out.add("GS", symbol);
    }
    for found in &article.mesh {
        out.add("MH", &heading(found));
    }
    for list in &article.keywords {
        out.optional("OTO", list.owner.as_ref());
        for keyword in &list.keywords {
            let star = if keyword.major { "*" } else { "" };
            out.add("OT", &format!("{star}{}", keyword.text));
        }
    }
}

/// `Women, Working/*history/psychology`
fn heading(found: &MeshHeading) -> String {
    let star = |major: bool| if major { "*" } else { "" };
    let mut text = format!("{}{}", star(found.major), found.descriptor.name);
    for (qualifier, major) in &found.qualifiers {
        text.push_str(&format!("/{}{}", star(*major), qualifier.name));
    }
    text
}

pub(super) fn databanks_and_grants(out: &mut Lines, article: &Article) {
    for bank in &article.databanks {
        if bank.accessions.is_empty() {
            out.add("SI", &bank.name);
        }
        for accession in &bank.accessions {
            out.add("SI", &format!("{}/{accession}", bank.name));
        }
    }
    for found in &article.grants {
        out.add("GR", &grant(found));
    }
}

/// `R01 CA1/CA/NCI NIH HHS/United States`. Agency and country keep their places
/// when they are not known.
fn grant(found: &Grant) -> String {
    let last = [&found.agency, &found.country].map(|part| part.as_deref().unwrap_or_default());
    let first = [&found.id, &found.acronym].into_iter().flatten();
    let parts: Vec<&str> = first.map(String::as_str).chain(last).collect();
    parts.join("/")
}

pub(super) fn links(out: &mut Lines, article: &Article) {
    for link in &article.links {
        let Some(tag) = tag_of(&link.kind) else {
            continue;
        };
        let source = line(&link.source);
        match &link.pmid {
            Some(pmid) => out.add(tag, &format!("{source} PMID: {pmid}")),
            None => out.add(tag, &source),
        }
    }
}

/// The tag of a kind of link. The DTD's names are the ones that JSON has.
fn tag_of(kind: &CorrectionKind) -> Option<&'static str> {
    const TAGS: [(&str, &str); 24] = [
        ("CommentOn", "CON"),
        ("CommentIn", "CIN"),
        ("ErratumIn", "EIN"),
        ("ErratumFor", "EFR"),
        ("CorrectedandRepublishedIn", "CRI"),
        ("CorrectedandRepublishedFrom", "CRF"),
        ("ExpressionOfConcernIn", "ECI"),
        ("ExpressionOfConcernFor", "ECF"),
        ("RepublishedIn", "RPI"),
        ("RepublishedFrom", "RPF"),
        ("RetractionIn", "RIN"),
        ("RetractionOf", "ROF"),
        ("RetractedandRepublishedIn", "RRI"),
        ("RetractedandRepublishedFrom", "RRF"),
        ("PartialRetractionIn", "PRIN"),
        ("PartialRetractionOf", "PROF"),
        ("UpdateIn", "UIN"),
        ("UpdateOf", "UOF"),
        ("SummaryForPatientsIn", "SPIN"),
        ("OriginalReportIn", "ORI"),
        ("ReprintIn", "RIX"),
        ("ReprintOf", "ROX"),
        ("DatasetDescribedIn", "DDIN"),
        ("DatasetUseReportedIn", "DRIN"),
    ];
    let name = serde_json::to_value(kind).ok()?;
    let tag = TAGS.iter().find(|(known, _)| name == *known);
    tag.map(|(_, tag)| *tag)
}

pub(super) fn identifiers(out: &mut Lines, article: &Article) {
    for id in article.other_ids.iter().filter(|id| id.valid) {
        let (kind, value) = (line(&id.kind), line(&id.value));
        match kind.to_lowercase().as_str() {
            "pubmed" => {}
            "pmc" => out.add("PMC", &value),
            "mid" => out.add("MID", &value),
            // Those of other libraries are named in capitals: `NASA`, `KIE`.
            lower if *lower != kind => out.add("OID", &format!("{kind}: {value}")),
            _ => out.add("AID", &format!("{value} [{kind}]")),
        }
    }
}
