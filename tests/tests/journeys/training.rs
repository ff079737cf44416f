//! Training through the binary: from a configuration to a model that indexes,
//! with everything that may go wrong on the way.

use medsift_tests::{Running, Workspace, fixture, sample, tiny_model};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// A stage of each kind of data that a small run needs.
const STAGES: &str = r#"
[[stage]]
name = "triplets"
kind = "sentence"
steps = 6
batch = 4
learning_rate = 1e-3
log_steps = 2
objective = { kind = "triplet" }
data = [{ format = "triplets", files = ["{data}/triplets.tsv"] }]

[[stage]]
name = "sts"
kind = "sentence"
epochs = 2
batch = 4
objective = { kind = "cosine" }
data = [{ format = "sts", files = ["{data}/sts.tsv"], score_range = [0, 5] }]
evaluation.sets = [{ name = "sts", kind = "sts", files = ["{data}/sts.tsv"] }]
"#;

/// A folder with data and a configuration `c.toml` whose run lies in `runs`.
fn prepared(stages: &str) -> Workspace {
    let work = Workspace::new();
    let words = ["statins", "muscle", "pain", "therapy", "patients", "cells"];
    let mut triplets = "anchor\tpositive\tnegative\n".to_owned();
    let mut sts = "sentence1\tsentence2\tscore\n".to_owned();
    for n in 0..12 {
        let word = |shift: usize| words[(n * shift + n / 6) % 6];
        let (a, b, c) = (word(1), word(5), word(2));
        writeln!(triplets, "{a} and {b}\t{b}\t{c} or {n}").expect("a string grows");
        writeln!(sts, "{a} and {b}\t{c}\t{}", n % 6).expect("a string grows");
    }
    work.write("triplets.tsv", triplets);
    work.write("sts.tsv", sts);
    work.write("c.toml", configuration(stages));
    work
}

fn configuration(stages: &str) -> String {
    format!(
        "output = \"runs\"\ndata_dir = \"absent\"\n[base]\nmodel = {:?}\n{stages}",
        tiny_model()
    )
}

fn record(work: &Workspace) -> Value {
    let text = fs::read_to_string(work.join("runs/run.json")).expect("a record");
    serde_json::from_str(&text).expect("JSON")
}

fn metrics(work: &Workspace) -> Vec<Value> {
    let text = fs::read_to_string(work.join("runs/metrics.jsonl")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn a_model_is_trained_and_indexes() {
    let work = prepared(STAGES);
    work.run("train check c.toml --data .").expect(0).prints(&[
        "triplets",
        "12 examples",
        "6, 4 examples each",
        "sts: 12 examples",
        "memory",
    ]);
    assert!(!work.join("runs").exists(), "a check writes nothing");
    let plan = work
        .run("train check c.toml --data . --json")
        .expect(0)
        .json();
    assert_eq!(plan["stages"][1]["steps"], 6, "{plan:#}");
    let finished = work.run("train run c.toml --data .").expect(0);
    finished
        .says(&["stage triplets: 6 steps", "sts/spearman"])
        .prints(&["score/sts/spearman", "| sts |", "runs/model"]);
    let record = record(&work);
    assert_eq!(record["status"]["state"], "finished");
    assert_eq!(record["command"], "medsift train run c.toml --data .");
    assert_eq!(metrics(&work).last().expect("a line")["step"], 12);
    let plot = work
        .run("train plot runs --log --output mine.svg")
        .expect(0);
    assert_eq!(plot.stdout, "mine.svg\n");
    for file in ["mine.svg", "runs/plot.svg"] {
        let svg = fs::read_to_string(work.join(file)).expect("a plot");
        assert!(svg.starts_with("<svg"), "{svg}");
    }
    work.run("eval sts sts.tsv --model runs/model").expect(0);
    work.medsift(["index", "--model", "runs/model"])
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(0);
    let search = "search pain --mode semantic --json";
    let found = work.run(search).expect(0).json();
    assert_eq!(found["hits"].as_array().map(Vec::len), Some(10));
}

#[test]
fn flags_take_the_place_of_keys() {
    let work = prepared(STAGES);
    let json = work
        .run(
            "train run c.toml --data . --output other --threads 1 --json --quiet \
             --set stage.0.steps=2 --set stage.1.epochs=1 --set model.weights=f16",
        )
        .expect(0);
    assert_eq!(json.stderr, "");
    let record = json.json();
    assert_eq!(record["configuration"]["output"], "other");
    assert_eq!(record["configuration"]["stage"][0]["steps"], 2);
    assert_eq!(record["environment"]["threads"], 1);
    assert!(work.join("other/model/model.safetensors").is_file());
    let command = record["command"].as_str().expect("a command");
    assert!(command.contains("--set stage.0.steps=2"), "{command}");
    work.run("train run c.toml --data . --set stage.9.batch=1")
        .expect(2)
        .says(&["stage.9.batch=1", "list of 2"]);
}

#[test]
fn mistakes_are_told_before_anything_is_trained() {
    let work = prepared(STAGES);
    for (set, parts) in [
        ("stage.0.lerning_rate=1", &["c.toml", "lerning_rate"][..]),
        (
            "stage.0.learning_rate=7",
            &["stage 1", "triplets", "learning_rate"],
        ),
        (
            "stage.1.objective.kind=triplet",
            &["takes 3 text(s)", "sts.tsv"],
        ),
        ("stage.1.max_tokens=400", &["stage `sts`", "48 positions"]),
    ] {
        work.medsift(["train", "check", "c.toml", "--data", ".", "--set", set])
            .run()
            .expect(2)
            .says(parts);
    }
    let missing = work.run("train run c.toml").expect(2);
    missing.says(&["absent", "--data DIR"]);
    work.run("train run c.toml --data . --model no-such-model")
        .expect(1)
        .says(&["no-such-model", "minilm"]);
    // What failed before its first step may be run again as it is.
    work.run("train run c.toml --data . --quiet").expect(0);
    work.run("train run c.toml --data .")
        .expect(2)
        .says(&["--resume", "--overwrite"]);
    work.run("train run c.toml --data . --overwrite --quiet")
        .expect(0);
    work.run("train plot nowhere")
        .expect(1)
        .says(&["holds no run"]);
}

/// A run that lasts long enough to be interrupted.
fn long() -> Workspace {
    prepared(&STAGES.replace("steps = 6", "steps = 3000"))
}

/// Waits until some steps are recorded.
fn under_way(work: &Workspace, running: &Running) {
    let began = Instant::now();
    while metrics(work).len() < 3 {
        let waited = began.elapsed() < Duration::from_secs(120);
        assert!(waited, "no step is taken by {}", running.id());
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_first_press_saves_and_the_run_goes_on_later() {
    let work = long();
    let running = work
        .medsift(["train", "run", "c.toml", "--data", "."])
        .start();
    under_way(&work, &running);
    running.signal("INT");
    running.wait().expect(130).says(&[
        "saving a checkpoint",
        "medsift train run c.toml --data . --resume",
    ]);
    let stopped = record(&work);
    assert_eq!(stopped["status"]["state"], "stopped");
    let step = stopped["status"]["step"].as_u64().expect("a step");
    assert!(step > 0 && step < 3000, "{step}");
    work.run("train run c.toml --data . --resume --quiet")
        .expect(0);
    let finished = record(&work);
    assert_eq!(finished["status"]["state"], "finished");
    assert_eq!(finished["resumed_at"][0], step);
    let steps: Vec<u64> = metrics(&work)
        .iter()
        .filter(|line| line["stage"] == "triplets")
        .map(|line| line["step"].as_u64().expect("a step"))
        .collect();
    let every: Vec<u64> = (1..=1500).map(|line| line * 2).collect();
    assert_eq!(steps, every);
}

#[test]
fn a_second_press_ends_at_once() {
    let work = long();
    let running = work
        .medsift(["train", "run", "c.toml", "--data", "."])
        .start();
    under_way(&work, &running);
    running.signal("INT");
    running.signal("INT");
    running.wait().expect(130);
    assert_ne!(record(&work)["status"]["state"], "finished");
}

/// A checkpoint as BioBERT is published: cased, pickled, with the names of
/// 2019 (`tests/reference/make_biobert_fixture.py`).
#[test]
fn a_checkpoint_in_biobert_s_form_runs_every_stage() {
    let stages = STAGES
        .replace("steps = 6", "steps = 2")
        .replace("epochs = 2", "steps = 2");
    let work = prepared(&format!("[model]\npooling = \"mean\"\n{stages}"));
    let nli = "premise\thypothesis\tlabel\nStatins and pain.\tPain.\tentailment\n\
               Muscle.\tNo muscle.\tcontradiction\nCells.\tGenes.\tneutral\n";
    work.write("nli.tsv", nli);
    fs::copy(sample("medsift-sample.xml"), work.join("sample.xml")).expect("a copy");
    let mut text = fs::read_to_string(work.join("c.toml")).expect("a configuration");
    text.push_str(
        "[[stage]]\nname = \"text\"\nkind = \"mlm\"\nsteps = 2\nbatch = 3\n\
         objective = { kind = \"mlm\", relations = \"next_sentence\" }\n\
         data = [{ files = [\"{data}/sample.xml\"] }]\n\
         [[stage]]\nname = \"nli\"\nkind = \"sentence\"\nsteps = 2\nbatch = 3\n\
         objective = { kind = \"softmax\" }\n\
         data = [{ format = \"nli\", files = [\"{data}/nli.tsv\"] }]\n",
    );
    work.write("c.toml", text);
    let model = fixture("models/biobert-old");
    work.medsift([
        "train", "run", "c.toml", "--data", ".", "--quiet", "--model",
    ])
    .arg(&model)
    .run()
    .expect(0);
    let last = metrics(&work).pop().expect("a line");
    assert_eq!((&last["step"], &last["stage"]), (&8.into(), &"nli".into()));
    let vocabulary = |dir: std::path::PathBuf| fs::read(dir.join("vocab.txt")).expect("a list");
    assert_eq!(vocabulary(work.join("runs/model")), vocabulary(model));
    let seen = work.run("model inspect runs/model").expect(0);
    seen.prints(&["mean"]);
    work.medsift(["index", "--model", "runs/model"])
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(0);
}
