//! The checkout as a newcomer finds it.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// `cargo run` of the README names no binary: a second one would hide ours.
#[test]
fn cargo_run_finds_the_one_binary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    let binaries: Vec<&str> = packages
        .iter()
        .flat_map(|package| package["targets"].as_array().expect("a list"))
        .filter(|target| target["kind"][0] == "bin")
        .filter_map(|target| target["name"].as_str())
        .collect();
    assert_eq!(binaries, ["medsift"]);
}
