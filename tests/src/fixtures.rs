use std::env;
use std::path::{Path, PathBuf};

/// A file or folder under `tests/fixtures`.
///
/// # Panics
///
/// When it is not there.
pub fn fixture(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name);
    assert!(path.exists(), "no fixture {}", path.display());
    path
}

/// One of the sample's files.
pub fn sample(name: &str) -> PathBuf {
    fixture("sample").join(name)
}

/// A model with random weights that loads in no time: it finds nothing of
/// use, but the same things every time.
pub fn tiny_model() -> PathBuf {
    fixture("models").join("bert-mean")
}

/// The folder of real data (`MEDSIFT_DATA`, else `../shared/data` beside the
/// checkout). Where it is absent the test named here is reported as ignored.
///
/// # Panics
///
/// When it is absent in CI, where nothing may be left out.
pub fn real_data(test: &str) -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let path = env::var_os("MEDSIFT_DATA").map_or_else(default, PathBuf::from);
    if path.is_dir() {
        return Some(path);
    }
    let reason = format!("no real data at {} (MEDSIFT_DATA)", path.display());
    assert!(env::var("CI").as_deref() != Ok("true"), "{test}: {reason}");
    report_ignored(test, &reason);
    None
}

#[expect(
    clippy::print_stdout,
    reason = "the one place that reports a skipped test"
)]
fn report_ignored(test: &str, reason: &str) {
    println!("ignored {test}: {reason}");
}
