//! What training is made of: vocabularies, and examples of PubMed records.

use medsift_tests::{Workspace, sample};
use serde_json::Value;
use std::fs;

fn lines(work: &Workspace, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(work.join(file)).expect("a file");
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("JSON lines")
}

#[test]
fn a_vocabulary_of_records_and_texts_begins_a_network() {
    let work = Workspace::new();
    work.write(
        "notes.txt",
        "Statins and muscle pain.\n\nStatins in trials.\n",
    );
    work.medsift([
        "train",
        "vocab",
        "notes.txt",
        "--size",
        "600",
        "--output",
        "v",
    ])
    .arg(sample("medsift-sample.xml"))
    .run()
    .expect(0)
    .says(&["600 pieces of"])
    .prints(&["v\n"]);
    let pieces = fs::read_to_string(work.join("v/vocab.txt")).expect("a vocabulary");
    assert_eq!(pieces.lines().count(), 600);
    assert!(pieces.starts_with("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"));
    work.write(
        "c.toml",
        "output = \"run\"\n[base]\nvocabulary = \"v\"\n[base.scratch]\nhidden = 16\nlayers = 1\n\
         heads = 2\nintermediate = 32\npositions = 32\n[[stage]]\nname = \"pairs\"\n\
         kind = \"sentence\"\nsteps = 2\nbatch = 4\nobjective = { kind = \"ranking\" }\n\
         data = [{ format = \"pairs\", files = [\"pairs.jsonl\"] }]\n",
    );
    work.medsift([
        "train",
        "pairs",
        "--kind",
        "title-abstract",
        "--output",
        "pairs.jsonl",
    ])
    .arg(sample("medsift-sample.xml"))
    .run()
    .expect(0);
    work.run("train run c.toml --quiet").expect(0);
    // The same, built on the way.
    work.write(
        "own.xml",
        fs::read(sample("medsift-sample.xml")).expect("the sample"),
    );
    let data = "stage.0.data.0={ build = \"title_abstract\", files = [\"own.xml\"] }";
    let check = work
        .medsift(["train", "check", "c.toml", "--set", data, "--json"])
        .run()
        .expect(0)
        .json();
    let made = lines(&work, "pairs.jsonl").len();
    assert_eq!(check["stages"][0]["examples"], made, "{check:#}");
    let model = work.run("model inspect run/model --json").expect(0).json();
    assert_eq!(model["fingerprint"]["dimension"], 16, "{model:#}");
    let copy = std::fs::read(sample("medsift-sample.xml")).expect("the sample");
    work.write("own.xml", &copy);
    work.run("train pairs own.xml --kind title-abstract --output own.xml")
        .expect(2)
        .says(&["own.xml", "--output"]);
    assert_eq!(std::fs::read(work.join("own.xml")).expect("a file"), copy);
    work.run("train vocab absent.xml --output w")
        .expect(1)
        .says(&["absent.xml"]);
    work.run("train vocab notes.txt --size 6 --output w")
        .expect(2)
        .says(&["size 6 is too small"]);
}

#[test]
fn every_kind_of_example_is_made_and_counted() {
    let work = Workspace::new();
    work.write(
        "mesh.tsv",
        "ui\tname\ttree_numbers\nD1\tHumans\tB01\nD2\tDiseases\tC01\n",
    );
    for (kind, texts) in [
        ("title-abstract", 2),
        ("sections", 3),
        ("queries", 2),
        ("mesh", 2),
    ] {
        let report = work
            .medsift([
                "train",
                "pairs",
                "--output",
                "out.jsonl",
                "--kind",
                kind,
                "--json",
            ])
            .args(["--mesh", "mesh.tsv"])
            .arg(sample("medsift-sample.xml"))
            .arg(sample("medsift-sample-update.xml"))
            .run()
            .expect(0)
            .json();
        let count = |group: &str, name: &str| report[group][name].as_u64().expect(name);
        let records = |name| count("records", name);
        assert_eq!(
            records("records"),
            records("articles") + records("deletions") + records("faulty")
        );
        assert_eq!(
            (records("records"), records("deletions")),
            (78, 3),
            "{report:#}"
        );
        let articles = |name| count("articles", name);
        assert_eq!(articles("read"), records("articles"));
        let parts = [
            "held",
            "replaced",
            "excluded",
            "retracted",
            "withdrawn",
            "without_text",
        ];
        assert_eq!(articles("read"), parts.map(articles).iter().sum::<u64>());
        let made = lines(&work, "out.jsonl");
        assert_eq!(report["written"], made.len() as u64);
        assert_eq!(report["written"], report["made"]);
        for example in &made {
            let found = example["texts"].as_array().expect("texts");
            assert_eq!(found.len(), texts, "{example}");
            assert_eq!(example.get("score").is_some(), kind == "mesh");
        }
        assert!(made.len() > 20, "{kind}: {}", made.len());
    }
}

#[test]
fn a_limit_draws_the_same_examples_for_the_same_seed() {
    let work = Workspace::new();
    let draw = |seed: &str, file: &str| {
        work.medsift(["train", "pairs", "--kind", "queries", "--limit", "12"])
            .args(["--seed", seed, "--output", file, "--quiet"])
            .arg(sample("medsift-sample.xml"))
            .run()
            .expect(0);
        lines(&work, file)
    };
    let first = draw("1", "a.jsonl");
    assert_eq!(first.len(), 12);
    assert_eq!(first, draw("1", "b.jsonl"));
    assert_ne!(first, draw("2", "c.jsonl"));
}

#[test]
fn what_cannot_be_made_is_told() {
    let work = Workspace::new();
    let pairs = |kind: &str| {
        work.medsift(["train", "pairs", "--output", "out.jsonl", "--kind", kind])
            .arg(sample("medsift-sample-2014.xml"))
            .run()
    };
    pairs("mesh").expect(2).says(&["--mesh"]);
    pairs("pears").expect(2).says(&["title-abstract"]);
    pairs("citations")
        .expect(1)
        .says(&["no example", "out.jsonl is not written"]);
    assert!(!work.join("out.jsonl").exists());
    let xml = fs::read_to_string(sample("medsift-sample.xml")).expect("the sample");
    work.write("broken.xml", xml.replacen("<PMID", "<PMID<", 1));
    work.run("train pairs broken.xml --kind title-abstract --output out.jsonl")
        .expect(0)
        .says(&["could not be read", "broken.xml, record 1"]);
}
