//! Answers in passages, on the fixture model.

mod parity;
mod runs;

use crate::config::TrainConfig;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures")
        .join(name)
}

/// Passages in which the word that the question names is followed by the answer,
/// in three of four; in the others it is not there.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    let causes = ["statins", "cytokines", "receptors", "treatment"];
    let effects = ["muscle pain", "weakness", "TNF-α", "cells"];
    let mut articles = Vec::new();
    for number in 0..48 {
        let (cause, effect) = (causes[number % 4], effects[(number / 4 + number) % 4]);
        let other = causes[(number + 1) % 4];
        let passage = format!("in patients {other} and the {cause} in {effect} after {other}");
        let known = number % 4 != 3;
        let asked = if known { cause } else { "IL-2" };
        let start = passage
            .find(effect)
            .map(|byte| passage[..byte].chars().count());
        let answers = match known {
            true => format!(
                r#"[{{"text":"{effect}","answer_start":{}}}]"#,
                start.unwrap()
            ),
            false => "[]".to_owned(),
        };
        articles.push(format!(
            r#"{{"title":"T{number}","paragraphs":[{{"context":"{passage}","qas":[
            {{"id":"q{number}","question":"{asked}","answers":{answers},
            "is_impossible":{}}}]}}]}}"#,
            !known
        ));
    }
    let text = format!(r#"{{"version":"v2.0","data":[{}]}}"#, articles.join(","));
    std::fs::write(dir.path().join("questions.json"), text).unwrap();
    dir
}

/// A configuration whose run lies in `dir/name`; `keys` are those of the stage.
fn config(dir: &Path, name: &str, keys: &str) -> TrainConfig {
    let text = format!(
        "output = {:?}\nthreads = 2\n[base]\nmodel = \"tiny\"\n\
         [[stage]]\nname = \"answers\"\nkind = \"span\"\nbatch = 8\nmax_tokens = 48\n{keys}\n",
        dir.join(name)
    );
    TrainConfig::parse(&text, Path::new("answers.toml"))
        .unwrap()
        .with_data_dir(Some(dir.to_owned()))
}
