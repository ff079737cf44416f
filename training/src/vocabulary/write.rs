//! A tokenizer as files.

use super::refused;
use crate::files::{write_file, write_json};
use medsift::{Error, ErrorKind, Result};
use serde_json::json;
use std::path::Path;
use tokenizers::{NormalizerWrapper, Tokenizer};

/// Writes `tokenizer.json`, `vocab.txt` (a piece on each line in the order of
/// the numbers) and `tokenizer_config.json` into a folder that is there.
///
/// # Errors
/// When the numbers of the pieces have gaps, or writing fails.
pub fn write_tokenizer(
    tokenizer: &Tokenizer,
    cased: bool,
    max_tokens: usize,
    dir: &Path,
) -> Result<()> {
    let mut pieces: Vec<(u32, String)> = tokenizer
        .get_vocab(true)
        .into_iter()
        .map(|(piece, number)| (number, piece))
        .collect();
    pieces.sort_unstable();
    if let Some(place) = (0..pieces.len()).find(|&place| pieces[place].0 as usize != place) {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("the vocabulary has no piece with the number {place}; it cannot be a list"),
        ));
    }
    let mut list = String::new();
    for (_, piece) in &pieces {
        list.push_str(piece);
        list.push('\n');
    }
    let whole = tokenizer
        .to_string(true)
        .map_err(|error| refused("cannot describe the tokenizer", &error))?;
    write_file(&dir.join("tokenizer.json"), whole.as_bytes())?;
    write_file(&dir.join("vocab.txt"), list.as_bytes())?;
    let settings = json!({
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": !cased,
        "tokenize_chinese_chars": true,
        "strip_accents": null,
        "model_max_length": max_tokens,
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    });
    write_json(&dir.join("tokenizer_config.json"), &settings)
}

/// Whether a tokenizer keeps capitals.
pub fn is_cased(tokenizer: &Tokenizer) -> bool {
    match tokenizer.get_normalizer() {
        Some(NormalizerWrapper::BertNormalizer(bert)) => !bert.lowercase,
        _ => true,
    }
}
