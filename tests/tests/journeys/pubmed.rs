//! Queries of PubMed's language on the command line and over HTTP.

use medsift_tests::{Finished, Workspace, sample};
use serde_json::{Value, json};

fn workspace() -> Workspace {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work
}

fn search(work: &Workspace, query: &str, more: &[&str]) -> Finished {
    work.medsift(["search", query, "--json", "--limit", "100"])
        .args(more)
        .run()
}

fn ids(answer: &Value) -> Vec<String> {
    let hits = answer["hits"].as_array().expect("hits").iter();
    let mut ids: Vec<String> = hits
        .map(|hit| hit["id"].as_str().expect("an id").to_owned())
        .collect();
    ids.sort();
    ids
}

#[test]
fn a_query_selects_the_same_articles_in_every_mode() {
    let work = workspace();
    for (query, expected) in [
        ("myalgia[mh]", &["990000001", "990000004"][..]),
        ("myalgia/drug therapy[majr]", &["990000004"]),
        ("statin*[ti] NOT letter[pt]", &["990000001", "990000004"]),
        (
            "\"muscle pain\"[tiab] AND 1900:3000[dp]",
            &["990000001", "990000004"],
        ),
        (
            "990000002[pmid] OR 990000003[pmid]",
            &["990000002", "990000003"],
        ),
    ] {
        let finished = search(&work, query, &["--mode", "keyword"]).expect(0);
        let answer = finished.json();
        assert_eq!(ids(&answer), expected, "{query}");
        assert_eq!(answer["found"]["keyword_matches"], expected.len());
        assert_eq!(answer["translation"]["articles"], expected.len());
        let hybrid = search(&work, query, &[]).expect(0).json();
        assert_eq!(ids(&hybrid), expected, "{query}");
    }
    // The filter of the request holds as well.
    let none = search(&work, "myalgia[mh]", &["--year", "1900-1901"]).expect(0);
    assert_eq!(ids(&none.json()), [] as [String; 0]);
}

#[test]
fn the_answer_says_how_the_query_was_understood() {
    let work = workspace();
    let answer = search(&work, "myalgia[mh] AND simvastatin[tiab]", &[])
        .expect(0)
        .json();
    let translation = &answer["translation"];
    assert_eq!(
        translation["query"],
        "\"Myalgia\"[MeSH Terms] AND simvastatin[Title/Abstract]"
    );
    assert_eq!(translation["tree"]["op"], "AND");
    assert_eq!(translation["terms"][0]["articles"], 2);
    work.medsift(["search", "myalgia[mh]", "--explain"])
        .run()
        .expect(0)
        .says(&["searched: \"Myalgia\"[MeSH Terms] (2)", "2  \"Myalgia\""]);
}

#[test]
fn plain_words_have_a_translation_as_well() {
    let work = workspace();
    let plain = |more: &[&str]| {
        let answer = search(&work, "statins and muscle pains", more);
        answer.expect(0).json()["translation"].clone()
    };
    let words = json!([
        {"type": "word", "text": "statins", "forms": ["statin"]},
        {"type": "word", "text": "muscle", "forms": ["muscl"]},
        {"type": "word", "text": "pains", "forms": ["pain"]},
    ]);
    assert_eq!(
        plain(&["--mode", "keyword"]),
        json!({
            "query": "statins OR muscle OR pains",
            "words": "statins and muscle pains",
            "passed_over": ["and"],
            "tree": {"op": "OR", "operands": words},
        })
    );
    let hybrid = plain(&["--mode", "hybrid"]);
    let meaning = json!({"type": "meaning", "text": "statins and muscle pains"});
    assert_eq!(hybrid["tree"]["operands"][3], meaning);
    assert_eq!(
        hybrid["query"],
        "statins OR muscle OR pains OR like “statins and muscle pains”"
    );
    assert_eq!(plain(&["--mode", "semantic"])["tree"], meaning);
    work.medsift(["search", "muscle pains", "--mode", "keyword", "--explain"])
        .run()
        .expect(0)
        .says(&["ranked by: muscle OR pains", "pains as pain"]);
}

#[test]
fn an_identifier_is_found_as_people_paste_it() {
    let work = workspace();
    for query in [
        "10.5555/medsift.2019.0001",
        "10.5555/medsift.2019.0001[doi]",
        "10.5555/medsift.2019.0001[DOI]",
        "10.5555/medsift.2019.0001.",
        "https://www.doi.org/10.5555/medsift.2019.0001",
        "PMID: 990000001",
        "pmid:990000001",
    ] {
        let answer = search(&work, query, &[]).expect(0).json();
        assert_eq!(ids(&answer), ["990000001"], "{query}");
    }
}

#[test]
fn a_pasted_reference_is_one_word_and_tells_no_false_warning() {
    let work = workspace();
    let query = "see 10.5555/medsift.2019.0001 too";
    let answer = search(&work, query, &["--mode", "keyword"])
        .expect(0)
        .json();
    assert_eq!(answer["hits"][0]["id"], "990000001");
    let words = answer["translation"]["tree"]["operands"].as_array();
    let words = words.expect("words").iter().map(|word| &word["text"]);
    let doi = words.filter(|word| *word == "10.5555/medsift.2019.0001");
    assert_eq!(doi.count(), 1, "{}", answer["translation"]);
    let warnings = answer["warnings"].to_string();
    assert!(!warnings.contains("as a whole"), "{warnings}");
}

#[test]
fn what_nothing_holds_is_in_the_translation_too() {
    let work = workspace();
    let answer = search(&work, "zzzzqq", &["--mode", "keyword"]);
    let answer = answer.expect(0).json();
    assert_eq!(
        answer["translation"]["tree"],
        json!({"type": "word", "text": "zzzzqq", "forms": []})
    );
}

#[test]
fn faults_have_a_position_and_can_be_forgiven() {
    let work = workspace();
    for (query, parts) in [
        ("[tiab]", &["character 1", "no term before it"][..]),
        ("il-2 AND NOT", &["character 10", "write NOT alone"]),
        (
            "statins[tiabs] OR pain[ti]",
            &["character 8", "did you mean [tiab]?"],
        ),
    ] {
        search(&work, query, &[]).expect(2).says(parts);
        search(&work, query, &["--syntax", "plain"]).expect(0);
        let forgiven = search(&work, query, &["--lenient"]).expect(0).json();
        let told = forgiven["warnings"].to_string();
        assert!(told.contains("passed over"), "{told}");
    }
    search(&work, "statins", &["--syntax", "google"])
        .expect(2)
        .says(&["use auto, plain or pubmed"]);
}
