//! How fast records are read, in bytes of decompressed XML.
//!
//! Reads the real PubMed XML files where they are (see the real-data tests);
//! without them, a made-up record many times over.

#![allow(clippy::print_stdout)]

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use medsift_indexer::{Record, source};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match &arguments[..] {
        [_, flag, file] if flag == "--read" => read_once(Path::new(file)),
        _ => divan::main(),
    }
}

/// Reads one file and prints how many articles it holds: what
/// `compare/parse.py` measures from outside.
fn read_once(file: &Path) {
    let (_, reader) = source::open(file).expect("a readable file");
    let mut articles = 0u64;
    for record in reader {
        articles += u64::from(matches!(record, Record::Article(_)));
    }
    println!("{articles}");
}

const RECORD: &str = include_str!("../../indexer/tests/golden/article.xml");

/// One file with the records of all real files (or made-up ones), at least
/// 64 MB of XML, plain and compressed.
struct Corpus {
    folder: tempfile::TempDir,
    bytes: usize,
    records: usize,
}

fn real_records() -> Vec<u8> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = std::env::var_os("MEDSIFT_DATA").map_or(default, PathBuf::from);
    let mut records = Vec::new();
    for part in ["bulk", "records"] {
        let Ok(entries) = std::fs::read_dir(folder.join("pubmed/xml").join(part)) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let (_, mut reader) = source::open(&path).expect("a readable file");
            while let Some(raw) = reader.next_raw() {
                // The set that is written below holds records of this kind only.
                if raw.bytes.starts_with(b"<PubmedArticle") {
                    records.extend_from_slice(&raw.bytes);
                    records.push(b'\n');
                }
            }
        }
    }
    records
}

impl Corpus {
    fn new() -> Self {
        let mut records = real_records();
        if records.is_empty() {
            records = RECORD.as_bytes().to_vec();
        }
        let mut xml = b"<PubmedArticleSet>\n".to_vec();
        while xml.len() < 64 << 20 {
            xml.extend_from_slice(&records);
        }
        xml.extend_from_slice(b"</PubmedArticleSet>\n");
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("plain.xml"), &xml).expect("space for the file");
        let file = std::fs::File::create(folder.path().join("packed.xml.gz")).expect("a file");
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::default());
        packed
            .write_all(&xml)
            .and_then(|()| packed.finish().map(drop))
            .expect("space");
        let (_, reader) = source::open(&folder.path().join("plain.xml")).expect("the file");
        Self {
            bytes: xml.len(),
            records: reader.count(),
            folder,
        }
    }
}

fn bench(bencher: Bencher<'_, '_>, name: &str, run: impl Fn(&Path) + Sync) {
    let corpus = Corpus::new();
    let path = corpus.folder.path().join(name);
    bencher
        .counter(BytesCount::new(corpus.bytes))
        .counter(ItemsCount::new(corpus.records))
        .bench(|| run(&path));
}

fn read_all(path: &Path) {
    let (_, reader) = source::open(path).expect("the file");
    for record in reader {
        if let Record::Fault(fault) = divan::black_box(record) {
            panic!("{fault}");
        }
    }
}

/// Plain XML to articles, one thread.
#[divan::bench(sample_count = 5)]
fn articles_from_plain(bencher: Bencher<'_, '_>) {
    bench(bencher, "plain.xml", read_all);
}

/// Gzip to articles, one thread, decompression and checksum included.
#[divan::bench(sample_count = 5)]
fn articles_from_gzip(bencher: Bencher<'_, '_>) {
    bench(bencher, "packed.xml.gz", read_all);
}

/// Plain XML to raw records.
#[divan::bench(sample_count = 5)]
fn split_only(bencher: Bencher<'_, '_>) {
    bench(bencher, "plain.xml", |path| {
        let (_, mut reader) = source::open(path).expect("the file");
        while let Some(raw) = reader.next_raw() {
            divan::black_box(raw);
        }
    });
}

/// Gzip to bytes, what reading cannot be faster than.
#[divan::bench(sample_count = 5)]
fn decompress_only(bencher: Bencher<'_, '_>) {
    bench(bencher, "packed.xml.gz", |path| {
        let file = std::fs::File::open(path).expect("the file");
        let mut buffer = vec![0; 1 << 18];
        let mut stream = flate2::read::MultiGzDecoder::new(file);
        while stream.read(&mut buffer).expect("gzip") > 0 {}
    });
}
