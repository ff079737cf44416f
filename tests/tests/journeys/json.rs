//! The shapes that programs rely on.

use medsift_tests::{Workspace, sample};
use serde_json::Value;

fn has(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "{key} is not in {value:#}");
    }
}

#[test]
fn every_command_prints_one_json_value_and_nothing_else() {
    let work = Workspace::new();
    let report = work
        .medsift(["index", "--json", "--model"])
        .arg(medsift_tests::tiny_model())
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(0)
        .json();
    has(
        &report,
        &["files", "total", "cancelled", "generation", "articles"],
    );
    has(&report["files"][0], &["name", "format", "ledger"]);
    let total = &report["total"];
    has(
        total,
        &[
            "read",
            "added",
            "replaced",
            "unchanged",
            "deleted",
            "quarantined",
        ],
    );

    let found = work.run("search statins --json --explain").expect(0).json();
    has(
        &found,
        &[
            "query",
            "mode",
            "fusion",
            "found",
            "offset",
            "limit",
            "hits",
            "generation",
            "took",
        ],
    );
    let hit = &found["hits"][0];
    has(
        hit,
        &[
            "id",
            "rank",
            "score",
            "title",
            "text",
            "abstract_origin",
            "authors",
            "journal",
            "published",
            "year",
            "retracted",
            "passage",
            "highlights",
            "explain",
        ],
    );
    // Highlights are counted in characters.
    let title: Vec<char> = hit["title"].as_str().expect("a title").chars().collect();
    for mark in hit["highlights"]["title"].as_array().expect("marks") {
        let at = |n: usize| usize::try_from(mark[n].as_u64().expect("a place")).expect("small");
        let word: String = title[at(0)..at(1)].iter().collect();
        assert!(word.to_lowercase().starts_with("statin"), "{word}");
    }

    has(
        &work.run("show 990000001 --json").expect(0).json(),
        &["article", "source", "content"],
    );
    has(
        &work.run("stats --json").expect(0).json(),
        &[
            "articles",
            "passages",
            "disk",
            "mapped_bytes",
            "model",
            "sources",
            "generation",
        ],
    );
    let checked = work.run("verify --json").expect(0).json();
    has(&checked, &["articles", "passages", "bytes", "faults"]);
    assert_eq!(checked["faults"], serde_json::json!([]));
}
