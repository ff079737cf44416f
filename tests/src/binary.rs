use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Names a `medsift` that is built already.
const VARIABLE: &str = "MEDSIFT_TEST_BINARY";

/// The `medsift` binary of this checkout, built once per test process with the
/// profile of the tests. Cargo does nothing when it is current.
///
/// # Panics
///
/// When it cannot be built: no journey could be made.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| match env::var_os(VARIABLE) {
        Some(path) => PathBuf::from(path),
        None => build(),
    })
}

fn build() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(root)
        // A test target among those that are built makes cargo choose the
        // features of dependencies as `cargo test` does, so that nothing is
        // compiled a second time.
        .args(["build", "--bin", "medsift", "--test", "journeys"])
        .args(["--message-format", "json"])
        .stderr(Stdio::inherit());
    if cfg!(feature = "clients") {
        // Some of the clients need what is built on demand alone.
        command.args(["--features", "medsift-cli/otel"]);
    }
    // What cargo tells this test of its package would look to build scripts
    // like a change, and some would run again, with all that is built on theirs.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_")
            || name.starts_with("CARGO_MANIFEST_")
            || name == "OUT_DIR"
        {
            command.env_remove(name);
        }
    }
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "medsift does not build");
    String::from_utf8(output.stdout)
        .expect("cargo writes UTF-8")
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "medsift")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo names the executable")
}
