//! One changed byte in any file of an index: `verify` names the file, and a
//! search refuses or answers as before.

use medsift_tests::{Finished, Workspace, sample};
use std::fs;
use std::path::{Path, PathBuf};

/// Queries that between them read words, filters, stored articles and vectors.
const SEARCHES: [&str; 3] = [
    "search statins muscle pain --json --limit 100",
    "search patients --mode keyword --type Review --json --limit 100",
    "search sleep --mode semantic --exact --json --limit 100",
];

/// An index with deletions: some records of the sample are replaced and some
/// removed by the update.
fn indexed() -> Workspace {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work.index(&[&sample("medsift-sample-update.xml")]);
    work
}

/// The files of a folder, sorted.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).expect("a folder").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

/// What a search found, without the time that it took.
fn hits(finished: &Finished) -> serde_json::Value {
    let mut json = finished.json();
    json["hits"].take()
}

/// Places to change: the first bytes, the middle and the last.
fn places(length: usize) -> Vec<usize> {
    let mut places = vec![0, length / 3, length / 2, length.saturating_sub(1)];
    places.dedup();
    places
}

/// Changes single bytes of a file; after each, `check` runs.
fn with_flips(path: &Path, mut check: impl FnMut(&str)) {
    let good = fs::read(path).expect("a file");
    if good.is_empty() {
        return;
    }
    for at in places(good.len()) {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(path, &bad).expect("a file can be written");
        check(&format!("byte {at} of {}", path.display()));
    }
    fs::write(path, &good).expect("a file can be written");
}

/// Changes every file of a folder, byte by byte.
fn folder_is_guarded(work: &Workspace, folder: &str, skip: &[&str]) {
    let good: Vec<_> = SEARCHES
        .iter()
        .map(|search| hits(&work.run(search).expect(0)))
        .collect();
    let all = files(&work.join("idx").join(folder));
    assert!(!all.is_empty(), "{folder} holds no file");
    for path in all {
        let name = path.file_name().expect("a name").to_string_lossy();
        if skip.contains(&name.as_ref()) {
            continue;
        }
        with_flips(&path, |what| {
            let verified = work.run("verify").expect(1);
            let told = format!("{}{}", verified.stdout, verified.stderr);
            assert!(told.contains(name.as_ref()), "{what}: {verified:#?}");
            for (search, good) in SEARCHES.iter().zip(&good) {
                let found = work.run(search);
                match found.code {
                    Some(0) => assert_eq!(hits(&found), *good, "{what}: {search}"),
                    _ => {
                        let _ = found.expect(1);
                    }
                }
            }
        });
    }
    work.run("verify").expect(0);
}

#[test]
fn a_changed_byte_in_the_deletions_is_found() {
    folder_is_guarded(&indexed(), "deletes", &[]);
}

#[test]
fn a_changed_byte_on_the_keyword_side_is_found() {
    folder_is_guarded(&indexed(), "keyword", &[]);
}
