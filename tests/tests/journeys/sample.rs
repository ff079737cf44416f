//! From a PubMed file to answers, an update, and the same again.

use medsift_tests::{Finished, Workspace, sample};

/// Ids of a search's hits, in order.
fn ids(found: &Finished) -> Vec<String> {
    let response = found.json();
    let hits = response["hits"].as_array().expect("hits").iter();
    hits.map(|hit| hit["id"].as_str().expect("an id").to_owned())
        .collect()
}

fn indexed() -> Workspace {
    let work = Workspace::new();
    let report = work.index(&[&sample("medsift-sample.xml")]);
    let report = report.prints(&["medsift-sample.xml", "71", "the index holds 71 articles"]);
    assert!(report.stderr.is_empty(), "{report:#?}");
    work
}

#[test]
fn every_mode_answers() {
    let work = indexed();
    for mode in ["hybrid", "keyword", "semantic"] {
        let found = work
            .run(&format!(
                "search statins muscle pain --mode {mode} --limit 5"
            ))
            .expect(0)
            .prints(&["ID", "SCORE", "TITLE", "hits 1 to 5", mode]);
        assert!(found.stdout.lines().count() > 15, "{found:#?}");
    }
    let found = work
        .run("search statins muscle pain --mode keyword --json")
        .expect(0);
    let first = &ids(&found)[..3];
    for id in ["990000001", "990000002"] {
        assert!(first.iter().any(|hit| hit == id), "{first:?}");
    }
    // The same question gets the same answer, in the same order.
    let again = work
        .run("search statins muscle pain --mode keyword --json")
        .expect(0);
    assert_eq!(ids(&found), ids(&again));
}

#[test]
fn pages_follow_each_other() {
    let work = indexed();
    let page = |offset: usize, limit: usize| {
        ids(&work
            .run(&format!(
                "search children --json --mode keyword --offset {offset} --limit {limit}"
            ))
            .expect(0))
    };
    let whole = page(0, 8);
    assert!(whole.len() > 4, "{whole:?}");
    assert_eq!(
        [page(0, 2), page(2, 2), page(4, 2)].concat(),
        whole[..6.min(whole.len())]
    );
}

#[test]
fn filters_keep_to_what_they_say() {
    let work = indexed();
    let search = |filters: &str| {
        let found = work.run(&format!(
            "search patients disease --json --limit 50 {filters}"
        ));
        let response = found.expect(0).json();
        response["hits"].as_array().expect("hits").clone()
    };
    for mode in ["keyword", "semantic", "hybrid"] {
        let hits = search(&format!("--mode {mode} --year 2015..2020"));
        assert!(!hits.is_empty(), "{mode}");
        for hit in hits {
            let year = hit["year"].as_i64().expect("a year");
            assert!((2015..=2020).contains(&year), "{year}");
        }
        let hits = search(&format!("--mode {mode} --not-retracted --has-abstract"));
        assert!(!hits.is_empty(), "{mode}");
        for hit in hits {
            assert_eq!(hit["retracted"], false);
            assert_ne!(hit["abstract_origin"]["from"], "none");
        }
        let hits = search(&format!("--mode {mode} --type Review"));
        assert!(!hits.is_empty(), "{mode}");
        for hit in hits {
            let kinds = hit["publication_types"].as_array().expect("types");
            assert!(kinds.iter().any(|kind| kind == "Review"), "{kinds:?}");
        }
    }
}

#[test]
fn explain_gives_rank_and_score_of_both_sides() {
    let work = indexed();
    work.run("search statins muscle pain --explain")
        .expect(0)
        .prints(&["keyword #1", "semantic #"]);
    let hit = &work.run("search statins --explain --json").expect(0).json()["hits"][0];
    assert!(hit["explain"]["keyword"]["rank"].is_u64(), "{hit}");
}

#[test]
fn show_prints_the_whole_record() {
    let work = indexed();
    work.run("show 990000001").expect(0).prints(&[
        "Muscle pain in adults taking statins",
        "990000001",
        "Abstract",
        "METHODS",
        "MeSH",
        "10.5555/medsift",
        "Made-up sample record written for medsift.",
        "medsift-sample.xml",
    ]);
    // Subscripts are shown; markup never loses text.
    work.run("show 990000004")
        .expect(0)
        .prints(&["Coenzyme Q₁₀"]);
    work.run("show 990000035").expect(0).prints(&["RETRACTED"]);
    let stored = work.run("show 990000001 --json").expect(0).json();
    assert_eq!(stored["article"]["id"], "990000001");
    assert_eq!(stored["source"], "medsift-sample.xml");
}

#[test]
fn stats_and_verify_agree_with_the_ledger() {
    let work = indexed();
    work.run("stats").expect(0).prints(&[
        "articles        71",
        "fingerprint",
        "medsift-sample.xml",
        "on disk",
    ]);
    work.run("verify")
        .expect(0)
        .prints(&["sound", "71 articles"]);
}

#[test]
fn the_same_file_again_changes_nothing() {
    let work = indexed();
    let before = work.run("stats --json").expect(0).json();
    let answer = ids(&work.run("search malaria --json").expect(0));
    let again = work
        .index(&[&sample("medsift-sample.xml")])
        .prints(&["already in the index"]);
    assert!(
        again.stdout.contains("the index holds 71 articles"),
        "{again:#?}"
    );
    // Under another name and compressed differently it is another file, but
    // its records change nothing.
    let text = std::fs::read(sample("medsift-sample.xml")).expect("the sample");
    let copy = work.write("copy.xml", [text.as_slice(), b"\n"].concat());
    let report = work
        .medsift(["index", "--json", "--model"])
        .arg(medsift_tests::tiny_model())
        .arg(&copy)
        .run()
        .expect(0)
        .json();
    assert_eq!(report["total"]["unchanged"], 71, "{report:#}");
    assert_eq!(report["total"]["added"], 0);
    let after = work.run("stats --json").expect(0).json();
    assert_eq!(before["articles"], after["articles"]);
    assert_eq!(before["passages"], after["passages"]);
    assert_eq!(ids(&work.run("search malaria --json").expect(0)), answer);
}

#[test]
fn an_update_file_replaces_adds_and_deletes() {
    let work = indexed();
    let old = work.run("show 990000040 --json").expect(0).json();
    let report = work
        .medsift(["index", "--json", "--model"])
        .arg(medsift_tests::tiny_model())
        .arg(sample("medsift-sample-update.xml"))
        .run()
        .expect(0)
        .json();
    let total = &report["total"];
    for (name, count) in [
        ("read", 7),
        ("added", 2),
        ("replaced", 2),
        ("deleted", 2),
        ("unchanged", 1),
        ("quarantined", 0),
    ] {
        assert_eq!(total[name], count, "{name} in {report:#}");
    }
    // Replaced on both sides: the new text is found, the old is not there.
    let new = work.run("show 990000040 --json").expect(0).json();
    assert_ne!(old["content"], new["content"]);
    work.run("search revised cut-offs tau 217 --mode keyword")
        .expect(0)
        .prints(&["revised cut-offs"]);
    // Added.
    work.run("search snakebite antivenom --mode keyword")
        .expect(0)
        .prints(&["990000081"]);
    // Deleted, from both sides.
    for id in ["990000059", "990000071"] {
        work.run(&format!("show {id}"))
            .expect(1)
            .says(&[id, "no article"]);
        for mode in ["keyword", "semantic"] {
            let found = work
                .run(&format!(
                    "search preprint globin editing --mode {mode} --limit 100 --json"
                ))
                .expect(0);
            assert!(!ids(&found).iter().any(|hit| hit == id), "{mode} {id}");
        }
    }
    work.run("verify")
        .expect(0)
        .prints(&["sound", "71 articles"]);
    let second = work.index(&[&sample("medsift-sample-update.xml")]);
    second.prints(&["already in the index", "the index holds 71 articles"]);
}

#[test]
fn old_vintages_and_folders_are_read() {
    let work = Workspace::new();
    std::fs::create_dir(work.join("files")).expect("a folder");
    for name in ["medsift-sample.xml", "medsift-sample-2014.xml"] {
        std::fs::copy(sample(name), work.join("files").join(name)).expect("a copy");
    }
    let report = work.index(&[&work.join("files")]);
    assert!(
        report.stdout.contains("the index holds 73 articles"),
        "{report:#?}"
    );
}

#[test]
fn demo_builds_its_index_and_says_where() {
    let work = Workspace::new();
    let finished = work
        .medsift(["demo", "--no-serve", "--dir", "try", "--model"])
        .arg(medsift_tests::tiny_model())
        .run()
        .expect(0);
    assert_eq!(finished.stdout, "try/idx\n");
    work.run("search statins --index try/idx")
        .expect(0)
        .prints(&["990000001"]);
    // A second start finds everything in place.
    work.medsift(["demo", "--no-serve", "--dir", "try", "--model"])
        .arg(medsift_tests::tiny_model())
        .run()
        .expect(0)
        .says(&["71 sample records"]);
}
