//! What makes two encoders the same.

use super::directory::ModelDirectory;
use super::pooling::Pooling;
use super::tokenizer::tokenizer_files;
use super::weights::find_checkpoint;
use crate::digest::{Digest, sha256};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// Everything that decides which vector a text gets. Vectors may be compared
/// when their fingerprints are equal.
///
/// The name is for people: two fingerprints that differ in nothing else are
/// equal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ModelFingerprint {
    /// Name of the model directory.
    pub name: String,
    /// SHA-256, in hexadecimal, over weights, tokenizer and `config.json`.
    pub sha256: String,
    /// Numbers in a vector.
    pub dimension: usize,
    /// How states become a vector.
    pub pooling: Pooling,
    /// SHA-256, in hexadecimal, over the linear layers behind the pooling;
    /// nothing where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dense: Option<String>,
    /// Whether vectors have length 1.
    pub normalise: bool,
    /// Tokens at which a text is cut, special ones included.
    pub max_tokens: usize,
    /// What stands before every query.
    pub query_prompt: String,
    /// What stands before every passage.
    pub passage_prompt: String,
}

impl PartialEq for ModelFingerprint {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            name: _,
            sha256,
            dimension,
            pooling,
            dense,
            normalise,
            max_tokens,
            query_prompt,
            passage_prompt,
        } = self;
        *sha256 == other.sha256
            && *dimension == other.dimension
            && *pooling == other.pooling
            && *dense == other.dense
            && *normalise == other.normalise
            && *max_tokens == other.max_tokens
            && *query_prompt == other.query_prompt
            && *passage_prompt == other.passage_prompt
    }
}

impl Eq for ModelFingerprint {}

impl ModelFingerprint {
    /// SHA-256, in hexadecimal, over everything that lies in the model
    /// directory and decides which vector a text gets: that of the states,
    /// and where linear layers stand behind the pooling, theirs with it.
    pub fn vectors_sha256(&self) -> String {
        match &self.dense {
            None => self.sha256.clone(),
            Some(dense) => sha256(format!("{}{dense}", self.sha256).as_bytes()),
        }
    }
}

impl fmt::Display for ModelFingerprint {
    /// `minilm (384, mean, 256 tokens, 53aa51172d14)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = self.sha256.get(..12).unwrap_or(&self.sha256);
        write!(
            f,
            "{} ({}, {}, {} tokens, {short})",
            self.name, self.dimension, self.pooling, self.max_tokens
        )
    }
}

/// SHA-256, in hexadecimal, over weights, tokenizer and `config.json` of a
/// model directory, as [`ModelFingerprint::sha256`] has it: what decides which
/// states a token gets.
///
/// # Errors
/// When the directory is no model, or a file cannot be read.
pub fn model_sha256(dir: &Path) -> Result<String> {
    let directory = ModelDirectory::read(dir)?;
    let checkpoint = find_checkpoint(&directory.transformer)?;
    let config = directory.transformer.join("config.json");
    let tokenizer = tokenizer_files(&directory.transformer);
    let files = [checkpoint.as_path(), config.as_path()]
        .into_iter()
        .chain(tokenizer.iter().map(|path| path.as_path()));
    digest(files)
}

/// SHA-256 over several files, each behind its name and length.
fn digest<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<String> {
    let mut sum = Digest::default();
    for path in files {
        let failed = |error| Error::io("read", path, error);
        let file = std::fs::File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        sum.update(format!("{name}\0{length}\0"));
        sum.update_from(file).map_err(failed)?;
    }
    Ok(sum.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ModelFingerprint {
        ModelFingerprint {
            name: "minilm".into(),
            sha256: "53aa51172d142c89".into(),
            dimension: 384,
            pooling: Pooling::Mean,
            dense: None,
            normalise: true,
            max_tokens: 256,
            query_prompt: String::new(),
            passage_prompt: String::new(),
        }
    }

    #[test]
    fn equal_but_for_the_name() {
        let mut other = sample();
        other.name = "elsewhere".into();
        assert_eq!(sample(), other);
        other.query_prompt = "query: ".into();
        assert_ne!(sample(), other);
        assert_eq!(
            sample().to_string(),
            "minilm (384, mean, 256 tokens, 53aa51172d14)"
        );
    }

    #[test]
    fn digest_sees_content_and_borders() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        let sum = |first: &str, second: &str| {
            std::fs::write(&a, first).unwrap();
            std::fs::write(&b, second).unwrap();
            digest([a.as_path(), b.as_path()]).unwrap()
        };
        let one = sum("xy", "z");
        assert_eq!(one.len(), 64);
        assert_eq!(one, sum("xy", "z"));
        assert_ne!(one, sum("x", "yz"));
    }
}
