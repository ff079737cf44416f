//! From one vocabulary to another.

use super::refused;
use crate::files::internal;
use crate::model::safetensors::numbers;
use candle_core::{DType, Tensor};
use medsift::{Error, ErrorKind, Result};
use serde::Serialize;
use std::fmt;
use tokenizers::{Model, ModelWrapper, NormalizedString, Normalizer, Tokenizer};

/// What a piece begins with when it is not at the start of a word.
const CONTINUATION: &str = "##";

/// Which rows of an old table a new table begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// For each new piece the old ones that it begins from.
    sources: Vec<Vec<u32>>,
    old: usize,
    report: TransferReport,
}

/// How much of the new vocabulary the old one knew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct TransferReport {
    /// Pieces of the new vocabulary.
    pub pieces: usize,
    /// Of these, pieces that the old vocabulary has too.
    pub identical: usize,
    /// Pieces put together from several or other old pieces.
    pub composed: usize,
    /// Pieces with characters that the old vocabulary does not have; they
    /// begin as `[UNK]`.
    pub unknown: usize,
}

impl TransferReport {
    /// Share of identical pieces, 0 to 1.
    pub fn share_identical(&self) -> f64 {
        self.identical as f64 / self.pieces.max(1) as f64
    }
}

impl fmt::Display for TransferReport {
    /// `30522 pieces: 15018 identical (49.2 %), 15500 composed, 4 unknown`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} pieces: {} identical ({:.1} %), {} composed, {} unknown",
            self.pieces,
            self.identical,
            100.0 * self.share_identical(),
            self.composed,
            self.unknown
        )
    }
}

impl Transfer {
    /// Plans the way from one WordPiece vocabulary to another.
    ///
    /// A piece that both have, special tokens among them, keeps its row. Any
    /// other begins as the mean of the old pieces that its text falls into. A
    /// continuation (`##ose`) is cut as a continuation, since the rows of
    /// `o` and `##o` mean different things; where the old vocabulary cannot,
    /// it is cut as a word. When the old vocabulary is lower-cased, so is the
    /// text before it is cut.
    ///
    /// # Errors
    /// When one of the vocabularies is not WordPiece, or has gaps in its
    /// numbers.
    pub fn plan(old: &Tokenizer, new: &Tokenizer) -> Result<Self> {
        let cutter = Cutter::new(old)?;
        word_piece(new, "new")?;
        let mut pieces: Vec<(u32, String)> = new
            .get_vocab(true)
            .into_iter()
            .map(|(piece, number)| (number, piece))
            .collect();
        pieces.sort_unstable();
        let mut transfer = Self {
            sources: Vec::with_capacity(pieces.len()),
            old: rows(old),
            report: TransferReport {
                pieces: pieces.len(),
                ..TransferReport::default()
            },
        };
        for (place, (number, piece)) in pieces.into_iter().enumerate() {
            if number as usize != place {
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    format!("the new vocabulary has no piece with the number {place}"),
                ));
            }
            transfer.add(&cutter, &piece)?;
        }
        Ok(transfer)
    }

    fn add(&mut self, cutter: &Cutter<'_>, piece: &str) -> Result<()> {
        let (sources, count) = if let Some(number) = cutter.old.token_to_id(piece) {
            (vec![number], &mut self.report.identical)
        } else if let Some(parts) = cutter.cut(piece)? {
            (parts, &mut self.report.composed)
        } else {
            (vec![cutter.unknown], &mut self.report.unknown)
        };
        *count += 1;
        self.sources.push(sources);
        Ok(())
    }

    /// How much the old vocabulary knew.
    pub fn report(&self) -> TransferReport {
        self.report
    }

    /// The old pieces that a new piece begins from.
    pub fn sources(&self, piece: u32) -> Option<&[u32]> {
        self.sources.get(piece as usize).map(Vec::as_slice)
    }

    /// The new table of word pieces (`new × hidden`) from the old one (`old ×
    /// hidden`, or with further rows behind), in its precision.
    ///
    /// # Errors
    /// When the old table has fewer rows than its vocabulary has pieces.
    pub fn table(&self, old: &Tensor) -> Result<Tensor> {
        let (rows, width) = old.dims2().map_err(|error| internal(&error))?;
        self.check(rows)?;
        self.mean(old, width)
            .and_then(|values| {
                Tensor::from_vec(values, (self.sources.len(), width), old.device())
                    .map_err(|error| internal(&error))
            })
            .and_then(|new| in_precision(&new, old.dtype()))
    }

    /// The new bias of the masked language model's output (`new`) from the
    /// old one (`old`).
    ///
    /// # Errors
    /// When it has fewer numbers than the old vocabulary has pieces.
    pub fn bias(&self, old: &Tensor) -> Result<Tensor> {
        let rows = old.dims1().map_err(|error| internal(&error))?;
        self.check(rows)?;
        self.mean(old, 1)
            .and_then(|values| {
                Tensor::from_vec(values, self.sources.len(), old.device())
                    .map_err(|error| internal(&error))
            })
            .and_then(|new| in_precision(&new, old.dtype()))
    }

    fn check(&self, rows: usize) -> Result<()> {
        if rows < self.old {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "the old table has {rows} rows, but its vocabulary goes up to number {}; \
                     tokenizer and weights are of different models",
                    self.old - 1
                ),
            ));
        }
        Ok(())
    }

    fn mean(&self, old: &Tensor, width: usize) -> Result<Vec<f32>> {
        let old = numbers(old)?;
        let mut new = vec![0.0; self.sources.len() * width];
        for (row, sources) in new.chunks_exact_mut(width).zip(&self.sources) {
            for &source in sources {
                let start = source as usize * width;
                for (to, from) in row.iter_mut().zip(&old[start..start + width]) {
                    *to += from;
                }
            }
            if sources.len() > 1 {
                row.iter_mut().for_each(|x| *x /= sources.len() as f32);
            }
        }
        Ok(new)
    }
}

fn in_precision(tensor: &Tensor, kind: DType) -> Result<Tensor> {
    tensor.to_dtype(kind).map_err(|error| internal(&error))
}

/// Cuts texts into pieces of the old vocabulary.
struct Cutter<'a> {
    old: &'a Tokenizer,
    unknown: u32,
}

impl<'a> Cutter<'a> {
    fn new(old: &'a Tokenizer) -> Result<Self> {
        let name = word_piece(old, "old")?;
        let unknown = old.token_to_id(name).ok_or_else(|| {
            Error::new(
                ErrorKind::Incompatible,
                format!("the old vocabulary has no `{name}`"),
            )
        })?;
        Ok(Self { old, unknown })
    }

    /// The old pieces of a new piece; nothing where a character is not known.
    fn cut(&self, piece: &str) -> Result<Option<Vec<u32>>> {
        let (text, inside) = match piece.strip_prefix(CONTINUATION) {
            Some(text) if !text.is_empty() => (text, true),
            _ => (piece, false),
        };
        let text = self.normalised(text)?;
        if inside && let Some(parts) = self.continuations(&text) {
            return Ok(Some(parts));
        }
        let parts: Vec<u32> = self
            .old
            .get_model()
            .tokenize(&text)
            .map_err(|error| refused("cannot cut a piece", &error))?
            .into_iter()
            .map(|token| token.id)
            .collect();
        Ok((!parts.is_empty() && !parts.contains(&self.unknown)).then_some(parts))
    }

    fn normalised(&self, text: &str) -> Result<String> {
        let mut text = NormalizedString::from(text);
        if let Some(normaliser) = self.old.get_normalizer() {
            normaliser
                .normalize(&mut text)
                .map_err(|error| refused("cannot normalise a piece", &error))?;
        }
        Ok(text.get().trim().to_owned())
    }

    /// WordPiece from inside a word: the longest continuation that fits, over
    /// and over.
    fn continuations(&self, text: &str) -> Option<Vec<u32>> {
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8());
            let (number, end) = ends.rev().find_map(|end| {
                let piece = format!("{CONTINUATION}{}", &rest[..end]);
                Some((self.old.token_to_id(&piece)?, end))
            })?;
            parts.push(number);
            rest = &rest[end..];
        }
        (!parts.is_empty()).then_some(parts)
    }
}

/// The unknown token's name in a WordPiece vocabulary.
fn word_piece<'a>(tokenizer: &'a Tokenizer, which: &str) -> Result<&'a str> {
    match tokenizer.get_model() {
        ModelWrapper::WordPiece(model) if model.continuing_subword_prefix == CONTINUATION => {
            Ok(&model.unk_token)
        }
        _ => Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the {which} tokenizer is not WordPiece with `##`; vocabularies are carried \
                 over between WordPiece tokenizers only"
            ),
        )),
    }
}

/// Rows that a table needs for a vocabulary.
fn rows(tokenizer: &Tokenizer) -> usize {
    let largest = tokenizer.get_vocab(true).into_values().max();
    largest.map_or(0, |number| number as usize + 1)
}
