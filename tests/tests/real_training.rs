//! Training of all-MiniLM-L6-v2 on real data, through the binary: the files of
//! `config/train` fit the data that they name, and what a short training writes
//! is what it measured.

use medsift_tests::{Medsift, Workspace, real_data};
use std::path::{Path, PathBuf};

fn minilm() -> PathBuf {
    PathBuf::from(std::env::var_os("MEDSIFT_MINILM").expect("MEDSIFT_MINILM"))
}

/// `medsift train VERB` on a file of `config/train`, starting from MiniLM.
fn train(work: &Workspace, verb: &str, file: &str, data: &Path) -> Medsift {
    let config = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../config/train")
        .join(file);
    work.medsift(["train", verb, "--json", "--model"])
        .arg(minilm())
        .arg("--data")
        .arg(data)
        .arg(config)
}

#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn configurations_fit_the_data_at_hand() {
    let Some(data) = real_data("configurations_fit_the_data_at_hand") else {
        return;
    };
    let work = Workspace::new();
    for (file, least) in [
        ("mini.toml", 7_000),
        ("sbert-nli.toml", 60_000),
        ("sbert-sts.toml", 5_000),
        ("answers.toml", 10_000),
        ("verdict.toml", 400),
    ] {
        let plan = train(&work, "check", file, &data).run().expect(0).json();
        let stage = &plan["stages"][0];
        let examples = stage["examples"].as_u64().expect("examples");
        assert!(examples > least, "{file}: {plan:#}");
        let batch = stage["batch"].as_u64().expect("a batch");
        let steps = stage["steps"].as_u64().expect("steps");
        assert!(steps >= examples / batch, "{file}: {plan:#}");
    }
}

/// A quarter of a pass of regression on the STS Benchmark. What is written is
/// the best state, and the encoder that opens it finds what the trainer found.
#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn the_model_of_a_short_regression_scores_as_its_record_says() {
    let Some(data) = real_data("the_model_of_a_short_regression_scores_as_its_record_says") else {
        return;
    };
    let work = Workspace::new();
    let finished = train(&work, "run", "sbert-sts.toml", &data)
        .args(["--output", "run", "--set", "stage.0.batch=32"])
        .args(["--set", "stage.0.objective.target=unit"])
        .args(["--set", "stage.0.epochs=0.25", "--quiet"])
        .run()
        .expect(0);
    let record = finished.json();
    let scores: Vec<f64> = record["scores"]
        .as_array()
        .expect("scores")
        .iter()
        .filter(|score| score["name"] == "score/stsb-dev/spearman")
        .map(|score| score["value"].as_f64().expect("a number"))
        .collect();
    let (first, last) = (scores[0], scores[scores.len() - 1]);
    // Measured with MiniLM itself: 0.8672.
    assert!((first - 0.8672).abs() < 0.002, "{scores:?}");
    // Measured: 0.8782.
    assert!(last > first + 0.005, "{scores:?}");
    let report = work
        .medsift(["eval", "sts", "--json", "--model", "run/model"])
        .arg(data.join("sts/stsb/dev.tsv"))
        .run()
        .expect(0)
        .json();
    let again = report["results"][0]["spearman"].as_f64().expect("a number");
    assert!((again - last).abs() < 0.002, "{again} {scores:?}");
}
