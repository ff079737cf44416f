//! Passages for a question, and how well they are found.

use medsift_tests::{Workspace, sample, tiny_model};
use serde_json::Value;

#[test]
fn passages_are_printed_to_be_put_before_a_question() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let command = ["passages", "statins and muscle pain", "--budget", "120"];
    let printed = work.medsift(command).run().expect(0);
    assert!(printed.stdout.starts_with("[1] "), "{printed:#?}");
    let printed = printed
        .prints(&["\nSources:\n[1] "])
        .says(&["of 120 as bert-mean counts them"]);
    let response = work.medsift(command).arg("--json").run().expect(0).json();
    let passages = response["passages"].as_array().expect("a list");
    assert!(!passages.is_empty());
    assert!(response["tokens"].as_u64() <= Some(120), "{response:#}");
    for passage in passages {
        let start = format!("[{}] ", passage["source"]);
        let text = passage["text"].as_str().expect("a text");
        assert!(
            printed.stdout.contains(&start) && printed.stdout.contains(text),
            "{text}"
        );
        let citation = passage["citation"].as_str().expect("a citation");
        assert!(printed.stdout.contains(citation));
        in_article(&work, passage);
    }
    let small = work
        .medsift([
            "passages",
            "statins",
            "--budget",
            "90",
            "--count-citations",
            "--json",
        ])
        .run()
        .expect(0)
        .json();
    let count = |name: &str| small[name].as_u64().expect("a number");
    assert!(
        count("tokens") + count("citation_tokens") <= 90,
        "{small:#}"
    );
    work.run("passages statins --budget 0")
        .expect(2)
        .says(&["budget is 0"]);
    work.run("passages statins --diversity 3")
        .expect(2)
        .says(&["diversity is 3"]);
    work.run("passages statins --index none")
        .expect(1)
        .says(&["none"]);
}

/// The place of a passage is that in the text of a search's hit.
fn in_article(work: &Workspace, passage: &Value) {
    let id = passage["id"].as_str().expect("an id");
    let query = format!("{id}[pmid]");
    let found = work
        .medsift(["search", query.as_str(), "--mode", "keyword", "--json"])
        .run()
        .expect(0)
        .json();
    let hit = &found["hits"][0];
    let field = passage["field"].as_str().expect("a field");
    let place = |name: &str| passage[name].as_u64().expect("a place") as usize;
    let text = hit[field].as_str().expect("a text").chars();
    let between: String = text.take(place("end")).skip(place("start")).collect();
    assert_eq!(passage["text"], between, "{id}");
}

#[test]
fn passages_are_measured_on_both_sets() {
    let work = Workspace::new();
    work.write(
        "pubmedqa.json",
        r#"{"1": {"QUESTION": "Do statins cause muscle pain?", "CONTEXTS": ["Muscle pain was rare."],
                  "LONG_ANSWER": "Statins cause little muscle pain."},
            "2": {"QUESTION": "Does sleep help?", "CONTEXTS": ["People slept."], "LONG_ANSWER": "It does."}}"#,
    );
    let snippet = |document: u32, section: &str, begin: u32, text: &str| {
        format!(
            r#"{{"text": "{text}", "document": "http://x/pubmed/{document}", "section": "{section}", "begin": {begin}, "end": 0}}"#
        )
    };
    let line = |id: &str, batch: &str, question: &str, snippets: &[String]| {
        format!(
            r#"{{"id": "{id}", "batch": "{batch}", "question": "{question}", "snippets": [{}]}}"#,
            snippets.join(",")
        )
    };
    let lines = [
        line(
            "a",
            "7B1",
            "Which gene is mutated in cystic fibrosis?",
            &[
                snippet(7, "abstract", 5, "CFTR is mutated in cystic fibrosis."),
                snippet(8, "title", 0, "Cystic fibrosis and CFTR"),
            ],
        ),
        line(
            "b",
            "8B1",
            "What is digoxin?",
            &[snippet(9, "abstract", 0, "Digoxin is a glycoside.")],
        ),
    ];
    work.write("bioasq.jsonl", lines.join("\n"));
    let measure = |rest: &[&str]| {
        work.medsift([
            "eval",
            "passages",
            "pubmedqa.json",
            "bioasq.jsonl",
            "--model",
        ])
        .arg(tiny_model())
        .args(rest)
        .run()
        .expect(0)
    };
    let report = measure(&["--budget", "8,2000", "--mode", "keyword,semantic", "--json"]).json();
    assert_eq!(report["documents"], 5, "{report:#}");
    let sets = report["sets"].as_array().expect("sets");
    for (set, name) in sets.iter().zip(["pubmedqa", "bioasq"]) {
        assert_eq!((&set["name"], &set["questions"]), (&name.into(), &2.into()));
        let rows = set["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 4);
        for row in rows {
            assert!(row["tokens"].as_f64() <= row["budget"].as_f64(), "{row:#}");
            // By meaning every document has a place, and all fit.
            if row["mode"] == "semantic" && row["budget"] == 2000 {
                assert_eq!(
                    (&row["document"], &row["document_recall"]),
                    (&1.0.into(), &1.0.into())
                );
                assert_eq!(
                    row["snippet_recall"].as_f64(),
                    (name == "bioasq").then_some(1.0)
                );
            }
        }
    }
    // The words are there: in a few tokens already.
    assert_eq!(sets[1]["rows"][1]["snippet"], 1.0, "{report:#}");
    measure(&["--batch", "8", "--questions", "1"]).prints(&[
        "bioasq: 1 questions",
        "hybrid",
        "2000 tokens",
    ]);
    work.run("eval passages nothing.json")
        .expect(1)
        .says(&["nothing.json"]);
    work.run("eval passages pubmedqa.json --mode some")
        .expect(2)
        .says(&["unknown mode"]);
}
