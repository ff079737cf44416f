//! Filters on the command line: every form of a year, and values that no
//! article has.

use medsift_tests::{Workspace, sample};

#[test]
fn years_are_taken_in_every_form() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let years = |range: &str| -> Vec<i64> {
        let found = work
            .medsift([
                "search", "patients", "--mode", "keyword", "--limit", "100", "--json",
            ])
            .args(["--year", range])
            .run()
            .expect(0)
            .json();
        let hits = found["hits"].as_array().expect("hits").clone();
        hits.iter().filter_map(|hit| hit["year"].as_i64()).collect()
    };
    let from = years("2015-");
    assert!(
        !from.is_empty() && from.iter().all(|&year| year >= 2015),
        "{from:?}"
    );
    assert_eq!(from, years("2015.."));
    let to = years("-2014");
    assert!(
        !to.is_empty() && to.iter().all(|&year| year <= 2014),
        "{to:?}"
    );
    assert_eq!(to, years("..2014"));
    assert_eq!(years("2015-2020"), years("2015..2020"));
    let one = years("2021");
    assert!(one.iter().all(|&year| year == 2021), "{one:?}");
}

#[test]
fn values_that_no_article_has_are_told() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    for (flag, value, parts) in [
        (
            "--language",
            "englisch",
            &["language `englisch`", "did you mean `eng`?"][..],
        ),
        (
            "--type",
            "Reviews",
            &["publication type `Reviews`", "did you mean `review`?"],
        ),
        (
            "--mesh",
            "No Such Heading",
            &["MeSH heading `No Such Heading`"],
        ),
        ("--journal", "0000-0000", &["journal `0000-0000`"]),
    ] {
        let search = ["search", "patients", flag, value];
        work.medsift(search)
            .run()
            .expect(0)
            .prints(&["no article matches"])
            .says(&["note: no article in this index has"])
            .says(parts);
        let json = work.medsift(search).arg("--json").run().expect(0).json();
        assert_eq!(json["hits"], serde_json::json!([]), "{json:#}");
        for part in parts {
            assert!(json["warnings"].to_string().contains(part), "{json:#}");
        }
    }
    let known = work
        .run("search patients --language ENG --json")
        .expect(0)
        .json();
    assert!(
        !known["warnings"].to_string().contains("language"),
        "{known:#}"
    );
}

#[test]
fn a_breadth_that_does_nothing_is_told() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample-2014.xml")]);
    work.medsift(["search", "pregnancy"])
        .env("MEDSIFT_SEARCH_EF_SEARCH", "300")
        .run()
        .expect(0)
        .says(&["search.ef_search is 300", "search.candidates (1000)"]);
    let silent = work.run("search pregnancy").expect(0);
    assert!(!silent.stderr.contains("ef_search"), "{silent:#?}");
}
