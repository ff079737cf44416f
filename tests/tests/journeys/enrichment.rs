//! The articles of an index are read for entities, and searched by them.

use crate::entities::prepared;
use medsift_tests::{Finished, Medsift, Workspace, sample};
use serde_json::Value;

/// The head of the model that [`prepared`] trains.
const HEAD: (&str, &str) = ("MEDSIFT_SEARCH_ENRICH_HEAD", "disease");

fn with_head(command: Medsift) -> Finished {
    command.env(HEAD.0, HEAD.1).run()
}

fn enrich(work: &Workspace, more: &str) -> Value {
    let command = format!("enrich --json {more}");
    with_head(work.medsift(command.split_whitespace()))
        .expect(0)
        .json()
}

fn counts(report: &Value) -> [u64; 4] {
    ["articles", "enriched", "already", "left"].map(|name| report[name].as_u64().expect("a number"))
}

#[test]
fn articles_are_read_once_and_searched_by_what_they_name() {
    let work = prepared();
    work.run("train run ner.toml --quiet").expect(0);
    work.medsift(["index", "--model", "run/model"])
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(0);
    work.run("enrich")
        .expect(1)
        .says(&["no head for entities called `entities`", "--model"]);
    let search =
        |query: &str| with_head(work.medsift(["search", query, "--json", "--mode", "keyword"]));
    let found = search("entity:MESH:D063806").expect(0).json();
    assert_eq!(found["hits"], serde_json::json!([]));
    assert!(
        found["warnings"].to_string().contains("`medsift enrich`"),
        "{found:#}"
    );

    let first = enrich(&work, "--limit 5");
    let [articles, enriched, already, left] = counts(&first);
    assert_eq!((enriched, already, left), (5, 0, articles - 5));
    assert!(articles > 20, "{first:#}");
    assert_eq!(counts(&enrich(&work, "")), [articles, articles - 5, 5, 0]);
    let again = with_head(work.medsift(["enrich"])).expect(0);
    let again = again.prints(&["0 read now", "0 left", "by disease over"]);
    assert!(!again.stdout.contains("found"), "{}", again.stdout);
    work.run("verify").expect(0);
    work.run("stats")
        .expect(0)
        .prints(&["Entities and relations", "by disease over"]);

    let hits = |found: &Value| -> Vec<String> {
        let hits = found["hits"].as_array().expect("hits");
        hits.iter().map(|hit| hit["id"].to_string()).collect()
    };
    let found = search("entity:MESH:D063806").expect(0).json();
    assert!(!hits(&found).is_empty(), "{found:#}");
    assert_eq!(found.get("warnings"), None, "{found:#}");
    // The same, asked for by name, by a filter, and with a count.
    assert_eq!(
        hits(&search("myalgia[entity]").expect(0).json()),
        hits(&found)
    );
    let options = [
        "--entity",
        "D063806",
        "--facets",
        "entity",
        "--facet-limit",
        "1000",
        "--enrich",
        "entities",
        "--json",
    ];
    let filtered = work
        .medsift(["search", "all[sb]", "--mode", "keyword"])
        .args(options);
    let filtered = with_head(filtered).expect(0).json();
    assert_eq!(
        filtered["facets"]["articles"].as_u64(),
        Some(hits(&found).len() as u64)
    );
    let counted = &filtered["facets"]["entity"]["values"];
    let myalgia = counted
        .as_array()
        .expect("values")
        .iter()
        .find(|one| one["value"] == "MESH:D063806");
    let myalgia = myalgia.unwrap_or_else(|| panic!("{counted:#}"));
    assert_eq!(myalgia["name"], "Myalgia");
    assert_eq!(myalgia["type"], "Disease");
    let report = &filtered["enrichment"];
    assert_eq!(
        report["stored"].as_u64(),
        Some(hits(&filtered).len() as u64),
        "{report:#}"
    );
    for hit in filtered["hits"].as_array().expect("hits") {
        let named = hit["entities"].to_string();
        assert!(named.contains("MESH:D063806"), "{hit:#}");
    }
    work.run("search all[sb] --relation induces --mode keyword")
        .expect(2)
        .says(&["has not three parts", "type|first|second"]);
}

#[test]
fn what_is_new_is_read_and_the_rest_stays() {
    let work = prepared();
    work.run("train run ner.toml --quiet").expect(0);
    let line = |id: u32, title: &str| {
        format!("{{\"_id\": \"{id}\", \"title\": \"{title}\", \"text\": \"x\"}}\n")
    };
    work.write(
        "one.jsonl",
        line(1, "Muscle pain after statins.") + &line(2, "Weakness after therapy."),
    );
    work.run("index one.jsonl --model run/model").expect(0);
    assert_eq!(counts(&enrich(&work, "")), [2, 2, 0, 0]);
    work.write(
        "two.jsonl",
        line(2, "Nothing of it.") + &line(3, "Tumour after treatment."),
    );
    work.run("index two.jsonl").expect(0);
    assert_eq!(counts(&enrich(&work, "")), [3, 2, 1, 0]);
    // Another model is another index; another head reads everything again.
    work.run("train run ner.toml --quiet --output second --set stage.0.objective.name=other --model run/model --set stage.0.adapter.rank=4")
        .expect(0);
    let other = work.medsift(["enrich", "--json", "--model", "second/model"]);
    let report = other.env(HEAD.0, "other").run().expect(0).json();
    assert_eq!(counts(&report), [3, 3, 0, 0], "{report:#}");
}
