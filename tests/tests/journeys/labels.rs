//! Labels of texts, and relations of entities: heads are trained, measured and
//! used.

use medsift_tests::{Workspace, tiny_model};
use std::fmt::Write;
use std::fs::File;
use std::process::Stdio;

/// Sentences whose label depends on a word, and a configuration `text.toml`
/// whose run lies in `run`; `more` are further keys of its stage.
fn prepared(more: &str) -> Workspace {
    let work = Workspace::new();
    let mut rows = String::from("fold\tlabel\tsentence\n");
    for number in 0..36 {
        let (label, word) = [("0", "after"), ("1", "causes")][number % 2];
        let gene = ["@GENE$ here", "the @GENE$", "@GENE$"][number / 2 % 3];
        let end = ["in patients", "of the treatment", "."][number / 6 % 3];
        let fold = 1 + number / 18;
        writeln!(rows, "{fold}\t{label}\t{gene} {word} @DISEASE$ {end}").expect("a string grows");
    }
    work.write("folds.tsv", rows);
    let text = format!(
        r#"
output = "run"
[base]
model = {:?}
[[stage]]
name = "pairs"
kind = "text"
steps = 60
batch = 9
learning_rate = 1e-2
dropout = 0.0
{more}
objective = {{ labels = ["none", "cause"], negative = "none", name = "pairs", pair = {{ types = ["Gene", "Disease"] }} }}
data = [{{ files = ["folds.tsv"], text = "sentence", labels = {{ 0 = "none", 1 = "cause" }}, without = {{ fold = 3 }} }}]
evaluation.sets = [{{ name = "fold", kind = "labels", files = ["folds.tsv"], text = "sentence", labels = {{ 0 = "none", 1 = "cause" }}, only = {{ fold = 2 }} }}]
"#,
        tiny_model()
    );
    work.write("text.toml", text);
    work
}

const EVAL: &str = "eval labels folds.tsv --model run/model --text sentence --map 0=none \
                    --map 1=cause";

#[test]
fn a_head_is_trained_measured_and_used() {
    let work = prepared("");
    work.run("train check text.toml")
        .expect(0)
        .prints(&["labels of texts", "36 examples"]);
    work.run("train run text.toml")
        .expect(0)
        .says(&["fold/f1"])
        .prints(&["score/fold/auc", "run/model"]);

    let report = work.run(&format!("{EVAL} --json")).expect(0).json();
    let scores = &report["results"][0];
    assert_eq!(report["head"], "pairs");
    assert_eq!(scores["texts"], 36);
    assert_eq!(scores["micro"]["gold"], 18);
    assert_eq!(scores["labels"][0]["label"], "none");
    for measure in [&scores["micro"]["f1"], &scores["accuracy"], &scores["auc"]] {
        assert!(measure.as_f64().expect("a score") > 0.9, "{report:#}");
    }
    work.run(&format!("{EVAL} --only fold=2"))
        .expect(0)
        .prints(&["head pairs", "folds.tsv: 18 texts", "AUC", "(micro)"]);

    let texts = [
        "The @GENE$ causes @DISEASE$.",
        "@GENE$ after @DISEASE$ in mice",
    ];
    let found = work
        .medsift(["classify", "--model", "run/model", "--json"])
        .args(texts)
        .run()
        .expect(0)
        .json();
    for (place, label) in [(0, "cause"), (1, "none")] {
        let result = &found["results"][place];
        assert_eq!(result["text"], texts[place]);
        assert_eq!(result["label"], label, "{found:#}");
        let chances = result["probabilities"].as_array().expect("a list");
        let sum: f64 = chances.iter().filter_map(serde_json::Value::as_f64).sum();
        assert!((sum - 1.0).abs() < 1e-4 && chances.len() == 2);
    }
    work.write("lines.txt", format!("{}\n\n{}\n", texts[1], texts[0]));
    let lines = File::open(work.join("lines.txt")).expect("the file is there");
    let page = work
        .medsift(["classify", "-", "--model", "run/model", "--head", "pairs"])
        .stdin(Stdio::from(lines))
        .run()
        .expect(0);
    page.prints(&["none   @GENE$ after", "cause  The @GENE$ causes"]);
}

#[test]
fn relations_of_a_text_are_found_by_two_heads_of_one_encoder() {
    let work = prepared("adapter = { rank = 4 }");
    let mut corpus = String::new();
    for number in 0..18 {
        let gene = ["receptors", "cytokines", "cells"][number % 3];
        let disease = ["pain", "weakness", "tumour"][number / 3 % 3];
        let verb = ["causes", "after"][number % 2];
        writeln!(
            corpus,
            "{gene}\tB-Gene\n{verb}\tO\n{disease}\tB-Disease\n.\tO\n"
        )
        .expect("a string grows");
    }
    work.write("corpus.tsv", corpus);
    let text = format!(
        r#"
output = "tagger"
[base]
model = {:?}
[[stage]]
name = "tags"
kind = "token"
steps = 60
batch = 9
learning_rate = 1e-2
dropout = 0.0
adapter = {{ rank = 4 }}
objective = {{ types = ["Gene", "Disease"] }}
data = [{{ files = ["corpus.tsv"] }}]
"#,
        tiny_model()
    );
    work.write("ner.toml", text);
    work.run("train run ner.toml --quiet").expect(0);
    work.run("train run text.toml --quiet --model tagger/model")
        .expect(0);

    let text = "Naïve. Receptors causes pain. Cells after tumour.";
    let annotate = |more: &[&str]| {
        let command = work.medsift(["annotate", text, "--model", "run/model"]);
        command.args(more).run()
    };
    let found = annotate(&["--relations", "pairs", "--json"])
        .expect(0)
        .json();
    assert_eq!(found["head"], "entities");
    let related = &found["relations"];
    assert_eq!(related["head"], "pairs");
    let relations = related["found"].as_array().expect("a list");
    assert_eq!(relations.len(), 1, "{found:#}");
    let relation = &relations[0];
    let name = |place: &str| {
        let place = relation[place].as_u64().expect("a place") as usize;
        found["entities"][place]["text"].clone()
    };
    assert_eq!(relation["type"], "cause");
    assert_eq!(
        (name("first"), name("second")),
        ("Receptors".into(), "pain".into())
    );
    let evidence = &relation["evidence"];
    assert_eq!(evidence["text"], "Receptors causes pain.");
    assert_eq!(
        (&evidence["start"], &evidence["end"]),
        (&7.into(), &29.into())
    );
    annotate(&["--relations", "pairs"]).expect(0).prints(&[
        "relations, head pairs",
        "Receptors – pain",
        "7..29",
    ]);
    let bioc = annotate(&["--relations", "pairs", "--format", "bioc"]);
    let bioc = bioc.expect(0).json();
    let of_bioc = &bioc["documents"][0]["relations"][0];
    assert_eq!(of_bioc["infons"]["type"], "cause", "{bioc:#}");
    assert_eq!(of_bioc["infons"]["sentence"], "Receptors causes pain.");
    assert_eq!(of_bioc["nodes"][1]["refid"], relation["second"].to_string());
    // Genes have no descriptor, so that PubTator's lines cannot name both.
    annotate(&["--relations", "pairs", "--format", "pubtator"])
        .expect(0)
        .prints(&["\tGene\n"])
        .says(&["1 relations have no line"]);

    // Without the option nothing is said of relations, and each command finds
    // the head of its task.
    assert!(annotate(&["--json"]).expect(0).json()["relations"].is_null());
    work.run("classify pain --model run/model").expect(0);
    annotate(&["--relations", "entities"])
        .expect(1)
        .says(&["for \"text\""]);
}

#[test]
fn what_does_not_fit_is_said() {
    let work = prepared("");
    work.run("train run text.toml --set stage.0.steps=1 --quiet")
        .expect(0);
    let eval = |more: &str| work.run(&format!("eval labels folds.tsv --model run/model {more}"));
    eval("")
        .expect(2)
        .says(&["folds.tsv, line 1", "no column text"]);
    eval("--text sentence")
        .expect(2)
        .says(&["folds.tsv, line 2", "label 0", "--map or --ignore"]);
    eval("--text sentence --map 0=no")
        .expect(2)
        .says(&["no", "none, cause"]);
    eval("--text 3 --label 2 --no-header --ignore label --map 0=none --map 1=cause").expect(0);
    eval("--text sentence --ignore 0 --ignore 1")
        .expect(2)
        .says(&["every row is ignored"]);
    eval("--text sentence --map 0").expect(2).says(&["--map"]);
    work.medsift(["classify", "pain", "--model"])
        .arg(tiny_model())
        .run()
        .expect(1)
        .says(&["no head for text", "kind `text`"]);
    work.run("classify pain --model run/model --head other")
        .expect(1)
        .says(&["there are: pairs (text)"]);
}
