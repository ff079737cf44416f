//! Named entities: a tagger is trained, measured and used.

use crate::serve::get;
use medsift_tests::{Finished, Workspace, tiny_model};
use std::fmt::Write;

/// A corpus of diseases and a configuration `ner.toml` whose run lies in `run`.
pub(crate) fn prepared() -> Workspace {
    let work = Workspace::new();
    let mut corpus = String::new();
    for number in 0..16 {
        let disease = ["muscle pain", "weakness", "tumour"][number % 3];
        let cause = ["therapy", "statins", "treatment"][number / 3 % 3];
        for (place, word) in disease.split(' ').enumerate() {
            let tag = if place == 0 { "B-Disease" } else { "I-Disease" };
            writeln!(corpus, "{word}\t{tag}").expect("a string grows");
        }
        writeln!(corpus, "after\tO\n{cause}\tO\n.\tO\n").expect("a string grows");
    }
    work.write("corpus.tsv", corpus);
    let text = format!(
        r#"
output = "run"
[base]
model = {:?}
[[stage]]
name = "diseases"
kind = "token"
steps = 40
batch = 8
learning_rate = 1e-3
head_factor = 10.0
dropout = 0.0
objective = {{ types = ["Disease"], name = "disease" }}
data = [{{ files = ["corpus.tsv"] }}]
evaluation.sets = [{{ name = "same", kind = "entities", files = ["corpus.tsv"] }}]
"#,
        tiny_model()
    );
    work.write("ner.toml", text);
    work
}

fn annotate(work: &Workspace, text: &str, more: &[&str]) -> Finished {
    let command = work.medsift(["annotate", text, "--model", "run/model"]);
    command.args(more).run()
}

#[test]
fn a_tagger_is_trained_measured_and_used() {
    let work = prepared();
    work.run("train check ner.toml")
        .expect(0)
        .prints(&["tags of words", "16 examples"]);
    work.run("train run ner.toml")
        .expect(0)
        .says(&["same/f1"])
        .prints(&["score/same/f1", "run/model"]);

    let eval = "eval ner corpus.tsv --model run/model";
    let report = work.run(&format!("{eval} --json")).expect(0).json();
    let scores = &report["results"][0];
    assert_eq!(report["head"], "disease");
    assert_eq!(scores["micro"]["gold"], 16);
    assert_eq!(scores["types"]["Disease"]["gold"], 16);
    assert_eq!(
        (&scores["sentences"], &scores["words"]),
        (&16.into(), &70.into())
    );
    let f1 = scores["micro"]["f1"].as_f64().expect("an F1");
    assert!(f1 > 0.9, "{report:#}");
    work.run(eval).expect(0).prints(&[
        "head disease",
        "precision",
        "all (micro)",
        "corpus.tsv: 16 sentences",
    ]);

    let text = "Naïve: tumour after therapy. Muscle pain after statins.";
    let found = annotate(&work, text, &["--json"]).expect(0).json();
    assert_eq!(found["text"], text);
    assert_eq!(found["head"], "disease");
    let entities = found["entities"].as_array().expect("a list");
    assert!(!entities.is_empty(), "{found:#}");
    for entity in entities {
        let place = |name: &str| entity[name].as_u64().expect("a place") as usize;
        let (start, end) = (place("start"), place("end"));
        let mention: String = text.chars().take(end).skip(start).collect();
        assert_eq!(entity["text"], mention);
        assert_eq!(entity["type"], "Disease");
    }
    let last = &entities[entities.len() - 1];
    assert_eq!(last["text"], "Muscle pain", "{found:#}");
    assert_eq!(last["id"], "MESH:D063806", "{found:#}");
    assert_eq!(last["concept"], "Myalgia");
    assert_eq!(last["link"]["method"], "exact");
    annotate(&work, text, &[]).expect(0).prints(&[
        "29..40",
        "Disease",
        "Muscle pain",
        "MESH:D063806 Myalgia",
    ]);
    annotate(&work, "", &[]).expect(0).prints(&["No entity"]);

    // What other tools read.
    let annotated = |more: &[&str]| annotate(&work, text, more).expect(0);
    annotated(&["--format", "pubtator", "--id", "7"]).prints(&[
        &format!("7|t|{text}\n"),
        "7\t29\t40\tMuscle pain\tDisease\tMESH:D063806\n",
    ]);
    let bioc = annotated(&["--format", "bioc"]).json();
    let passage = &bioc["documents"][0]["passages"][0];
    assert_eq!(passage["text"], text);
    let annotations = passage["annotations"].as_array().expect("a list");
    assert_eq!(annotations.len(), entities.len(), "{bioc:#}");
    let last = &annotations[annotations.len() - 1];
    assert_eq!(last["infons"]["identifier"], "MESH:D063806");
    assert_eq!(
        (
            &last["locations"][0]["offset"],
            &last["locations"][0]["length"]
        ),
        (&29.into(), &11.into())
    );
    assert_eq!(bioc["infons"]["head"], "disease");
    assert_eq!(annotated(&["--format", "json"]).json(), found);
    annotate(&work, text, &["--format", "xml"])
        .expect(2)
        .says(&["pubtator or bioc"]);
    annotate(&work, text, &["--format", "pubtator", "--id", "a|b"])
        .expect(2)
        .says(&["its id"]);
}

/// An article of the index and a text that is sent, over HTTP, as other tools
/// read them.
#[test]
fn a_server_gives_what_other_tools_read() {
    let work = prepared();
    work.run("train run ner.toml --quiet").expect(0);
    let articles = "{\"_id\": \"7\", \"title\": \"Naïve: tumour after therapy.\", \
        \"text\": \"Muscle pain after statins.\"}\n";
    let file = work.write("articles.jsonl", articles);
    let index = work.medsift(["index", "--model", "run/model"]).arg(file);
    let _ = index.run().expect(0);
    let config = work.write("served.toml", "[search.enrich]\nhead = \"disease\"\n");
    let serve = work
        .medsift(["serve", "--port", "0", "--config"])
        .arg(config);
    let mut running = serve.start();
    let address = running.address();
    let lines = get(&address, "/v1/articles/7?format=pubtator");
    for part in [
        " 200 ",
        "attachment; filename=\"7.pubtator\"",
        "7|t|Naïve: tumour after therapy.\n7|a|Muscle pain after statins.\n",
        "7\t29\t40\tMuscle pain\tDisease\tMESH:D063806\n",
    ] {
        assert!(lines.contains(part), "{part}: {lines}");
    }
    let bioc = get(&address, "/v1/articles/7?format=bioc");
    let (_, body) = bioc.split_once("\r\n\r\n").expect("a body");
    let bioc: serde_json::Value = serde_json::from_str(body).expect("JSON");
    let text = &bioc["documents"][0]["passages"][1];
    assert_eq!(text["offset"], 29, "{bioc:#}");
    let entity = &text["annotations"][0];
    assert_eq!(entity["locations"][0]["offset"], 29);
    assert_eq!(entity["infons"]["name"], "Myalgia");
    let sent = get(
        &address,
        "/v1/annotate?text=Pain&text=Muscle+pain+after+statins.&format=pubtator",
    );
    for part in ["text/plain", "1|t|Pain\n", "2\t0\t11\tMuscle pain\tDisease"] {
        assert!(sent.contains(part), "{part}: {sent}");
    }
    let wrong = get(&address, "/v1/articles/7?format=word");
    assert!(
        wrong.contains(" 400 ") && wrong.contains("pubtator or bioc"),
        "{wrong}"
    );
    running.signal("INT");
    let _ = running.wait().expect(0);
}

#[test]
fn what_does_not_fit_is_said() {
    let work = prepared();
    work.write("genes.tsv", "p53\tB-Gene\n");
    work.write("broken.tsv", "p53\tI-Gene\n");
    work.run("train run ner.toml --set stage.0.steps=1 --quiet")
        .expect(0);
    let eval = |file: &str| work.run(&format!("eval ner {file} --model run/model"));
    eval("genes.tsv")
        .expect(2)
        .says(&["Gene", "Disease", "--type"]);
    eval("broken.tsv")
        .expect(2)
        .says(&["broken.tsv, line 1", "IOB2"]);
    work.run("eval ner genes.tsv --model run/model --ignore Gene")
        .expect(0);
    work.run("eval ner genes.tsv --model run/model --type Gene=Disease")
        .expect(0);
    annotate(&work, "pain", &["--head", "other"])
        .expect(1)
        .says(&["there are: disease"]);
    work.medsift(["annotate", "pain", "--model"])
        .arg(tiny_model())
        .run()
        .expect(1)
        .says(&["no head for entities", "kind `token`"]);
}
