//! Strategies of several lines: run, kept, run again against a newer index,
//! reported.

use medsift_tests::{Workspace, sample};
use serde_json::Value;
use std::fs;

const STATINS: &str = "// Muscle complaints of statins\n\
    1. myalgia[mh] OR \"muscle pain\"[tiab]\n\
    2. statin*[ti]   // in the title alone\n\
    3. 1 AND 2\n\
    4. #3 NOT letter[pt] AND \"last 500 years\"[dp]\n";

/// What the update adds, and what it deletes.
const CHANGING: &str = "990000001[pmid] OR 990000071[pmid]\n#1 OR 990000082[pmid]\n";

fn workspace() -> Workspace {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work
}

fn counts(answer: &Value) -> Vec<(u64, u64)> {
    let lines = answer["run"]["lines"].as_array().expect("lines").iter();
    let number = |line: &Value, key: &str| line[key].as_u64().expect("a number");
    lines
        .map(|line| (number(line, "number"), number(line, "articles")))
        .collect()
}

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list").iter();
    list.map(|one| one.as_str().expect("a text")).collect()
}

#[test]
fn every_line_is_searched_and_counted() {
    let work = workspace();
    work.write("statins.txt", STATINS);
    let answer = work.run("strategy run statins.txt --json").expect(0).json();
    let alone = |query: &str| {
        let found = work.medsift(["search", query, "--mode", "keyword", "--json"]);
        let found = found.run().expect(0).json();
        found["translation"]["articles"].as_u64().expect("a count")
    };
    let one = "(myalgia[mh] OR \"muscle pain\"[tiab])";
    let both = format!("{one} AND statin*[ti]");
    let expected = [
        (1, alone(one)),
        (2, alone("statin*[ti]")),
        (3, alone(&both)),
        (4, alone(&format!("({both}) NOT letter[pt]"))),
    ];
    assert_eq!(counts(&answer), expected);
    assert!(expected[3].1 > 0 && expected[3].1 < expected[0].1 + expected[1].1);
    let ids = texts(&answer["run"]["ids"]);
    assert_eq!(ids.len() as u64, expected[3].1);
    assert_eq!(answer["run"]["result"], 4);
    assert_eq!(answer["comments"][0], "Muscle complaints of statins");
    assert_eq!(answer["run"]["lines"][2]["translation"], "#1 AND #2");
    assert_eq!(answer["run"]["lines"][1]["comment"], "in the title alone");
    assert_eq!(answer["since"], Value::Null);

    work.run("strategy run statins.txt --line 1")
        .expect(0)
        .prints(&[
            "#1",
            "myalgia[mh]",
            "// in the title alone",
            "articles in #1",
        ]);
    work.run("strategy run statins.txt --line 9")
        .expect(2)
        .says(&["no line 9", "last one is 4"]);
}

#[test]
fn faults_name_the_line() {
    let work = workspace();
    for (text, parts) in [
        ("gout\n#3 AND #1", &["line 2", "no line `#3`", "#1, #2"][..]),
        ("#2\n#1", &["circle", "#1 → #2 → #1"]),
        (
            "gout[tiabs]",
            &["line 1", "character 5", "did you mean [tiab]?"],
        ),
        (
            "gout[ti]\nx[pa]",
            &["#2", "nothing of the query can be searched"],
        ),
        ("// nothing", &["no queries"]),
    ] {
        work.write("x.txt", text);
        work.run("strategy run x.txt").expect(2).says(parts);
    }
    work.run("strategy run absent")
        .expect(1)
        .says(&["no strategy is kept as absent", "./absent"]);
    work.run("strategy run absent.txt")
        .expect(1)
        .says(&["absent.txt"]);
    work.write("x.txt", "gout[tiabs]");
    work.run("strategy save gout x.txt")
        .expect(2)
        .says(&["line 1"]);
}

#[test]
fn a_kept_strategy_tells_what_is_new() {
    let work = workspace();
    work.write("changing.txt", CHANGING);
    work.run("strategy list").expect(0).says(&["strategy save"]);
    work.run("strategy save changing changing.txt")
        .expect(0)
        .says(&["2 lines", "home/.local/share/medsift/strategies/changing"]);
    work.run("strategy save changing changing.txt")
        .expect(2)
        .says(&["--replace"]);

    let first = work.run("strategy run changing --json").expect(0).json();
    assert_eq!(texts(&first["run"]["ids"]), ["990000001", "990000071"]);
    assert_eq!(first["since"], Value::Null);
    // Again, with nothing changed: no second run is remembered.
    work.run("strategy run changing")
        .expect(0)
        .prints(&["0 new, 0 no longer found"]);

    work.index(&[&sample("medsift-sample-update.xml")]);
    let second = work
        .run("strategy run changing --json --export report")
        .expect(0)
        .json();
    let since = &second["since"];
    assert_eq!(texts(&since["added"]), ["990000082"]);
    assert_eq!(texts(&since["gone"]), ["990000071"]);
    assert_eq!(since["strategy_changed"], false);
    let generation = |answer: &Value| answer["run"]["index"]["generation"].as_u64();
    assert!(generation(&second) > generation(&first));
    assert_eq!(since["generation"].as_u64(), generation(&first));

    let shown = work.run("strategy show changing --json").expect(0).json();
    assert_eq!(shown["runs"].as_array().expect("runs").len(), 2);
    assert_eq!(shown["text"], CHANGING);
    work.run("strategy list")
        .expect(0)
        .prints(&["changing  2 runs", "2 articles"]);
    work.run("strategy show changing")
        .expect(0)
        .prints(&["#1 OR 990000082[pmid]", "2 articles in #2"]);

    // Another text in its place: what it finds is compared all the same.
    work.write("changing.txt", "990000001[pmid]");
    work.run("strategy save changing changing.txt --replace")
        .expect(0);
    work.run("strategy run changing")
        .expect(0)
        .prints(&["0 new, 1 no longer found; the strategy was another one"]);
}

#[test]
fn a_report_says_what_reviewers_must_report() {
    let work = workspace();
    work.write("statins.txt", STATINS);
    let answer = work
        .run("strategy run statins.txt --export reports/1 --json")
        .expect(0)
        .json();
    let read = |name: &str| fs::read_to_string(work.join("reports/1").join(name)).expect(name);
    let structured: Value = serde_json::from_str(&read("strategy.json")).expect("JSON");
    assert_eq!(structured, answer);
    let ids = read("ids.txt");
    assert_eq!(
        ids.lines().collect::<Vec<_>>(),
        texts(&answer["run"]["ids"])
    );

    let index = &answer["run"]["index"];
    let source = &index["sources"][0];
    assert_eq!(source["name"], "medsift-sample.xml");
    let markdown = read("strategy.md");
    for part in [
        answer["run"]["day"].as_str().expect("a day"),
        index["committed_at"].as_str().expect("a time"),
        source["sha256"].as_str().expect("a checksum"),
        "Muscle complaints of statins",
        "| #1 | `myalgia[mh] OR \"muscle pain\"[tiab]` |",
        "`\"Myalgia\"[MeSH Terms] OR \"muscle pain\"[Title/Abstract]`",
        "MeSH 2024",
        "PRISMA-S",
        "| 13 | Dates of searches |",
        "Left to the reviewer: 2 Multi-database searching",
    ] {
        assert!(markdown.contains(part), "{part} is not in {markdown}");
    }
    let limits = answer["prisma_s"].as_array().expect("items").iter();
    let limits = limits
        .filter(|item| item["number"] == 9)
        .map(|item| &item["report"]);
    let limits = limits
        .map(|text| text.as_str().expect("a text"))
        .collect::<String>();
    assert!(
        limits.contains("\"last 500 years\"[Date - Publication] in #4"),
        "{limits}"
    );

    // A report is a record: it is not overwritten.
    work.run("strategy run statins.txt --export reports/1")
        .expect(2)
        .says(&["strategy.md is there already"]);
}
