use super::*;
use medsift::article::{CorrectionKind, PubDate};
use proptest::prelude::*;

const FULL: &str = "\
PMID- 990000001\r
OWN - NLM\r
STAT- MEDLINE\r
DCOM- 20240201\r
LR  - 20240309\r
IS  - 0000-0019 (Electronic)\r
IS  - 0000-0027 (Print)\r
IS  - 0000-0001 (Linking)\r
VI  - 12\r
IP  - 3\r
DP  - 2023 Dec 4\r
TI  - A title that goes\r
      on - over two lines.\r
PG  - 123-9\r
LID - 10.0000/sample.1 [doi]\r
AB  - BACKGROUND: Text. RESULTS: More\r
      text.\r
CI  - (c) Nobody\r
FAU - van der Berg, Ada B Jr\r
AU  - van der Berg AB Jr\r
AUID- ORCID: 0000-0001\r
AD  - Here.\r
AD  - There.\r
FAU - Selvamani\r
AU  - Selvamani\r
CN  - Sample Group\r
LA  - eng\r
SI  - ClinicalTrials.gov/NCT1\r
SI  - ClinicalTrials.gov/NCT2\r
GR  - /076053/Z/04/Z/Wellcome Trust/United Kingdom\r
GR  - R01 CA1/CA/NCI NIH HHS/United States\r
PT  - Retracted Publication\r
PL  - Germany\r
TA  - J Samples\r
JT  - The journal of samples\r
JID - 1\r
SB  - IM\r
RN  - EC 3.4.11.1 (Leucyl Aminopeptidase)\r
MH  - Women, Working/*history/psychology\r
MH  - *Asthma\r
RIN - Clin Exp. 2005 Dec;5(4):1. PMID: 16362798\r
EIN - J Samples. 2024;1:1\r
OTO - NOTNLM\r
OT  - *sampling\r
OT  - pieces\r
FIR - Roe, Rita\r
IR  - Roe R\r
IRAD- Hospital.\r
OAB - Publisher: Hola.\r
OABL- spa\r
EDAT- 2023/11/30 06:00\r
PHST- 2023/01/05 00:00 [received]\r
AID - S1 [pii]\r
PMC - PMC1\r
PST - ppublish\r
SO  - J Samples. 2023.\r
XYZ - new\r
";

#[test]
fn every_tag_has_a_place() {
    let record = article(FULL).unwrap();
    assert_eq!(record.id.as_str(), "990000001");
    assert_eq!(record.title.plain, "A title that goes on - over two lines.");
    assert_eq!(
        record.abstract_sections[0].text.plain,
        "BACKGROUND: Text. RESULTS: More text."
    );
    assert_eq!(
        record.published,
        Some(PubDate::calendar(2023, Some(12), Some(4)).unwrap())
    );
    let journal = record.journal.as_ref().unwrap();
    assert_eq!(journal.issn.as_deref(), Some("0000-0019"));
    assert_eq!(journal.issn_linking.as_deref(), Some("0000-0001"));
    let ids: Vec<_> = record
        .other_ids
        .iter()
        .map(|id| (&*id.kind, &*id.value))
        .collect();
    assert_eq!(
        ids,
        [("doi", "10.0000/sample.1"), ("pii", "S1"), ("pmc", "PMC1")]
    );
    let events: Vec<_> = record
        .history
        .iter()
        .map(|event| event.event.as_str())
        .collect();
    assert_eq!(events, ["completed", "last-revised", "pubmed", "received"]);
    assert_eq!(record.history[2].time.as_deref(), Some("06:00"));
    assert_eq!(record.databanks[0].accessions, ["NCT1", "NCT2"]);
    assert_eq!(record.other_abstracts[0].language.as_deref(), Some("spa"));
    assert_eq!(record.other_abstracts[0].sections[0].text.plain, "Hola.");
    assert_eq!(record.keywords[0].owner.as_deref(), Some("NOTNLM"));
    assert!(record.keywords[0].keywords[0].major && !record.keywords[0].keywords[1].major);
}

#[test]
fn people_keep_their_parts() {
    let record = article(FULL).unwrap();
    let names: Vec<String> = record
        .authors
        .iter()
        .map(|author| author.display())
        .collect();
    assert_eq!(names, ["van der Berg AB Jr", "Selvamani", "Sample Group"]);
    let first = record.authors[0].name.as_ref().unwrap();
    assert_eq!(
        (&*first.last, first.fore.as_deref()),
        ("van der Berg", Some("Ada B"))
    );
    assert_eq!(record.authors[0].affiliations.len(), 2);
    assert_eq!(record.authors[0].identifiers[0].source, "ORCID");
    assert_eq!(record.investigators[0].affiliations[0].name, "Hospital.");
    let old = article("PMID- 1\nAD  - Dept.\nAU  - de Roe AB\nAU  - Poe P 3rd\n").unwrap();
    let names: Vec<String> = old.authors.iter().map(|author| author.display()).collect();
    assert_eq!(names, ["de Roe AB", "Poe P 3rd"]);
    assert_eq!(old.authors[0].name.as_ref().unwrap().last, "de Roe");
    assert_eq!(old.authors[0].affiliations[0].name, "Dept.");
}

#[test]
fn subjects_links_and_grants() {
    let record = article(FULL).unwrap();
    let heading = &record.mesh[0];
    assert_eq!(heading.descriptor.name, "Women, Working");
    let qualifiers: Vec<_> = heading
        .qualifiers
        .iter()
        .map(|(q, major)| (&*q.name, *major))
        .collect();
    assert_eq!(qualifiers, [("history", true), ("psychology", false)]);
    assert!(!heading.major && record.mesh[1].major);
    assert_eq!(
        record.chemicals[0].registry_number.as_deref(),
        Some("EC 3.4.11.1")
    );
    assert_eq!(record.chemicals[0].substance.name, "Leucyl Aminopeptidase");
    assert_eq!(record.links[0].kind, CorrectionKind::RetractionIn);
    assert_eq!(record.links[0].pmid.as_deref(), Some("16362798"));
    assert_eq!(record.links[0].source, "Clin Exp. 2005 Dec;5(4):1.");
    assert_eq!(record.links[1].pmid, None);
    assert!(record.is_retracted());
    let grants: Vec<_> = record
        .grants
        .iter()
        .map(|g| {
            (
                g.id.as_deref().unwrap(),
                g.acronym.as_deref(),
                g.agency.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        grants,
        [
            ("076053/Z/04/Z", None, "Wellcome Trust"),
            ("R01 CA1", Some("CA"), "NCI NIH HHS")
        ]
    );
}

#[test]
fn what_has_no_place_is_metadata() {
    let record = article(&format!("{FULL}a line of no tag\n")).unwrap();
    assert_eq!(
        record.metadata["SO"],
        serde_json::json!(["J Samples. 2023."])
    );
    assert_eq!(record.metadata["XYZ"], serde_json::json!(["new"]));
    assert_eq!(
        record.metadata["IS"],
        serde_json::json!(["0000-0027 (Print)"])
    );
    assert_eq!(
        record.metadata["unrecognised"],
        serde_json::json!(["a line of no tag"])
    );
}

#[test]
fn a_record_needs_a_pmid() {
    assert!(article("TI  - x\n").unwrap_err().contains("no PMID"));
    assert!(article("PMID- \nTI  - x\n").unwrap_err().contains("empty"));
}

#[test]
fn books_are_books() {
    let record = article("PMID- 1\nBTI - A book\nISBN- 1\nED  - Poe P\nCTDT- 20200102\n").unwrap();
    assert_eq!(record.kind, ArticleKind::Book);
    assert_eq!(record.display_title().plain, "A book");
    assert_eq!(record.editors[0].display(), "Poe P");
}

proptest! {
    #[test]
    fn any_text_is_a_record_or_a_fault(lines in prop::collection::vec("([A-Z]{1,4} {0,2}- ?)?\\PC{0,20}", 0..30)) {
        let text = lines.join("\n");
        let _ = article(&text);
        let with_id = article(&format!("PMID- 1\nTI  - x\n{text}"));
        prop_assert!(with_id.is_ok());
    }
}

#[test]
fn what_is_written_is_read_back() {
    let record = article(FULL).unwrap();
    let written = medsift::article::citation::nbib(&record);
    assert_eq!(article(&written).unwrap(), record, "{written}");
}

/// Every record of the sample, from XML to tagged text and back: what MEDLINE
/// has tags for stays, and a second round changes nothing.
#[test]
fn records_of_xml_survive_tagged_text() {
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures/sample/medsift-sample.xml");
    let (_, reader) = crate::source::open(&sample).unwrap();
    let mut records = 0;
    for record in reader {
        let crate::Record::Article(before) = record else {
            continue;
        };
        let written = medsift::article::citation::nbib(&before);
        let after = article(&written).unwrap();
        same(&before, &after, &written);
        assert_eq!(medsift::article::citation::nbib(&after), written);
        records += 1;
    }
    assert!(records >= 50, "{records}");
}

/// Name, whether it is a main topic, and the same of its qualifiers.
type Heading = (String, bool, Vec<(String, bool)>);

fn same(before: &Article, after: &Article, written: &str) {
    let names = |article: &Article| -> Vec<String> {
        let valid = article.authors.iter().filter(|author| author.valid);
        valid.map(|author| author.display()).collect()
    };
    let headings = |article: &Article| -> Vec<Heading> {
        let parts = |heading: &medsift::article::MeshHeading| {
            let qualifiers = heading.qualifiers.iter();
            let qualifiers = qualifiers.map(|(term, major)| (term.name.clone(), *major));
            let name = heading.descriptor.name.clone();
            (name, heading.major, qualifiers.collect())
        };
        article.mesh.iter().map(parts).collect()
    };
    let kinds = |article: &Article| -> Vec<String> {
        let kinds = article.publication_types.iter();
        kinds.map(|kind| kind.name.clone()).collect()
    };
    assert_eq!(before.id, after.id);
    assert_eq!(before.title.plain, after.title.plain, "{written}");
    assert_eq!(before.published, after.published, "{written}");
    assert_eq!(before.year(), after.year(), "{written}");
    assert_eq!(before.languages, after.languages, "{written}");
    assert_eq!(names(before), names(after), "{written}");
    assert_eq!(headings(before), headings(after), "{written}");
    assert_eq!(kinds(before), kinds(after), "{written}");
    assert_eq!(before.grants, after.grants, "{written}");
    assert_eq!(before.databanks, after.databanks, "{written}");
    assert_eq!(before.is_retracted(), after.is_retracted(), "{written}");
    assert_eq!(before.other_id("doi"), after.other_id("doi"), "{written}");
    assert_eq!(before.other_id("pmc"), after.other_id("pmc"), "{written}");
    let volume = |article: &Article| article.journal.as_ref().and_then(|j| j.volume.clone());
    assert_eq!(volume(before), volume(after), "{written}");
}
