//! Tags of words on the fixture model.

mod adapter;
mod parity;
mod runs;

use crate::config::TrainConfig;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures")
        .join(name)
}

/// Two corpora: diseases alone, and genes alone, in sentences that hold both.
/// In each what the other labels is `O`.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    let diseases = ["muscle pain", "weakness", "tumour"];
    let genes = ["receptors", "TNF - α", "cytokines"];
    let (mut first, mut second) = (String::new(), String::new());
    for number in 0..24 {
        let (disease, gene) = (diseases[number % 3], genes[number / 3 % 3]);
        let frame = ["patients with", "and", "after treatment ."];
        let parts = if number % 2 == 0 {
            [disease, gene]
        } else {
            [gene, disease]
        };
        for (out, known, kind) in [
            (&mut first, disease, "Disease"),
            (&mut second, gene, "protein"),
        ] {
            for (text, words) in [frame[0], parts[0], frame[1], parts[1], frame[2]]
                .into_iter()
                .map(|text| (text, text.split(' ')))
            {
                for (place, word) in words.enumerate() {
                    let tag = match (text == known, place) {
                        (false, _) => "O".to_owned(),
                        (true, 0) => format!("B-{kind}"),
                        (true, _) => format!("I-{kind}"),
                    };
                    writeln!(out, "{word}\t{tag}").unwrap();
                }
            }
            out.push('\n');
        }
    }
    std::fs::write(dir.path().join("disease.tsv"), first).unwrap();
    std::fs::write(dir.path().join("gene.tsv"), second).unwrap();
    dir
}

/// A configuration whose run lies in `dir/name`; `keys` are those of the stage.
fn config(dir: &Path, name: &str, keys: &str) -> TrainConfig {
    let text = format!(
        "output = {:?}\nthreads = 2\n[base]\nmodel = \"tiny\"\n\
         [[stage]]\nname = \"ner\"\nkind = \"token\"\nbatch = 8\n{keys}\n",
        dir.join(name)
    );
    TrainConfig::parse(&text, Path::new("ner.toml"))
        .unwrap()
        .with_data_dir(Some(dir.to_owned()))
}
