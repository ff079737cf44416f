use super::*;
use crate::Record;
use flate2::{Compression, write::GzEncoder};
use medsift::digest::of_file;
use std::io::Write;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> std::path::PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// Ids, deletions (`-id`) and reasons (`!reason`) in order.
fn records(path: &Path) -> Vec<String> {
    let (_, reader) = open(path).unwrap();
    let show = |record| match record {
        Record::Article(article) => article.id.to_string(),
        Record::Embedded(embedded) => embedded.article.id.to_string(),
        Record::Deletion(id) => format!("-{id}"),
        Record::Fault(fault) => format!("!{}", fault.reason),
    };
    reader.map(show).collect()
}

fn citation(pmid: u32) -> String {
    format!(
        "<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID></MedlineCitation></PubmedArticle>\n"
    )
}

#[test]
fn what_is_known_of_a_file() {
    let scratch = Scratch::new();
    let path = scratch.file("a.txt", gzip("<PubmedArticleSet></PubmedArticleSet>"));
    let (info, reader) = open(&path).unwrap();
    assert_eq!(
        (info.name.as_str(), info.format),
        ("a.txt", Format::PubmedXml)
    );
    assert!(info.compressed);
    assert_eq!(info.bytes, std::fs::metadata(&path).unwrap().len());
    let progress = reader.progress();
    assert_eq!(reader.count(), 0);
    assert_eq!(progress.read_bytes(), info.bytes);
    assert_eq!(progress.total_bytes(), info.bytes);

    let path = scratch.file("abc", "{\"_id\":1}");
    let (info, _) = open(&path).unwrap();
    assert!(!info.compressed);
    // sha256sum of the nine bytes.
    assert_eq!(info.sha256, of_file(&path).unwrap());
    assert_eq!(
        of_file(&scratch.file("x", "abc")).unwrap(),
        // The example of FIPS 180-2, appendix B.1.
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

#[test]
fn members_of_gzip_and_kinds_of_records_may_be_mixed() {
    let scratch = Scratch::new();
    let first = format!("<PubmedArticleSet>{}", citation(1));
    let second = format!(
        "<PubmedBookArticle><BookDocument><PMID>2</PMID></BookDocument></PubmedBookArticle>\
         <DeleteCitation><PMID>3</PMID><PMID>4</PMID></DeleteCitation>{}</PubmedArticleSet>",
        citation(5)
    );
    let path = scratch.file("x", [gzip(&first), gzip(&second)].concat());
    assert_eq!(records(&path), ["1", "2", "-3", "-4", "5"]);
}

// Field report: the wrong kind of file gives rows of nothing.
#[test]
fn other_files_are_refused_by_name_and_content() {
    let scratch = Scratch::new();
    for (bytes, what) in [
        (&b"<eSearchResult/>"[..], "root element <eSearchResult>"),
        (b"", "is empty"),
        (b"<!DOCTYPE html><html></html>", "HTML page"),
        (b"hello", "neither XML"),
    ] {
        let error = open(&scratch.file("file.xml", bytes)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        let message = error.to_string();
        assert!(
            message.contains("file.xml") && message.contains(what),
            "{message}"
        );
    }
    assert!(
        open(scratch.0.path())
            .unwrap_err()
            .to_string()
            .contains("is a folder")
    );
    let missing = open(&scratch.0.path().join("none")).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    let broken = open(&scratch.file("broken.gz", &gzip("<PubmedArticleSet>")[..12])).unwrap_err();
    assert_eq!(broken.kind(), ErrorKind::Corrupt);
}

// Field report: one bad byte loses the file.
#[test]
fn a_damaged_record_is_quarantined_and_the_next_is_read() {
    let scratch = Scratch::new();
    let good = citation(1);
    let bad = citation(2).replace("</PMID>", "\u{1}</PMD>");
    let mut bytes = format!("<PubmedArticleSet>{good}{bad}{}", citation(3)).into_bytes();
    let invalid = bytes.len() - 60;
    bytes.extend_from_slice(citation(4).as_bytes());
    bytes.extend_from_slice(b"</PubmedArticleSet>");
    bytes[invalid] = 0xff;
    let path = scratch.file("x.xml", bytes);
    let (_, reader) = open(&path).unwrap();
    let found: Vec<Record> = reader.collect();
    assert_eq!(found.len(), 4);
    let faults: Vec<_> = found
        .iter()
        .filter_map(|record| match record {
            Record::Fault(fault) => Some(fault),
            _ => None,
        })
        .collect();
    assert_eq!(faults.len(), 2);
    let start = "<PubmedArticleSet>".len() + good.len();
    assert_eq!(
        (faults[0].byte_offset, faults[0].ordinal),
        (start as u64, 2)
    );
    assert_eq!(faults[0].id.as_deref(), Some("2"));
    assert_eq!(faults[0].raw, bad.trim_end().as_bytes());
    assert!(faults[1].reason.contains("invalid UTF-8"), "{}", faults[1]);
    assert!(
        faults[0].to_string().contains("record 2 (2) at byte"),
        "{}",
        faults[0]
    );
}

#[test]
fn a_cut_or_corrupt_gzip_keeps_what_came_before() {
    let scratch = Scratch::new();
    // Numbers that do not compress well, so that the cut is far behind the start.
    let many: String = (0..20_000u32)
        .map(|n| citation(1 + n.wrapping_mul(2_654_435_761) % 99_999_999))
        .collect();
    let whole = gzip(&format!("<PubmedArticleSet>{many}</PubmedArticleSet>"));
    let all = records(&scratch.file("whole", &whole));
    assert_eq!(all.len(), 20_000);

    let cut = records(&scratch.file("cut", &whole[..whole.len() * 3 / 4]));
    let (last, before) = cut.split_last().unwrap();
    assert!(last.contains("gzip stream is cut short"), "{last}");
    assert!(before.len() > 10_000 && all.starts_with(before));

    let mut corrupt = whole.clone();
    let middle = corrupt.len() * 3 / 4;
    for byte in &mut corrupt[middle..middle + 64] {
        *byte = !*byte;
    }
    let corrupt = records(&scratch.file("corrupt", &corrupt));
    let faults = corrupt
        .iter()
        .filter(|record| record.starts_with('!'))
        .count();
    assert!(
        corrupt.last().unwrap().contains("corrupt"),
        "{:?}",
        corrupt.last()
    );
    assert!(faults >= 1 && corrupt.len() > 10_000);
}

#[test]
fn a_bad_line_of_json_is_one_fault() {
    let scratch = Scratch::new();
    let path = scratch.file("x", "{\"_id\":\"a\"}\n{\"_id\":\n{\"_id\":\"c\"}\n");
    let (_, reader) = open(&path).unwrap();
    let found: Vec<Record> = reader.collect();
    let Record::Fault(fault) = &found[1] else {
        panic!("the second line is no fault");
    };
    assert_eq!((fault.byte_offset, fault.ordinal), (12, 2));
    assert!(fault.reason.contains("not JSON"));
    assert_eq!(found.len(), 3);
}
