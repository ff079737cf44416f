//! Whether files are what their pins say.

use super::registry::{KnownModel, PinnedFile};
use crate::error::Result;
use medsift::digest::of_file;
use std::path::Path;

/// Refuses a file with another content.
pub(super) fn check(dir: &Path, file: &PinnedFile) -> Result<()> {
    let path = dir.join(file.path);
    let found = of_file(&path)?;
    if found == file.sha256 {
        return Ok(());
    }
    Err(medsift::Error::corrupt(
        &path,
        format!("its SHA-256 is {found}, expected {}", file.sha256),
    )
    .into())
}

/// Whether every file is there with its length. Contents were checked when
/// the model was installed, and an index compares the model's fingerprint.
pub(super) fn is_complete(dir: &Path, known: &KnownModel) -> bool {
    known.files.iter().all(|file| {
        dir.join(file.path)
            .metadata()
            .is_ok_and(|found| found.is_file() && found.len() == file.bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    // Test vector of FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn another_content_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("f"), "abd").unwrap();
        let pin = PinnedFile {
            path: "f",
            bytes: 3,
            sha256: ABC,
        };
        let message = check(dir.path(), &pin).unwrap_err().report().unwrap();
        assert!(message.contains("SHA-256"), "{message}");
        fs::write(dir.path().join("f"), "abc").unwrap();
        check(dir.path(), &pin).unwrap();
    }
}
