//! Annotated texts that other people published, in and out again.

use flate2::read::GzDecoder;
use medsift::enrich::exchange::bioc::{BiocDocument, Collection};
use medsift::enrich::exchange::{Document, Mention, pubtator};
use medsift_indexer::annotated::{read_bioc_xml, read_documents};
use medsift_tests::real_data;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

fn content(path: &Path) -> String {
    let mut text = String::new();
    let file = File::open(path).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

fn misplaced(documents: &[Document]) -> usize {
    let each = documents.iter().map(|document| document.misplaced().len());
    each.sum()
}

fn as_bioc(documents: &[Document]) -> Collection {
    Collection {
        documents: documents.iter().map(BiocDocument::of).collect(),
        ..Collection::default()
    }
}

/// Every PubTator file is read and written, through BioC JSON too, and is the
/// same. Nine of them to the byte; the others but for line ends of another kind
/// and empty lines at the beginning, at the end or between documents.
#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn pubtator_files_come_out_as_they_went_in() {
    let Some(data) = real_data("pubtator_files_come_out_as_they_went_in") else {
        return;
    };
    let mut all = files(&data.join("pubmed/bioc-pubtator/pubtator"), ".gz");
    for folder in ["re/bc5cdr-cid", "re/biored"] {
        all.extend(files(&data.join(folder), ".pubtator.gz"));
    }
    let mut counts = [0; 5];
    for path in &all {
        let text = content(path);
        let documents = pubtator::read(&text).unwrap();
        let written = pubtator::write(&documents).unwrap();
        assert_eq!(pubtator::read(&written).unwrap(), documents, "{path:?}");
        let collection = as_bioc(&documents);
        let json = collection.write_json().unwrap();
        let read = Collection::read_json(&json).unwrap();
        assert_eq!(read, collection, "{path:?}");
        assert_eq!(read.to_documents(), documents, "{path:?}");
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().map(str::to_owned);
            lines.filter(|line| !line.is_empty()).collect()
        };
        assert_eq!(lines(&written), lines(&text), "{path:?}");
        let mentions: usize = documents.iter().map(|one| one.mentions.len()).sum();
        let relations: usize = documents.iter().map(|one| one.relations.len()).sum();
        let same = usize::from(written == text);
        let found = [
            same,
            documents.len(),
            mentions,
            relations,
            misplaced(&documents),
        ];
        for (count, found) in counts.iter_mut().zip(found) {
            *count += found;
        }
    }
    // Two copies of one mention of NCBI-disease lack the quotes of their text.
    assert_eq!((all.len(), counts), (22, [9, 9220, 148_988, 20_227, 2]));
}

/// Files in the XML form of BioC, with the documents and mentions of each, and
/// how many of these are not where they say.
const BIOC: [(&str, usize, usize, usize); 5] = [
    // Annotations alone: the text is in another file.
    ("JULIELab___annotation", 2, 20, 20),
    // One of them was printed for people after it was annotated.
    ("JULIELab__", 10, 214, 0),
    ("JULIELab__1", 3, 39, 0),
    // Pieces of which one is cut short by a letter, and one that is a place off.
    ("cryptoradon__", 2500, 38_655, 4),
    ("zbmed", 5, 0, 0),
];

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn bioc_files_come_out_as_they_went_in() {
    let Some(data) = real_data("bioc_files_come_out_as_they_went_in") else {
        return;
    };
    let all = files(&data.join("pubmed/bioc-pubtator/bioc"), ".gz");
    assert_eq!(all.len(), 21);
    let mut counts: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for path in &all {
        let collection = read_bioc_xml(&content(path)).unwrap();
        assert!(
            collection.more.is_empty(),
            "{path:?}: {:?}",
            collection.more
        );
        let json = collection.write_json().unwrap();
        assert_eq!(
            Collection::read_json(&json).unwrap(),
            collection,
            "{path:?}"
        );
        let documents = collection.to_documents();
        assert_eq!(as_bioc(&documents).to_documents(), documents, "{path:?}");
        let name = path.file_name().unwrap().to_str().unwrap();
        let groups = BIOC.iter().map(|one| one.0);
        let group = groups.filter(|group| name.starts_with(group));
        let group = group.max_by_key(|group| group.len()).unwrap();
        let count = counts.entry(group).or_default();
        count.0 += documents.len();
        count.1 += documents
            .iter()
            .map(|one| one.mentions.len())
            .sum::<usize>();
        count.2 += misplaced(&documents);
    }
    let expected = BIOC
        .map(|(group, documents, mentions, misplaced)| (group, (documents, mentions, misplaced)));
    assert_eq!(counts, expected.into());
}

/// BC5CDR was published in both forms: they say the same.
#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn both_forms_of_a_corpus_say_the_same() {
    let Some(data) = real_data("both_forms_of_a_corpus_say_the_same") else {
        return;
    };
    let folder = data.join("pubmed/bioc-pubtator");
    let lines = read_documents(&data.join("re/bc5cdr-cid/test.pubtator.gz")).unwrap();
    let file = "bioc/cryptoradon__CDR_TestSet.BioC.xml.8aa041.gz";
    let xml = read_documents(&folder.join(file)).unwrap();
    assert_eq!((lines.len(), xml.len()), (500, 500));
    for (lines, xml) in lines.iter().zip(&xml) {
        assert_eq!(lines.id, xml.id);
        assert_eq!(lines.passages, xml.passages);
        let of_lines: Vec<_> = lines.mentions.iter().map(what).collect();
        // The parts of a composite mention stand in a column of its line.
        let whole = |one: &&Mention| {
            one.notes.get("CompositeRole").map(String::as_str) != Some("IndividualMention")
        };
        let of_xml: Vec<_> = xml.mentions.iter().filter(whole).map(what).collect();
        assert_eq!(of_lines, of_xml, "{}", lines.id);
        let relation =
            |one: &medsift::enrich::exchange::Relation| (one.kind.clone(), one.arguments.clone());
        let of_lines: Vec<_> = lines.relations.iter().map(relation).collect();
        let of_xml: Vec<_> = xml.relations.iter().map(relation).collect();
        assert_eq!(of_lines, of_xml, "{}", lines.id);
    }
}

fn what(mention: &Mention) -> (std::ops::Range<usize>, &str, &str, Option<&str>) {
    (
        mention.characters.clone(),
        &mention.text,
        &mention.kind,
        mention.identifier.as_deref(),
    )
}
