//! SHA-256, in lower-case hexadecimal.

use crate::error::{Error, Result};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 18;

/// A digest under construction.
#[derive(Debug, Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds some bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// Adds everything that a reader gives, and says how many bytes that was.
    ///
    /// # Errors
    /// What the reader reports, but for interruptions.
    pub fn update_from(&mut self, mut reader: impl Read) -> io::Result<u64> {
        let mut chunk = vec![0; CHUNK];
        let mut bytes = 0;
        loop {
            match reader.read(&mut chunk) {
                Ok(0) => return Ok(bytes),
                Ok(count) => {
                    self.update(&chunk[..count]);
                    bytes += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The digest of everything that was added.
    pub fn finish(self) -> String {
        use std::fmt::Write;
        let sum = self.0.finalize();
        let mut text = String::with_capacity(2 * sum.len());
        for byte in &sum {
            // A string takes whatever is written.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

/// The digest of some bytes.
pub fn sha256(bytes: &[u8]) -> String {
    let mut digest = Digest::default();
    digest.update(bytes);
    digest.finish()
}

/// The digest of a file.
///
/// # Errors
/// When the file cannot be read, by its name.
pub fn of_file(path: &Path) -> Result<String> {
    let mut digest = Digest::default();
    File::open(path)
        .and_then(|file| digest.update_from(file))
        .map_err(|error| Error::io("read", path, error))?;
    Ok(digest.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Test vector of FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn digests_equal_the_standard() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(of_file(&path).unwrap(), ABC);
        assert_eq!(sha256(b"abc"), ABC);
        let mut parts = Digest::default();
        parts.update("a");
        assert_eq!(parts.update_from(&b"bc"[..]).unwrap(), 2);
        assert_eq!(parts.finish(), ABC);
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = of_file(Path::new("no-such-file")).unwrap_err();
        assert!(error.to_string().contains("no-such-file"), "{error}");
    }
}
