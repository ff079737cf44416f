//! Vectors of a vocabulary's names, in a file, and the scan for the nearest.
//!
//! ```text
//! magic          16 bytes   "medsift-names 1\n"
//! model, table   64 bytes each, SHA-256 in hexadecimal
//! dimension      u32        numbers are little-endian
//! names          u32
//! descriptors    u32 each   place in the table
//! factors        f32 each   what makes a product of numbers a cosine
//! numbers        i8         names × dimension
//! ```

use super::kind::ConceptKind;
use super::lexicon::Lexicon;
use crate::durable::{sync_folder, write_synced};
use crate::encoder::Encoder;
use crate::error::{Error, ErrorKind, Result};
use rayon::prelude::*;
use std::path::Path;

const MAGIC: &[u8; 16] = b"medsift-names 1\n";

/// Digits of a SHA-256.
const DIGITS: usize = 64;

/// Bytes before the first descriptor.
const HEAD: usize = MAGIC.len() + 2 * DIGITS + 8;

/// Names that are embedded between two reports of progress.
const TOGETHER: usize = 1024;

/// Rows that one task compares.
const ROWS: usize = 4096;

/// The names of a table as vectors of a model, one byte a number.
#[derive(Debug, Clone)]
pub struct NameVectors {
    model: String,
    table: String,
    dimension: usize,
    descriptors: Vec<u32>,
    factors: Vec<f32>,
    numbers: Vec<i8>,
}

impl NameVectors {
    /// Embeds the names of a lexicon as the model's passages. `progress` hears
    /// how many names were done.
    ///
    /// # Errors
    /// When the tokenizer fails, or a vector is not finite.
    pub fn embed(
        lexicon: &Lexicon,
        encoder: &Encoder,
        mut progress: impl FnMut(usize),
    ) -> Result<Self> {
        let names = lexicon.distinct_names();
        let mut vectors = Self {
            model: encoder.fingerprint().vectors_sha256(),
            table: lexicon.digest(),
            dimension: encoder.dimension(),
            descriptors: Vec::with_capacity(names.len()),
            factors: Vec::with_capacity(names.len()),
            numbers: Vec::with_capacity(names.len() * encoder.dimension()),
        };
        for names in names.chunks(TOGETHER) {
            let texts: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
            let embeddings = encoder.encode_passages(&texts)?;
            for ((descriptor, name), row) in names.iter().zip(embeddings.rows()) {
                let (numbers, factor) = quantised(row).ok_or_else(|| {
                    let what = format!("the model gives {name:?} a vector that is not finite");
                    Error::new(ErrorKind::Corrupt, what)
                })?;
                vectors.descriptors.push(*descriptor);
                vectors.factors.push(factor);
                vectors.numbers.extend(numbers);
            }
            progress(names.len());
        }
        Ok(vectors)
    }

    /// Whether a model made them.
    pub fn are_of(&self, encoder: &Encoder) -> bool {
        self.model == encoder.fingerprint().vectors_sha256()
            && self.dimension == encoder.dimension()
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.descriptors.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.descriptors.is_empty()
    }

    /// The name of the file for a model and a table, each by its SHA-256.
    pub fn file_name(model: &str, table: &str) -> String {
        let short = |sha256: &str| sha256.get(..12).unwrap_or(sha256).to_owned();
        format!("mesh-names-{}-{}.bin", short(table), short(model))
    }

    /// Writes the file whole, or leaves what was there.
    ///
    /// # Errors
    /// When the file cannot be written, or there are too many names for it.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let count = |number: usize| {
            u32::try_from(number).map_err(|_| {
                let what = format!("{number} are too many for a file of names");
                Error::new(ErrorKind::InvalidInput, what)
            })
        };
        let mut bytes = Vec::with_capacity(HEAD + self.numbers.len() + 8 * self.len());
        bytes.extend(MAGIC);
        bytes.extend(self.model.as_bytes());
        bytes.extend(self.table.as_bytes());
        bytes.extend(count(self.dimension)?.to_le_bytes());
        bytes.extend(count(self.len())?.to_le_bytes());
        bytes.extend(self.descriptors.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.factors.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.numbers.iter().flat_map(|n| n.to_le_bytes()));
        let name = Self::file_name(&self.model, &self.table);
        let passing = format!(".{name}.tmp");
        write_synced(dir, &passing, &bytes)?;
        let path = dir.join(name);
        std::fs::rename(dir.join(passing), &path)
            .map_err(|error| Error::io("replace", &path, error))?;
        sync_folder(dir)
    }

    /// Reads the vectors that a model made of a lexicon's names; none where
    /// there is no file.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged.
    pub fn read(dir: &Path, model: &str, lexicon: &Lexicon) -> Result<Option<Self>> {
        let table = lexicon.digest();
        let path = dir.join(Self::file_name(model, &table));
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", &path, error)),
        };
        let vectors = Self::parse(&bytes).filter(|found| {
            let most = lexicon.table().len();
            let inside = |&place: &u32| (place as usize) < most;
            found.model == model && found.table == table && found.descriptors.iter().all(inside)
        });
        let what = "it does not hold what its name says; remove it, and make it again with \
                    `medsift mesh embed`";
        vectors.map(Some).ok_or_else(|| Error::corrupt(&path, what))
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let (magic, head) = head.split_at_checked(MAGIC.len())?;
        let (model, head) = head.split_at_checked(DIGITS)?;
        let (table, head) = head.split_at_checked(DIGITS)?;
        let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
        let (dimension, names) = (number(&head[..4])? as usize, number(&head[4..])? as usize);
        let (descriptors, rest) = rest.split_at_checked(names.checked_mul(4)?)?;
        let (factors, numbers) = rest.split_at_checked(names.checked_mul(4)?)?;
        let whole = magic == MAGIC && numbers.len() == names.checked_mul(dimension)?;
        let factors: Vec<f32> = factors
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap_or_default()))
            .collect();
        (whole && dimension > 0 && factors.iter().all(|factor| factor.is_finite())).then_some(())?;
        Some(Self {
            model: String::from_utf8(model.to_vec()).ok()?,
            table: String::from_utf8(table.to_vec()).ok()?,
            dimension,
            descriptors: descriptors
                .chunks_exact(4)
                .map(number)
                .collect::<Option<_>>()?,
            factors,
            numbers: numbers
                .iter()
                .map(|&byte| i8::from_le_bytes([byte]))
                .collect(),
        })
    }

    /// For each vector the descriptor of its kind with the nearest name, and
    /// the cosine; none for a vector that has no direction. Every name is
    /// compared. Of equally near ones the first counts.
    pub fn nearest(
        &self,
        lexicon: &Lexicon,
        asked: &[(ConceptKind, &[f32])],
    ) -> Vec<Option<(usize, f32)>> {
        let asked: Vec<Option<(ConceptKind, Vec<i8>, f32)>> = asked
            .iter()
            .map(|(kind, vector)| {
                let (numbers, factor) = quantised(vector)?;
                let fits = vector.len() == self.dimension && factor > 0.0;
                fits.then_some((*kind, numbers, factor))
            })
            .collect();
        let none = || vec![None; asked.len()];
        self.numbers
            .par_chunks(ROWS * self.dimension.max(1))
            .enumerate()
            .map(|(chunk, rows)| {
                let mut best = none();
                for (row, numbers) in rows.chunks_exact(self.dimension).enumerate() {
                    let place = chunk * ROWS + row;
                    let descriptor = self.descriptors[place] as usize;
                    for (asked, best) in asked.iter().zip(&mut best) {
                        let Some((kind, vector, factor)) = asked else {
                            continue;
                        };
                        if lexicon.is(descriptor, *kind) {
                            let cosine = dot(numbers, vector) * factor * self.factors[place];
                            nearer(best, Some((descriptor, cosine)));
                        }
                    }
                }
                best
            })
            .reduce(none, |mut first, second| {
                for (best, other) in first.iter_mut().zip(second) {
                    nearer(best, other);
                }
                first
            })
    }
}

/// Keeps the nearer of two, the first where they are equal.
fn nearer(best: &mut Option<(usize, f32)>, other: Option<(usize, f32)>) {
    let Some((_, cosine)) = other else { return };
    if best.is_none_or(|(_, before)| cosine > before) {
        *best = other;
    }
}

/// A vector's direction in whole numbers from −127 to 127, and the factor that
/// makes their length 1: 0 where the vector has no direction. None where it is
/// not finite.
fn quantised(vector: &[f32]) -> Option<(Vec<i8>, f32)> {
    let most = vector.iter().fold(0.0_f32, |most, n| most.max(n.abs()));
    if !vector.iter().all(|n| n.is_finite()) {
        return None;
    }
    let scale = if most > 0.0 { 127.0 / most } else { 0.0 };
    // Between −127 and 127 nothing is cut off.
    let numbers: Vec<i8> = vector.iter().map(|n| (n * scale).round() as i8).collect();
    let length = dot(&numbers, &numbers).sqrt();
    let factor = if length > 0.0 { 1.0 / length } else { 0.0 };
    Some((numbers, factor))
}

/// The inner product. Of 4096 numbers it stays below 2²⁷.
fn dot(a: &[i8], b: &[i8]) -> f32 {
    let products = a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b));
    products.sum::<i32>() as f32
}

#[cfg(test)]
mod tests;
