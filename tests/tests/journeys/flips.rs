//! One changed byte in a file of an index: `verify` names the file, and a
//! search refuses or answers as before.

use medsift_tests::{Finished, Workspace, sample};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Queries that between them read words, filters, stored articles and vectors.
const SEARCHES: [&str; 2] = [
    "search statins muscle pain --json --limit 100",
    "search patients --mode keyword --language eng --json --limit 100",
];

/// An index with deletions: some records of the sample are replaced and some
/// removed by the update.
fn indexed() -> Workspace {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work.index(&[&sample("medsift-sample-update.xml")]);
    work
}

/// The files of a folder of the index that hold something, sorted.
fn files(work: &Workspace, folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(work.join("idx").join(folder)).expect("a folder");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0));
    files.sort();
    assert!(!files.is_empty(), "{folder} holds no file");
    files
}

/// Where in a file a byte is changed, of its length.
type Place = fn(usize) -> usize;

const FIRST: Place = |_| 0;
const THIRD: Place = |length| length / 3;
const MIDDLE: Place = |length| length / 2;
const LAST: Place = |length| length - 1;

/// Changes a byte while `check` runs.
fn with_flip(path: &Path, place: Place, check: impl FnOnce()) {
    let good = fs::read(path).expect("a file");
    let mut bad = good.clone();
    bad[place(good.len())] ^= 1;
    fs::write(path, &bad).expect("a file can be written");
    check();
    fs::write(path, &good).expect("a file can be written");
}

/// `verify` fails and names the file.
fn is_named(work: &Workspace, path: &Path) {
    let verified = work.run("verify").expect(1);
    let name = path.file_name().expect("a name").to_string_lossy();
    let told = format!("{}{}", verified.stdout, verified.stderr);
    assert!(told.contains(name.as_ref()), "{name}: {verified:#?}");
}

/// What a search found, without the time that it took.
fn hits(finished: &Finished) -> Value {
    finished.json()["hits"].take()
}

/// Every search fails in words or finds what it found before.
fn refused_or_right(work: &Workspace, good: &[Value], path: &Path) {
    for (search, good) in SEARCHES.iter().zip(good) {
        let found = work.run(search);
        if found.code == Some(0) {
            assert_eq!(hits(&found), *good, "{}: {search}", path.display());
        } else {
            let _ = found.expect(1);
        }
    }
}

fn whole(work: &Workspace) -> Vec<Value> {
    let searches = SEARCHES.iter().map(|search| work.run(search).expect(0));
    searches.map(|found| hits(&found)).collect()
}

#[test]
fn a_changed_byte_in_the_deletions_is_found_and_refused() {
    let work = indexed();
    for path in files(&work, "deletes") {
        for place in [FIRST, THIRD, MIDDLE, LAST] {
            with_flip(&path, place, || {
                is_named(&work, &path);
                for search in SEARCHES {
                    let name = path.file_name().expect("a name").to_string_lossy();
                    work.run(search).expect(1).says(&[&name, "damaged"]);
                }
            });
        }
    }
    work.run("verify").expect(0);
}

/// Words, positions, norms, articles and deletions of the keyword side.
#[test]
fn a_changed_byte_on_the_keyword_side_is_named() {
    let work = indexed();
    let good = whole(&work);
    for path in files(&work, "keyword") {
        let kind = path.extension().unwrap_or_default().to_string_lossy();
        if ["json", "fast"].contains(&kind.as_ref()) {
            continue;
        }
        with_flip(&path, MIDDLE, || is_named(&work, &path));
        // The end of a file is looked at whenever it is opened.
        with_flip(&path, LAST, || {
            is_named(&work, &path);
            refused_or_right(&work, &good, &path);
        });
    }
    work.run("verify").expect(0);
}

/// Whatever is changed is named; only the list of files that may be removed
/// (`.managed.json`) has no checksum, and nothing is read out of it.
#[test]
fn no_changed_byte_of_the_keyword_side_goes_unnoticed() {
    let work = indexed();
    for path in files(&work, "keyword") {
        let name = path.file_name().expect("a name").to_string_lossy();
        if name == ".managed.json" || name == "meta.json" {
            continue;
        }
        for place in [FIRST, THIRD, MIDDLE, LAST] {
            with_flip(&path, place, || is_named(&work, &path));
        }
    }
}

/// The commit has a checksum of its own, since the file that it stands in has
/// none.
#[test]
fn a_changed_byte_in_the_commit_is_refused() {
    let work = indexed();
    let path = work.join("idx/keyword/meta.json");
    let text = fs::read_to_string(&path).expect("meta.json");
    let changed = text
        .replacen("minilm", "miniln", 1)
        .replacen("bert-mean", "bert-neam", 1);
    assert_ne!(changed, text, "the commit names its model");
    fs::write(&path, &changed).expect("a file can be written");
    is_named(&work, &path);
    work.run(SEARCHES[0])
        .expect(1)
        .says(&["meta.json", "checksum"]);
    fs::write(&path, &text).expect("a file can be written");
    work.run("verify").expect(0);
}
