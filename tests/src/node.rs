use crate::Workspace;
use std::env;
use std::path::Path;
use std::process::Command;

/// Names the folder in which `npm ci` put what `tests/browser/package.json` asks
/// for.
const MODULES: &str = "MEDSIFT_TEST_NODE_MODULES";

/// Runs a script below the repository's root with Node, in the folder of a
/// workspace; what it prints is shown as it comes. Gives whether it ended well.
///
/// # Panics
///
/// When its modules are nowhere, or Node cannot be started.
pub fn node(work: &Workspace, script: &str, args: &[&str]) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let beside = root.join("tests/browser");
    let modules = env::var_os(MODULES).map_or(beside, |named| root.join(named));
    assert!(
        modules.join("node_modules").is_dir(),
        "{} has no node_modules: copy tests/browser/package*.json into a folder, run `npm ci` \
         there, and name it in {MODULES}",
        modules.display()
    );
    let status = Command::new("node")
        .current_dir(work.path())
        .env("HOME", work.join("home"))
        .env(MODULES, &modules)
        .arg(root.join(script))
        .args(args)
        .status();
    status.expect("node starts").success()
}
