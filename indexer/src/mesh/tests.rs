use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

/// A descriptor as NLM's XML has it, with parts that are not read.
const XML: &str = r#"<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20250101.dtd">
<DescriptorRecordSet LanguageCode = "eng">
<DescriptorRecord DescriptorClass = "1">
  <DescriptorUI>D001249</DescriptorUI>
  <DescriptorName><String>Asthma</String></DescriptorName>
  <PharmacologicalActionList><PharmacologicalAction><DescriptorReferredTo>
    <DescriptorUI>D999999</DescriptorUI><DescriptorName><String>Elsewhere</String></DescriptorName>
  </DescriptorReferredTo></PharmacologicalAction></PharmacologicalActionList>
  <TreeNumberList><TreeNumber>C08.127.108</TreeNumber><TreeNumber>C08.381.495.108</TreeNumber></TreeNumberList>
  <ConceptList>
    <Concept PreferredConceptYN="Y"><ConceptName><String>Asthma</String></ConceptName>
      <TermList>
        <Term RecordPreferredTermYN="Y"><TermUI>T003585</TermUI><String>Asthma</String></Term>
        <Term><TermUI>T003586</TermUI><String>Asthma, Bronchial &amp; more</String></Term>
      </TermList></Concept>
    <Concept><TermList><Term><String>Bronchial Asthma</String></Term></TermList></Concept>
  </ConceptList>
</DescriptorRecord>
<DescriptorRecord DescriptorClass = "4">
  <DescriptorUI>D008297</DescriptorUI><DescriptorName><String>Male</String></DescriptorName>
</DescriptorRecord>
</DescriptorRecordSet>
"#;

const ASCII: &str = "*NEWRECORD\nRECTYPE = D\nMH = Asthma\nAQ = BL CF\n\
    PRINT ENTRY = Asthma, Bronchial & more|T047|EQV\nENTRY = Bronchial Asthma|T047|NON|EQV|abcdef\n\
    MN = C08.127.108\nMN = C08.381.495.108\nMS = A form of = disorder.\nUI = D001249\n\n\
    *NEWRECORD\nRECTYPE = D\nMH = Male\nUI = D008297\n";

fn file(content: &[u8], gzip: bool) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mesh");
    let bytes = if gzip {
        let mut out = GzEncoder::new(Vec::new(), Compression::fast());
        out.write_all(content).unwrap();
        out.finish().unwrap()
    } else {
        content.to_vec()
    };
    std::fs::write(&path, bytes).unwrap();
    (dir, path)
}

fn expected() -> Vec<Descriptor> {
    let text = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    vec![
        Descriptor {
            ui: "D001249".to_owned(),
            heading: "Asthma".to_owned(),
            tree_numbers: text(&["C08.127.108", "C08.381.495.108"]),
            entry_terms: text(&["Asthma, Bronchial & more", "Bronchial Asthma"]),
        },
        Descriptor {
            ui: "D008297".to_owned(),
            heading: "Male".to_owned(),
            ..Descriptor::default()
        },
    ]
}

#[test]
fn both_forms_say_the_same() {
    for content in [XML, ASCII] {
        for gzip in [false, true] {
            let (_dir, path) = file(content.as_bytes(), gzip);
            assert_eq!(read_descriptors(&path).unwrap(), expected());
        }
    }
    // A file without any line break is one as well.
    let (_dir, path) = file(XML.replace('\n', " ").as_bytes(), false);
    assert_eq!(read_descriptors(&path).unwrap(), expected());
}

#[test]
fn what_is_something_else_or_damaged_is_named() {
    let supplement = XML.replace("Descriptor", "Supplemental");
    let qualifier = XML.replace("Descriptor", "Qualifier");
    let cut = XML.split_at(XML.len() - 100).0;
    let nameless = ASCII.replace("MH = Asthma\n", "");
    let other = ASCII.replace("RECTYPE = D", "RECTYPE = C");
    for (content, part) in [
        ("", "is no MeSH file"),
        ("PMID- 1\n", "is no MeSH file"),
        (supplement.as_str(), "supplementary records"),
        (qualifier.as_str(), "holds qualifiers"),
        (cut, "ends within record 2"),
        (nameless.as_str(), "the record before line 11 has no MH"),
        (other.as_str(), "line 2: a record of type C"),
        ("*NEWRECORD\nRECTYPE = D\n", "the last record has no MH"),
        ("<a><DescriptorRecord/></a>", "no descriptor"),
        (
            "<DescriptorRecord><DescriptorUI>D1</DescriptorUI></DescriptorRecord>",
            "record 1: no DescriptorUI or no DescriptorName",
        ),
    ] {
        let (_dir, path) = file(content.as_bytes(), false);
        let error = read_descriptors(&path).unwrap_err().to_string();
        assert!(error.contains(part), "{part}: {error}");
    }
    let (dir, path) = file(XML.as_bytes(), true);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(read_descriptors(&path).is_err());
    assert!(read_descriptors(&dir.path().join("none")).is_err());
}

proptest! {
    #[test]
    fn no_file_panics(
        start in prop::sample::select(vec!["", "*NEWRECORD\n", "<DescriptorRecord>"]),
        rest in "[ -~\n<>/&;=|]{0,200}",
    ) {
        let (_dir, path) = file(format!("{start}{rest}").as_bytes(), false);
        let _ = read_descriptors(&path);
    }
}
