//! From text to token numbers.

mod located;
mod pair;

pub use located::{Frame, Piece};
pub use pair::{PairFrame, PairIds};

use super::directory::ModelDirectory;
use super::files::{missing, optional_json, unsupported};
use crate::{Error, ErrorKind, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{AddedToken, Encoding, Model, PostProcessor, TruncationDirection};

/// A model's tokenizer. Padding and cutting are left to its user.
#[derive(Debug)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    /// Special tokens around a text.
    special: usize,
    lower_case: bool,
}

/// `tokenizer_config.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Config {
    do_lower_case: Option<bool>,
    strip_accents: Option<bool>,
    tokenize_chinese_chars: Option<bool>,
    // Above 10^30 where the author set no limit.
    model_max_length: Option<f64>,
}

/// The files that a directory's tokenizer is read from.
pub fn tokenizer_files(dir: &Path) -> Vec<PathBuf> {
    let whole = dir.join("tokenizer.json");
    let names = if whole.exists() {
        vec![whole]
    } else {
        vec![dir.join("vocab.txt"), dir.join("tokenizer_config.json")]
    };
    names.into_iter().filter(|path| path.exists()).collect()
}

/// `model_max_length`, where it is a real limit.
///
/// # Errors
/// When `tokenizer_config.json` is damaged.
pub fn declared_limit(dir: &Path) -> Result<Option<usize>> {
    let config: Config = optional_json(&dir.join("tokenizer_config.json"))?.unwrap_or_default();
    Ok(config
        .model_max_length
        .filter(|limit| (1.0..1e9).contains(limit))
        .map(|limit| limit as usize))
}

impl Tokenizer {
    /// Reads `tokenizer.json`, or else `vocab.txt` as a BERT vocabulary.
    ///
    /// # Errors
    /// When neither is there, is damaged, or knows more words than the
    /// network has rows for.
    pub fn read(directory: &ModelDirectory, vocabulary: usize) -> Result<Self> {
        let dir = &directory.transformer;
        let (path, mut inner) = if dir.join("tokenizer.json").exists() {
            let path = dir.join("tokenizer.json");
            let bytes = std::fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
            let inner = tokenizers::Tokenizer::from_bytes(bytes)
                .map_err(|error| Error::corrupt(&path, error))?;
            (path, inner)
        } else if dir.join("vocab.txt").exists() {
            let path = dir.join("vocab.txt");
            let inner = word_piece(dir, &path)?;
            (path, inner)
        } else if dir.join("sentencepiece.bpe.model").exists() || dir.join("merges.txt").exists() {
            return Err(unsupported(
                dir,
                "the tokenizer is only there in its old form; load it with \
                 `AutoTokenizer.from_pretrained` of transformers and save it with \
                 `save_pretrained` to get a tokenizer.json",
            ));
        } else {
            return Err(missing(&dir.join("tokenizer.json")));
        };
        let largest = inner.get_vocab(true).into_values().max().unwrap_or(0) as usize;
        if largest >= vocabulary {
            return Err(unsupported(
                &path,
                format!(
                    "the vocabulary goes up to number {largest}, but the network has \
                     embeddings for {vocabulary} words; tokenizer and weights are of \
                     different models"
                ),
            ));
        }
        inner.with_padding(None);
        inner
            .with_truncation(None)
            .map_err(|error| Error::corrupt(&path, error))?;
        Ok(Self {
            special: inner
                .get_post_processor()
                .map_or(0, |processor| processor.added_tokens(false)),
            inner,
            lower_case: directory.lower_case,
        })
    }

    /// The tokenizer itself, without padding and cutting.
    pub fn inner(&self) -> &tokenizers::Tokenizer {
        &self.inner
    }

    /// Special tokens around every text.
    pub fn special_tokens(&self) -> usize {
        self.special
    }

    /// Numbers of a text's tokens, special ones included; at most
    /// `max_tokens` of them.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn encode(&self, text: &str, max_tokens: usize) -> Result<Vec<u32>> {
        let mut encoding = self.pieces(text, false)?;
        let room = max_tokens.saturating_sub(self.special);
        encoding.truncate(room, 0, TruncationDirection::Right);
        self.inner
            .post_process(encoding, None, true)
            .map(|encoding| encoding.get_ids().to_vec())
            .map_err(|error| failed(text, error))
    }

    /// Tokens of a text, special ones not counted.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn count(&self, text: &str) -> Result<usize> {
        Ok(self.pieces(text, false)?.len())
    }

    /// Byte at which each token of a text begins, in the text as given.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn starts(&self, text: &str) -> Result<Vec<usize>> {
        let encoding = self.pieces(text, true)?;
        Ok(encoding.get_offsets().iter().map(|span| span.0).collect())
    }

    fn pieces(&self, text: &str, offsets: bool) -> Result<Encoding> {
        // sentence-transformers strips a text, and lower-cases it on request.
        let lower;
        let mut given = text;
        if self.lower_case {
            lower = text.to_lowercase();
            given = &lower;
        }
        let encoding = if offsets {
            self.inner.encode(given, false)
        } else {
            self.inner.encode_fast(given.trim(), false)
        };
        encoding.map_err(|error| failed(text, error))
    }
}

fn failed(text: &str, error: tokenizers::Error) -> Error {
    let start: String = text.chars().take(60).collect();
    Error::new(
        ErrorKind::Internal,
        format!("the tokenizer failed at the text beginning `{start}`: {error}"),
    )
}

/// BERT's tokenizer from the list of its words.
fn word_piece(dir: &Path, path: &Path) -> Result<tokenizers::Tokenizer> {
    let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, error))?;
    let model = WordPiece::read_bytes(&bytes)
        .and_then(|words| WordPiece::builder().vocab(words).build())
        .map_err(|error| Error::corrupt(path, error))?;
    let special = |name: &str| {
        model
            .token_to_id(name)
            .map(|number| (name.to_owned(), number))
            .ok_or_else(|| unsupported(path, format!("the vocabulary lacks `{name}`")))
    };
    let (separator, class) = (special("[SEP]")?, special("[CLS]")?);
    special("[UNK]")?;
    let config: Config = optional_json(&dir.join("tokenizer_config.json"))?.unwrap_or_default();
    let mut inner = tokenizers::Tokenizer::new(model);
    inner
        .with_normalizer(Some(BertNormalizer::new(
            true,
            config.tokenize_chinese_chars.unwrap_or(true),
            config.strip_accents,
            config.do_lower_case.unwrap_or(true),
        )))
        .map_err(|error| Error::corrupt(path, error))?
        .with_pre_tokenizer(Some(BertPreTokenizer))
        .with_post_processor(Some(BertProcessing::new(separator, class)));
    let tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        .into_iter()
        .filter(|token| inner.token_to_id(token).is_some())
        .map(|token| AddedToken::from(token, true))
        .collect::<Vec<_>>();
    inner
        .add_special_tokens(tokens)
        .map_err(|error| Error::corrupt(path, error))?;
    Ok(inner)
}
