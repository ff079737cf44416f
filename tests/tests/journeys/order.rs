//! NLM's files in any order, one command each, leave the same index: versions
//! go up, deletions stay, and what a later file brings back is there.

use medsift_tests::{Workspace, tiny_model};
use std::fs;

fn record(pmid: u32, version: u32, title: &str) -> String {
    format!(
        "<PubmedArticle><MedlineCitation Status=\"MEDLINE\" Owner=\"NLM\">\
         <PMID Version=\"{version}\">{pmid}</PMID><Article PubModel=\"Print\">\
         <ArticleTitle>{title}</ArticleTitle></Article></MedlineCitation></PubmedArticle>\n"
    )
}

fn deletion(pmid: u32) -> String {
    format!("<DeleteCitation><PMID Version=\"1\">{pmid}</PMID></DeleteCitation>\n")
}

fn file(records: &[String]) -> String {
    format!(
        "<PubmedArticleSet>\n{}</PubmedArticleSet>\n",
        records.concat()
    )
}

const FILES: [&str; 3] = [
    "pubmed24n1219.xml",
    "pubmed25n0001.xml",
    "pubmed25n0002.xml",
];

/// Where the three files lie, not indexed yet.
fn written() -> Workspace {
    let work = Workspace::new();
    let contents = [
        file(&[
            record(101, 1, "Deleted for good"),
            record(102, 2, "The newer version of an earlier file"),
            record(103, 1, "The earlier state"),
            record(104, 1, "Never touched again"),
            record(105, 1, "Deleted and brought back"),
        ]),
        file(&[
            deletion(101),
            deletion(105),
            deletion(999),
            record(102, 1, "An older version of a later file"),
            record(103, 1, "The later state"),
        ]),
        file(&[
            record(104, 1, "Never touched again"),
            record(105, 1, "Back again"),
        ]),
    ];
    for (name, content) in FILES.iter().zip(contents) {
        work.write(name, content);
    }
    work
}

fn index(work: &Workspace, name: &str) {
    work.medsift(["index", name, "--quiet", "--model"])
        .arg(tiny_model())
        .run()
        .expect(0);
}

/// Title and source of every article.
fn state(work: &Workspace) -> Vec<(u32, String, String)> {
    let mut state = Vec::new();
    for pmid in [101, 102, 103, 104, 105, 999] {
        let shown = work.run(&format!("show {pmid} --json"));
        if shown.code == Some(0) {
            let shown = shown.json();
            let title = shown["article"]["title"].to_string();
            state.push((pmid, title, shown["source"].to_string()));
        }
    }
    state
}

#[test]
fn every_order_of_files_leaves_the_same_index() {
    let mut states = Vec::new();
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let work = written();
        for place in order {
            index(&work, FILES[place]);
        }
        work.run("verify")
            .expect(0)
            .prints(&["sound", "4 articles", "4 passages"]);
        let stats = work.run("stats --json").expect(0).json();
        assert_eq!(stats["tombstones"], 3, "{order:?}: {stats:#}");
        states.push((order, state(&work)));
    }
    let (_, expected) = &states[0];
    for (pmid, title, source) in [
        (102, "newer version of an earlier file", FILES[0]),
        (103, "The later state", FILES[1]),
        (104, "Never touched again", FILES[2]),
        (105, "Back again", FILES[2]),
    ] {
        let found = expected.iter().find(|found| found.0 == pmid);
        let (_, found_title, found_source) = found.expect("an article");
        assert!(found_title.contains(title), "{expected:#?}");
        assert!(found_source.contains(source), "{expected:#?}");
    }
    for (order, state) in &states {
        assert_eq!(state, expected, "{order:?}");
    }
}

#[test]
fn stats_name_the_deletions_and_verify_checks_them() {
    let work = written();
    index(&work, FILES[1]);
    work.run("stats").expect(0).prints(&["deleted by NLM", "3"]);
    let folder = work.join("idx/provenance");
    let mut files = fs::read_dir(folder).expect("a folder");
    let path = files.next().expect("a file").expect("readable").path();
    let mut bytes = fs::read(&path).expect("a file");
    bytes[10] ^= 1;
    fs::write(&path, bytes).expect("a file can be written");
    let name = path.file_name().expect("a name").to_string_lossy();
    work.run("verify").expect(1).prints(&[&name]);
    // What is wrong is said before anything is written.
    work.medsift(["index", FILES[0], "--model"])
        .arg(tiny_model())
        .run()
        .expect(1)
        .says(&[&name, "damaged"]);
}
