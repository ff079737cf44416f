//! Measuring retrieval on a folder in BEIR layout.

use medsift_tests::{Workspace, tiny_model};
use std::fs;

/// Three documents, three queries; two of the judgements are found by words,
/// at ranks that are worked out by hand below.
fn folder(work: &Workspace) {
    fs::create_dir_all(work.join("tiny/qrels")).expect("a folder");
    work.write(
        "tiny/corpus.jsonl",
        r#"{"_id":"d1","title":"Aspirin","text":"Aspirin prevents stroke."}
{"_id":"d2","title":"Malaria","text":"Bed nets prevent malaria in children."}
{"_id":"d3","title":"Sleep","text":"Sleep restores memory."}
"#,
    );
    work.write(
        "tiny/queries.jsonl",
        r#"{"_id":"q1","text":"aspirin"}
{"_id":"q2","text":"malaria"}
{"_id":"q3","text":"unheardofword"}
{"_id":"q4","text":"not judged"}
"#,
    );
    work.write(
        "tiny/qrels/test.tsv",
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t2\nq2\td3\t1\nq3\td3\t1\n",
    );
}

fn eval(work: &Workspace, more: &[&str]) -> medsift_tests::Finished {
    work.medsift(["eval", "retrieval", "tiny", "--model"])
        .arg(tiny_model())
        .args(more)
        .run()
}

#[test]
fn scores_are_those_of_the_definition() {
    let work = Workspace::new();
    folder(&work);
    let report = eval(&work, &["--mode", "keyword", "--json", "--run", "k.trec"])
        .expect(0)
        .json();
    assert_eq!(report["queries"], 3);
    assert_eq!(report["articles"], 3);
    // q1: 1. q2: gain 2 of the ideal 2 + 1/log2(3). q3: 0.
    let q2 = 2.0 / (2.0 + 1.0 / 3f64.log2());
    let close = |name: &str, expected: f64| {
        let found = report[name].as_f64().expect(name);
        assert!(
            (found - expected).abs() < 1e-6,
            "{name}: {found}, {expected}"
        );
    };
    close("ndcg_at_10", (1.0 + q2) / 3.0);
    close("mrr_at_10", 2.0 / 3.0);
    close("recall_at_100", 1.5 / 3.0);
    close("map", (1.0 + 0.5) / 3.0);
    let times = &report["latency_ms"];
    let ms = |name: &str| times[name].as_f64().expect(name);
    assert!(ms("p50") > 0.0, "{times}");
    assert!(ms("p50") <= ms("p95") && ms("p95") <= ms("p99"), "{times}");
    assert!(report["queries_per_second"].as_f64().expect("a speed") > 0.0);
    let run = fs::read_to_string(work.join("k.trec")).expect("the run file");
    assert!(run.starts_with("q1 Q0 d1 1 "), "{run}");
    assert_eq!(run.lines().count(), 2, "{run}");
}

/// A search prints the same run that is scored.
#[test]
fn a_search_prints_runs() {
    let work = Workspace::new();
    folder(&work);
    let _ = eval(
        &work,
        &["--mode", "hybrid", "--run", "h.trec", "--index", "kept"],
    )
    .expect(0);
    let scored = fs::read_to_string(work.join("h.trec")).expect("the run file");
    work.write(
        "judged.tsv",
        "q1\taspirin\nq2\tmalaria\nq3\tunheardofword\n",
    );
    let search = |args: &[&str]| {
        let command = work.medsift(["search", "--index", "kept", "--trec"]);
        command.args(args).run()
    };
    let model = tiny_model();
    let model = model.to_str().expect("a name");
    let all = ["--mode", "hybrid", "--model", model];
    let judged = search(&[&["--queries", "judged.tsv"][..], &all].concat()).expect(0);
    assert_eq!(judged.stdout, scored);
    // All of BEIR's file, and one query by itself.
    let whole = search(
        &[
            &["--queries", "tiny/queries.jsonl", "--tag", "mine"][..],
            &all,
        ]
        .concat(),
    );
    let whole = whole.expect(0).stdout;
    assert!(whole.lines().all(|line| line.ends_with(" mine")), "{whole}");
    assert!(
        whole.lines().any(|line| line.starts_with("q4 Q0 ")),
        "{whole}"
    );
    let one = [
        "malaria",
        "--mode",
        "keyword",
        "--query-id",
        "q2",
        "--limit",
        "1",
    ];
    let one = search(&one).expect(0).stdout;
    assert!(
        one.starts_with("q2 Q0 d2 1 ") && one.lines().count() == 1,
        "{one}"
    );
    for (args, part) in [
        (&["malaria", "--tag", "two words"][..], "--tag"),
        (&["malaria", "--json"], "--json"),
        (&["malaria", "--queries", "judged.tsv"], "--queries"),
        (&["malaria", "--limit", "0"], "--limit"),
    ] {
        let _ = search(args).expect(2).says(&[part]);
    }
    work.write("judged.tsv", "q1\taspirin\nq1\tmalaria\n");
    search(&["--queries", "judged.tsv"])
        .expect(2)
        .says(&["judged.tsv, line 2"]);
    let _ = work
        .run("search malaria --index kept --queries judged.tsv")
        .expect(2);
}

/// A corpus is exported with queries and judgements, and scores the same.
#[test]
fn a_whole_collection_is_exported() {
    let work = Workspace::new();
    folder(&work);
    let keyword = ["--mode", "keyword", "--json", "--index", "kept"];
    let report = eval(&work, &keyword).expect(0).json();
    let export = |args: &str| work.run(&format!("export --index kept --format beir {args}"));
    export("--all --collection tiny --output again")
        .expect(0)
        .says(&["3 articles", "4 queries, 4 judgements"]);
    let command = [
        "eval",
        "retrieval",
        "again",
        "--mode",
        "keyword",
        "--json",
        "--model",
    ];
    let again = work
        .medsift(command)
        .arg(tiny_model())
        .run()
        .expect(0)
        .json();
    for score in ["ndcg_at_10", "map", "queries", "articles"] {
        assert_eq!(report[score], again[score], "{again:#}");
    }
    export("malaria --mode keyword --output again")
        .expect(0)
        .says(&["queries and judgements that were in again before stay"]);
    let read = |name: &str| fs::read_to_string(work.join(name)).expect("a file");
    assert_eq!(read("again/qrels/test.tsv"), read("tiny/qrels/test.tsv"));
    export(
        "malaria --mode keyword --queries tiny/queries.jsonl --qrels tiny/qrels/test.tsv \
            --output part",
    )
    .expect(0)
    .says(&["1 articles", "2 of the judged articles are not among"]);
    assert_eq!(read("part/qrels/test.tsv"), read("tiny/qrels/test.tsv"));
    export("--all --qrels tiny/qrels/test.tsv --output part")
        .expect(2)
        .says(&["--queries"]);
    work.run("export --all --index kept --queries tiny/queries.jsonl")
        .expect(2)
        .says(&["--format beir"]);
    work.write("few.tsv", "q1\taspirin\n");
    export("--all --queries few.tsv --qrels tiny/qrels/test.tsv --output part")
        .expect(1)
        .says(&["q2", "not there"]);
}

#[test]
fn halves_modes_and_passages_can_be_chosen() {
    let work = Workspace::new();
    folder(&work);
    for (more, queries) in [
        (&["--query-half", "a"][..], 2),
        (&["--query-half", "b"], 1),
        (&["--mode", "semantic", "--exact", "--passages", "off"], 3),
        (&["--mode", "hybrid"], 3),
    ] {
        let report = eval(&work, &[more, &["--json"]].concat()).expect(0).json();
        assert_eq!(report["queries"], queries, "{report:#}");
    }
    eval(&work, &[])
        .expect(0)
        .prints(&["nDCG@10", "Recall@100", "MRR@10", "MAP", "queries/s"])
        .prints(&["p50", "p95", "p99"]);
}

#[test]
fn what_is_missing_is_named() {
    let work = Workspace::new();
    work.run("eval retrieval absent")
        .expect(1)
        .says(&["absent", "corpus.jsonl"]);
    folder(&work);
    eval(&work, &["--split", "dev"])
        .expect(2)
        .says(&["dev", "test"]);
    work.write(
        "tiny/corpus.jsonl",
        "{\"_id\":\"d1\",\"title\":\"A\",\"text\":\"B\"}\nnot json\n",
    );
    eval(&work, &[])
        .expect(1)
        .says(&["could not be read whole"]);
}
