//! Pre-training on PubMed XML, and measuring masked tokens.

use medsift_tests::{Workspace, sample, tiny_model};

/// A small network from scratch, trained on the sample for a few steps.
fn trained() -> Workspace {
    let work = Workspace::new();
    let text = format!(
        r#"
output = "run"
[base]
scratch = {{ hidden = 16, layers = 1, heads = 2, intermediate = 32, positions = 48 }}
vocabulary = "{vocabulary}"
[[stage]]
name = "text"
kind = "mlm"
steps = 30
learning_rate = 5e-3
dropout = 0
objective = {{ kind = "mlm", relations = "next_sentence", whole_word = true }}
[[stage.data]]
files = ["{corpus}"]
[[stage.evaluation.sets]]
name = "older"
kind = "mlm"
files = ["{held_out}"]
"#,
        vocabulary = tiny_model().display(),
        corpus = sample("medsift-sample.xml").display(),
        held_out = sample("medsift-sample-2014.xml").display(),
    );
    work.write("mlm.toml", text);
    work
}

#[test]
fn a_model_learns_to_find_masked_tokens_of_pubmed_xml() {
    let work = trained();
    work.run("train check mlm.toml")
        .expect(0)
        .prints(&["medsift-sample.xml", "30"]);
    let record = work.run("train run mlm.toml --json").expect(0).json();
    assert_eq!(record["status"]["state"], "finished");
    let scores = record["scores"].as_array().expect("scores");
    let loss: Vec<f64> = scores
        .iter()
        .filter(|score| score["name"] == "score/older/loss")
        .map(|score| score["value"].as_f64().expect("a loss"))
        .collect();
    assert_eq!(loss.len(), 2);
    assert!(loss[1] < loss[0] - 0.3, "{loss:?}");

    let held_out = sample("medsift-sample-2014.xml");
    let eval = |more: &[&str]| {
        let command = work.medsift(["eval", "mlm"]).arg(&held_out);
        command.args(["--model", "run/model"]).args(more).run()
    };
    let report = eval(&["--whole-word", "--json"]).expect(0).json();
    let result = &report["results"][0];
    let measured = result["loss"].as_f64().expect("a loss");
    assert!((measured - loss[1]).abs() < 1e-5, "{measured} {loss:?}");
    let perplexity = result["perplexity"].as_f64().expect("a perplexity");
    assert!((perplexity.ln() - measured).abs() < 1e-9);
    assert!(result["relation_accuracy"].as_f64().is_some());
    eval(&["--sequences", "3"]).expect(0).prints(&[
        "perplexity",
        "relation",
        "medsift-sample-2014.xml",
    ]);
    eval(&["--max-tokens", "49"])
        .expect(2)
        .says(&["49", "48 positions"]);
}

#[test]
fn a_model_without_the_head_says_so() {
    let work = Workspace::new();
    work.write("held-out.txt", "Statins and muscle pain.\n");
    let command = work.medsift(["eval", "mlm", "held-out.txt", "--model"]);
    command
        .arg(tiny_model())
        .run()
        .expect(1)
        .says(&["lacks the head of masked tokens", "kind `mlm`"]);
}
