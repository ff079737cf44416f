//! The reader's memory does not grow with the file: a file of more than a
//! hundred megabytes is read by a process of its own, whose peak is looked at.

use crate::data::{files, pubmed};
use medsift_indexer::Record;
use medsift_indexer::source::open;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

/// Length of the file that is read, unpacked.
const BYTES: usize = 128 << 20;
/// Most that the reader may add to what the process needs without it: an eighth
/// of the file. This test measured 3,892 KiB plain and 3,808 KiB packed.
const CEILING_KIB: u64 = 16 << 10;
/// Tells the child which file to read.
const FILE: &str = "MEDSIFT_TEST_READS";

/// Real citations and books, as they stand, without the sets around them.
fn records(folder: &Path) -> Vec<u8> {
    let mut records = Vec::new();
    for path in files(&folder.join("xml")) {
        let (_, mut reader) = open(&path).unwrap();
        while let Some(raw) = reader.next_raw() {
            if raw.bytes.starts_with(b"<PubmedArticle>") {
                records.extend_from_slice(&raw.bytes);
                records.push(b'\n');
            }
        }
    }
    records
}

fn write_set(records: &[u8], mut out: impl Write) {
    out.write_all(b"<PubmedArticleSet>\n").unwrap();
    for _ in 0..BYTES.div_ceil(records.len()) {
        out.write_all(records).unwrap();
    }
    out.write_all(b"</PubmedArticleSet>\n").unwrap();
    out.flush().unwrap();
}

/// The most memory that this process has had, in KiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.unwrap().parse().unwrap()
}

#[test]
#[ignore = "run by the_reader_needs_no_more_memory_for_a_longer_file, in a process of its own"]
fn reads_the_file_that_it_is_told() {
    let path = std::env::var_os(FILE).expect("a file to read");
    let before = peak();
    let (_, reader) = open(path.as_ref()).unwrap();
    let mut articles = 0;
    for record in reader {
        match record {
            Record::Article(_) => articles += 1,
            other => panic!("{other:?}"),
        }
    }
    let grown = peak() - before;
    eprintln!("read={articles} grown={grown}");
}

/// Articles that a process of its own reads, and KiB by which its peak grows.
fn read_apart(path: &Path) -> (u64, u64) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "--test-threads=1"])
        .arg("memory::reads_the_file_that_it_is_told")
        .env(FILE, path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr).into_owned();
    assert!(child.status.success(), "{said}");
    let value = |name: &str| -> u64 {
        let (_, rest) = said.split_once(name).unwrap_or_else(|| panic!("{said}"));
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        digits.unwrap().parse().unwrap()
    };
    (value("read="), value("grown="))
}

#[test]
#[cfg_attr(
    any(no_real_data, not(target_os = "linux")),
    ignore = "needs the real data (set MEDSIFT_DATA) and Linux's /proc"
)]
fn the_reader_needs_no_more_memory_for_a_longer_file() {
    let Some(folder) = pubmed("the_reader_needs_no_more_memory_for_a_longer_file") else {
        return;
    };
    let records = records(&folder);
    let scratch = tempfile::tempdir().unwrap();
    let (plain, packed) = (
        scratch.path().join("plain.xml"),
        scratch.path().join("packed.xml.gz"),
    );
    write_set(&records, BufWriter::new(File::create(&plain).unwrap()));
    let gzip = flate2::write::GzEncoder::new(
        BufWriter::new(File::create(&packed).unwrap()),
        flate2::Compression::fast(),
    );
    write_set(&records, gzip);
    assert!(fs::metadata(&plain).unwrap().len() >= BYTES as u64);
    let mut counts = Vec::new();
    for path in [&plain, &packed] {
        let (articles, grown) = read_apart(path);
        eprintln!("{}: {articles} articles, {grown} KiB more", path.display());
        assert!(
            grown <= CEILING_KIB,
            "{}: {grown} KiB more than before, at most {CEILING_KIB} are allowed",
            path.display()
        );
        counts.push(articles);
    }
    assert!(counts[0] > 10_000 && counts[0] == counts[1], "{counts:?}");
}
