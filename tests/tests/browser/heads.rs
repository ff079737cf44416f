//! Heads for entities, answers and verdicts over the tiny model. They learn a
//! handful of made-up sentences by heart: enough to mark and answer something,
//! the same on every machine.

use medsift_tests::{Workspace, tiny_model};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Trains the three, each beside those before, and gives the model's folder.
pub(crate) fn trained(work: &Workspace) -> PathBuf {
    write_entities(work);
    write_answers(work);
    write_verdicts(work);
    for command in [
        "train run entities.toml --quiet",
        "train run answers.toml --model named/model --quiet",
        "train run verdict.toml --model asked/model --quiet",
    ] {
        let _ = work.run(command).expect(0);
    }
    let model = work.join("judged/model");
    answer_always(&model.join("heads/answers/config.json"));
    model
}

/// Lowers the threshold of a head for answers, so that every article has one.
fn answer_always(path: &std::path::Path) {
    let text = fs::read_to_string(path).expect("the head is there");
    let mut config: Value = serde_json::from_str(&text).expect("JSON");
    config["threshold"] = (-1e6).into();
    fs::write(path, config.to_string()).expect("it can be written");
}

fn stage(output: &str, steps: usize, rest: &str) -> String {
    format!(
        "output = {output:?}\n[base]\nmodel = {:?}\n[[stage]]\nname = {output:?}\nsteps = {steps}\n\
         batch = 8\nlearning_rate = 1e-2\ndropout = 0.0\nmax_tokens = 48\n\
         adapter = {{ rank = 4 }}\n{rest}",
        tiny_model()
    )
}

fn write_entities(work: &Workspace) {
    let mut corpus = String::new();
    let diseases = ["muscle pain", "weakness", "asthma", "malaria", "insomnia"];
    let chemicals = ["statins", "metformin", "placebo", "simvastatin"];
    for number in 0..20 {
        let disease = diseases[number % diseases.len()].split(' ');
        let chemical = chemicals[number % chemicals.len()];
        for (place, word) in disease.enumerate() {
            let tag = if place == 0 { "B-Disease" } else { "I-Disease" };
            writeln!(corpus, "{word}\t{tag}").expect("a string grows");
        }
        for word in ["in", "adults", "taking"] {
            writeln!(corpus, "{word}\tO").expect("a string grows");
        }
        writeln!(corpus, "{chemical}\tB-Chemical\n.\tO\n").expect("a string grows");
    }
    work.write("corpus.tsv", corpus);
    let rest = "kind = \"token\"\n\
                objective = { types = [\"Disease\", \"Chemical\"], name = \"entities\" }\n\
                data = [{ files = [\"corpus.tsv\"] }]\n";
    work.write("entities.toml", stage("named", 60, rest));
}

fn write_answers(work: &Workspace) {
    let effects = ["muscle pain", "weakness", "fever"];
    let articles: Vec<Value> = (0..18)
        .map(|number| {
            let effect = effects[number % 3];
            let passage = format!("In {number} patients statins caused {effect}.");
            let start = passage.find(effect).expect("it is there");
            json!({"title": format!("T{number}"), "paragraphs": [{"context": passage, "qas": [{
                "id": format!("q{number}"), "question": "What did statins cause?",
                "answers": [{"text": effect, "answer_start": start}], "is_impossible": false}]}]})
        })
        .collect();
    let file = json!({"version": "v2.0", "data": articles});
    work.write("questions.json", file.to_string());
    let rest = "kind = \"span\"\nobjective = { max_question = 12, max_answer = 6 }\n\
                data = [{ files = [\"questions.json\"] }]\n";
    work.write("answers.toml", stage("asked", 30, rest));
}

fn write_verdicts(work: &Workspace) {
    let records: serde_json::Map<String, Value> = (0..18)
        .map(|number| {
            let (label, word) = [("yes", "caused"), ("no", "never")][number % 2];
            let text = format!("In {number} patients they {word} pain.");
            let record = json!({"QUESTION": "Do statins cause pain?", "CONTEXTS": [text],
                                "final_decision": label});
            (number.to_string(), record)
        })
        .collect();
    work.write("abstracts.json", Value::Object(records).to_string());
    let rest = "kind = \"text\"\nobjective = { labels = [\"yes\", \"no\"], name = \"verdict\", \
                text_pair = true }\ndata = [{ files = [\"abstracts.json\"], text = \"QUESTION\", \
                text_pair = \"CONTEXTS\", label = \"final_decision\" }]\n";
    work.write("verdict.toml", stage("judged", 30, rest));
}
