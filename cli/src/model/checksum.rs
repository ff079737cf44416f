//! Whether files are what their pins say.

use super::registry::{KnownModel, PinnedFile};
use crate::error::Result;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// SHA-256 of a file in lower-case hexadecimal.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let failed = |error: io::Error| medsift::Error::io("read", path, error);
    let mut file = File::open(path).map_err(failed)?;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error).into()),
        }
    }
    Ok(hexadecimal(&hasher.finalize()))
}

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

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    // Test vector of FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn digests_equal_the_standard() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("f"), "abc").unwrap();
        assert_eq!(of_file(&dir.path().join("f")).unwrap(), ABC);
    }

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
