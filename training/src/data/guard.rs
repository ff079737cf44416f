//! Sets that are for measuring only.
//!
//! Figures on NFCorpus and SciFact are zero-shot figures: nothing of these
//! sets may be trained on, by whatever name it comes.

use super::lines::hex;
use medsift::{Error, ErrorKind, Result};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Names of the sets, as folders and files carry them.
const NAMES: [&str; 2] = ["nfcorpus", "scifact"];

/// Their files as BEIR and its conversions carry them: length in bytes and
/// SHA-256.
const FILES: [(u64, &str); 7] = [
    (
        441_283,
        "2c5712058937e000194d72a248ab05181117425d59fb81d65af2d113961a937f",
    ),
    (
        1_977_140,
        "2d79c7e94d9376ec7f6cfce83bc0cb6930b2fd048b1f7663e5975f09c16faaf1",
    ),
    (
        6_197_936,
        "c96d7180d4a7ee0da6eb8f4002af733b6b2bb9f2ecedfb0864688b5406f592c5",
    ),
    (
        34_369,
        "f65be04bf480f2d7ed12bff7b2f6ecd0dd5676f8b0eca2a1a8ecef9c42e40be2",
    ),
    (
        128_973,
        "154a75771a103d599b0fdeda71cc75f7eef24a414de06967d72b5bbb07df8e8a",
    ),
    (
        2_777_991,
        "69e5a951b0c047b93ac970605d77e9469dbcb20bbeb56bbdb80d54b473c37df2",
    ),
    (
        8_291_164,
        "3c0f1e6c1deae10c0ce0ab4f5667143a92efd3828d41fe17d43b8cf6c539cdd9",
    ),
];

/// Refuses a file that belongs to a set for measuring, by its path, by where
/// the path leads, and by its content; and the test split of any set.
///
/// # Errors
/// Says which set it is and why it may not be trained on.
pub fn refuse_evaluation_set(path: &Path) -> Result<()> {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    for name in NAMES {
        if names(path, name) || names(&real, name) {
            return Err(refused(path, &format!("its path names {name}")));
        }
    }
    if is_test_split(path) {
        return Err(Error::invalid(
            "files",
            format!(
                "{} is a test split by its name; training on it would make every figure on it \
                 worthless. Name the train split instead",
                path.display()
            ),
        ));
    }
    if is_known_file(path)? {
        return Err(refused(
            path,
            "its content is that of a file of NFCorpus or SciFact",
        ));
    }
    Ok(())
}

/// Refuses a record whose id is one of NFCorpus (`MED-10`, `PLAIN-3`).
pub(crate) fn refuse_evaluation_id(id: &str) -> std::result::Result<(), String> {
    let number = id.strip_prefix("MED-").or(id.strip_prefix("PLAIN-"));
    match number {
        Some(number) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            Err(format!(
                "`{id}` is an id of NFCorpus, which is for measuring only: no text of it may \
                 enter training; remove the records of NFCorpus"
            ))
        }
        _ => Ok(()),
    }
}

fn refused(path: &Path, why: &str) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!(
            "{} may not be trained on: {why}, and NFCorpus and SciFact are for measuring only \
             (a figure on them is called zero-shot because the model saw nothing of them); take \
             the file out of the configuration",
            path.display()
        ),
    )
}

fn names(path: &Path, name: &str) -> bool {
    path.to_string_lossy().to_lowercase().contains(name)
}

/// Whether `test` is a word of the file's name.
fn is_test_split(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        name.to_string_lossy()
            .to_lowercase()
            .split(['.', '-', '_'])
            .any(|word| word == "test")
    })
}

/// Only a file of a known length is read for it.
fn is_known_file(path: &Path) -> Result<bool> {
    let Ok(found) = fs::metadata(path) else {
        return Ok(false);
    };
    if !found.is_file() || FILES.iter().all(|(length, _)| *length != found.len()) {
        return Ok(false);
    }
    let mut file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes).map_err(|error| Error::io("read", path, error))?;
    let digest = hex(&Sha256::digest(&bytes));
    Ok(FILES.iter().any(|(_, known)| *known == digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_the_sets_is_refused() {
        for path in ["data/nfcorpus/corpus.jsonl", "BEIR-SciFact.jsonl.gz"] {
            let error = refuse_evaluation_set(Path::new(path)).unwrap_err();
            assert!(error.to_string().contains("for measuring only"), "{error}");
        }
        assert!(refuse_evaluation_set(Path::new("data/scientific/facts.tsv")).is_ok());
    }

    #[test]
    fn a_link_to_the_sets_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("nfcorpus");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("corpus.jsonl"), "{}").unwrap();
        let link = dir.path().join("innocent.jsonl");
        std::os::unix::fs::symlink(folder.join("corpus.jsonl"), &link).unwrap();
        assert!(refuse_evaluation_set(&link).is_err());
    }

    #[test]
    fn a_test_split_is_refused() {
        for path in [
            "test.tsv",
            "sts2012.test.tsv.gz",
            "bioasq-factoid-test.jsonl",
        ] {
            let error = refuse_evaluation_set(Path::new(path)).unwrap_err();
            assert!(error.to_string().contains("test split"), "{error}");
        }
        assert!(refuse_evaluation_set(Path::new("latest.tsv")).is_ok());
    }

    #[test]
    fn ids_of_nfcorpus_are_refused() {
        assert!(refuse_evaluation_id("MED-10").is_err());
        assert!(refuse_evaluation_id("PLAIN-3").is_err());
        for id in ["MED-", "MED-x1", "10024335", "MEDLINE-5"] {
            assert!(refuse_evaluation_id(id).is_ok(), "{id}");
        }
    }
}
