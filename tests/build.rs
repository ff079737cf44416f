//! Tells the real-data tests whether their data is here, so that they report
//! themselves as ignored, with the reason, where it is not.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_real_data)");
    println!("cargo::rustc-check-cfg=cfg(no_minilm)");
    println!("cargo::rerun-if-env-changed=MEDSIFT_DATA");
    println!("cargo::rerun-if-env-changed=MEDSIFT_MINILM");
    println!("cargo::rerun-if-env-changed=CI");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let data =
        env::var_os("MEDSIFT_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    require(&data, "no_real_data");
    let minilm = env::var_os("MEDSIFT_MINILM")
        .map(PathBuf::from)
        .unwrap_or_default();
    require(&minilm.join("model.safetensors"), "no_minilm");
}

/// An absent folder sets a flag; not in continuous integration, where nothing
/// may be left out: there the tests run and fail.
fn require(path: &Path, flag: &str) {
    println!("cargo::rerun-if-changed={}", path.display());
    let ci = env::var_os("CI").is_some_and(|value| value == "true");
    if !path.exists() && !ci {
        println!("cargo::rustc-cfg={flag}");
    }
}
