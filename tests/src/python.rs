use crate::{Finished, Workspace};
use std::env;
use std::path::Path;
use std::process::Command;

/// Names the interpreter that has what `tests/clients/requirements.txt` lists.
const VARIABLE: &str = "MEDSIFT_TEST_PYTHON";

/// Runs a script below the repository's root with the Python that has the
/// clients, in the folder of a workspace.
///
/// # Panics
///
/// When no such Python is named.
pub fn python(work: &Workspace, script: &str, args: &[&str]) -> Finished {
    let interpreter = env::var_os(VARIABLE).unwrap_or_else(|| {
        panic!(
            "{VARIABLE} names no Python: python3 -m venv FOLDER, \
             FOLDER/bin/pip install -r tests/clients/requirements.txt, {VARIABLE}=FOLDER/bin/python"
        )
    });
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Command::new(interpreter)
        .current_dir(work.path())
        .env("HOME", work.join("home"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(root.join(script))
        .args(args)
        .output()
        .expect("python starts")
        .into()
}
