//! Labels of texts on the fixture model.

mod adapter;
mod pair;
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

/// Sentences in two folds, whose label depends on one of their words.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    let mut text = String::from("fold\tlabel\tsentence\n");
    for number in 0..36 {
        let (label, verb) = [("0", "after"), ("1", "in"), ("0", "and")][number % 3];
        let gene = ["receptors", "cytokines", "cells"][number / 3 % 3];
        let end = [
            "in patients",
            "of the treatment",
            "with weakness",
            "with statins",
        ][number / 9];
        let fold = 1 + number / 27;
        writeln!(text, "{fold}\t{label}\t{gene} {verb} muscle pain {end}").unwrap();
    }
    std::fs::write(dir.path().join("folds.tsv"), text).unwrap();
    dir
}

/// A configuration whose run lies in `dir/name`; `keys` are those of the stage.
fn config(dir: &Path, name: &str, keys: &str) -> TrainConfig {
    let text = format!(
        "output = {:?}\nthreads = 2\n[base]\nmodel = \"tiny\"\n\
         [[stage]]\nname = \"pairs\"\nkind = \"text\"\nbatch = 9\n{keys}\n",
        dir.join(name)
    );
    TrainConfig::parse(&text, Path::new("text.toml"))
        .unwrap()
        .with_data_dir(Some(dir.to_owned()))
}
