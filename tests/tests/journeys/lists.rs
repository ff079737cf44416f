//! Lists by date, cursors, counts, citations, similar articles and exports on
//! the command line.

use medsift_tests::{Workspace, sample};
use serde_json::Value;

fn workspace() -> Workspace {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work
}

fn json(work: &Workspace, args: &[&str]) -> Value {
    work.medsift(args.iter().chain(&["--json"]))
        .run()
        .expect(0)
        .json()
}

/// Every page of a list, and every article once.
#[test]
fn a_list_is_walked_by_its_cursors_and_an_export_is_the_same_list() {
    let work = workspace();
    let query = "all[sb] NOT letter[pt]";
    for sort in ["relevance", "date"] {
        let options = ["--mode", "keyword", "--sort", sort];
        let mut walked: Vec<String> = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let mut args = vec!["search", query, "--limit", "7"];
            args.extend(options);
            if let Some(cursor) = &cursor {
                args.extend(["--cursor", cursor.as_str()]);
            }
            let page = json(&work, &args);
            let hits = page["hits"].as_array().expect("hits").clone();
            walked.extend(
                hits.iter()
                    .map(|hit| hit["id"].as_str().expect("an id").to_owned()),
            );
            match page["next_cursor"].as_str() {
                Some(next) => cursor = Some(next.to_owned()),
                None => break,
            }
        }
        assert!(walked.len() > 20, "{}", walked.len());
        let mut args = vec!["export", query];
        args.extend(options);
        let finished = work.medsift(&args).run().expect(0);
        let exported: Vec<String> = finished
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
            .map(|article| article["id"].as_str().expect("an id").to_owned())
            .collect();
        assert_eq!(exported, walked, "{sort}");
    }
}

#[test]
fn counts_are_those_of_the_filters() {
    let work = workspace();
    let args = [
        "search",
        "statins",
        "--mode",
        "keyword",
        "--limit",
        "1",
        "--facets",
        "type,mesh",
    ];
    let answer = json(&work, &args);
    let facets = &answer["facets"];
    assert_eq!(facets["articles"], answer["found"]["keyword_matches"]);
    for (facet, flag) in [("type", "--type"), ("mesh", "--mesh")] {
        let values = facets[facet]["values"].as_array().expect("values");
        assert!(!values.is_empty(), "{facet}");
        for value in values {
            let name = value["value"].as_str().expect("a name");
            let args = ["search", "statins", "--mode", "keyword", flag, name];
            let found = json(&work, &args)["found"]["keyword_matches"].clone();
            assert_eq!(found, value["articles"], "{name}");
        }
    }
    work.medsift(["search", "statins", "--facets", "year,journal"])
        .run()
        .expect(0)
        .prints(&["counted over", "YEAR"]);
}

#[test]
fn a_citation_of_the_sample_can_be_indexed_again() {
    let work = workspace();
    let written = work
        .medsift(["export", "all[sb]", "--format", "nbib"])
        .run()
        .expect(0);
    let file = work.write("all.nbib", &written.stdout);
    let again = Workspace::new();
    again.index(&[&file]);
    let count = |work: &Workspace| json(work, &["stats"])["articles"].as_u64();
    assert_eq!(count(&again), count(&work));
    for format in ["nbib", "ris", "bibtex", "csl"] {
        work.medsift(["show", "990000001", "--format", format])
            .run()
            .expect(0)
            .prints(&["990000001"]);
    }
    let _ = work.run("show 990000001 --format pdf").expect(2);
}

#[test]
fn similar_articles_are_others() {
    let work = workspace();
    let answer = json(&work, &["similar", "990000001", "--limit", "4"]);
    let hits = answer["hits"].as_array().expect("hits");
    assert_eq!(hits.len(), 4);
    assert!(hits.iter().all(|hit| hit["id"] != "990000001"));
    work.run("similar 990000001").expect(0).prints(&["TITLE"]);
    let _ = work.run("similar 1").expect(1);
}
