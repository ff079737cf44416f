//! What larger encoders say of the texts of a stage.
//!
//! Each text is read once, before the first step, and the vectors are kept in
//! the folder of the run: a run that goes on, or begins anew with the same
//! texts, does not read them again.

use super::progress::Progress;
use crate::config::TeacherConfig;
use crate::error::device;
use crate::model::safetensors::{Entry, write};
use crate::record::{BaseRecord, RunFolder};
use candle_core::{Device, Tensor};
use medsift::encoder::{Encoder, EncoderOptions, ModelFingerprint};
use medsift::{Error, Result};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Texts between two looks at whether the run is to stop.
const CHUNK: usize = 256;

/// Chunks after which what was read is kept, so that a kill loses little.
const KEEP: usize = 8;

/// Name of the vectors in their file.
const TENSOR: &str = "embeddings";

/// A text, and whether it is read as a query or as a passage.
type Text = (Arc<str>, bool);

/// Folders of teachers by the names that the configuration gives them.
pub type TeacherFolders = BTreeMap<String, PathBuf>;

/// The vectors of all texts of a stage. With several teachers their unit
/// vectors stand one behind the other, each times the root of its weight: so a
/// cosine of them is the weighted mean of the teachers' cosines.
pub(super) struct Taught {
    rows: HashMap<Text, u32>,
    vectors: Tensor,
}

/// What a lesson needs to ask its teachers.
#[derive(Clone, Copy)]
pub struct Teaching<'a> {
    /// Teachers of the stage.
    pub teachers: &'a [TeacherConfig],
    /// Where each lies.
    pub folders: &'a TeacherFolders,
    /// Tokens at which a text is cut.
    pub max_tokens: usize,
    /// Where vectors are kept.
    pub run: &'a RunFolder,
    /// Hears of it, and may stop it.
    pub progress: &'a dyn Progress,
}

impl Teaching<'_> {
    /// Reads the texts with all teachers; also gives their records. Nothing
    /// where the run is told to stop: what was read until then is kept.
    ///
    /// # Errors
    /// When a teacher cannot be opened, or a file not be read or written.
    pub(super) fn read(
        &self,
        texts: impl Iterator<Item = Text>,
    ) -> Result<Option<(Taught, Vec<BaseRecord>)>> {
        let mut rows = HashMap::new();
        let mut ordered = Vec::new();
        for text in texts {
            rows.entry(text).or_insert_with_key(|text| {
                ordered.push(text.clone());
                ordered.len() as u32 - 1
            });
        }
        let total: f64 = self.teachers.iter().map(|teacher| teacher.weight).sum();
        let mut parts = Vec::new();
        let mut records = Vec::new();
        for teacher in self.teachers {
            let encoder = self.open(teacher)?;
            let Some(vectors) = self.vectors(&teacher.model, &encoder, &ordered)? else {
                return Ok(None);
            };
            let root = (teacher.weight / total).sqrt();
            parts.push(unit(&vectors, root).map_err(device)?);
            records.push(BaseRecord {
                name: teacher.model.clone(),
                sha256: Some(encoder.fingerprint().sha256.clone()),
            });
        }
        let vectors = Tensor::cat(&parts, 1).map_err(device)?;
        Ok(Some((Taught { rows, vectors }, records)))
    }

    fn open(&self, teacher: &TeacherConfig) -> Result<Encoder> {
        let folder = self.folders.get(&teacher.model).ok_or_else(|| {
            Error::invalid(
                "teacher",
                format!("the teacher `{}` was not looked up", teacher.model),
            )
        })?;
        let options = EncoderOptions {
            max_tokens: Some(self.max_tokens),
            ..EncoderOptions::default()
        };
        Encoder::open(folder, options)
    }

    /// One teacher's vectors, `texts × dimension`; none where it was stopped.
    fn vectors(&self, name: &str, encoder: &Encoder, texts: &[Text]) -> Result<Option<Tensor>> {
        let path = self.file(encoder.fingerprint(), texts);
        let mut values = kept(&path, encoder.dimension())?;
        let done = |values: &Vec<f32>| values.len() / encoder.dimension();
        let known = done(&values);
        if known < texts.len() {
            let count = texts.len();
            let note = format!("the teacher {name} reads {count} texts, {known} of them known");
            self.progress.note(&note);
        }
        while done(&values) < texts.len() {
            if self.progress.stopped() {
                store(&path, &values, encoder.dimension())?;
                return Ok(None);
            }
            let first = done(&values);
            let part = &texts[first..texts.len().min(first + CHUNK)];
            read_part(encoder, part, &mut values)?;
            self.progress.taught(name, done(&values), texts.len());
            if (done(&values) / CHUNK).is_multiple_of(KEEP) {
                store(&path, &values, encoder.dimension())?;
            }
        }
        if known < texts.len() {
            store(&path, &values, encoder.dimension())?;
        }
        let shape = (texts.len(), encoder.dimension());
        let vectors = Tensor::from_vec(values, shape, &Device::Cpu).map_err(device)?;
        Ok(Some(vectors))
    }

    /// The file of these texts' vectors: its name says teacher and texts.
    fn file(&self, teacher: &ModelFingerprint, texts: &[Text]) -> PathBuf {
        let mut digest = Sha256::new();
        // Everything that decides a vector; not the name.
        digest.update(format!(
            "{} {} {:?} {} {:?} {:?}",
            teacher.vectors_sha256(),
            teacher.max_tokens,
            teacher.pooling,
            teacher.normalise,
            teacher.query_prompt,
            teacher.passage_prompt
        ));
        for (text, query) in texts {
            digest.update([u8::from(*query)]);
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        }
        let name: String = digest.finalize()[..8]
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        self.run.teachers().join(format!("{name}.safetensors"))
    }
}

impl Taught {
    /// The vectors of texts, `texts × dimension`, one column of a batch.
    pub(super) fn column(&self, texts: &[Arc<str>], queries: bool) -> candle_core::Result<Tensor> {
        let rows: Option<Vec<u32>> = texts
            .iter()
            .map(|text| self.rows.get(&(text.clone(), queries)).copied())
            .collect();
        let Some(rows) = rows else {
            candle_core::bail!("a text that no teacher has read");
        };
        self.vectors
            .index_select(&Tensor::new(rows, &Device::Cpu)?, 0)
    }
}

/// Appends the vectors of some texts.
fn read_part(encoder: &Encoder, texts: &[Text], values: &mut Vec<f32>) -> Result<()> {
    let passages: Vec<&str> = texts.iter().filter(|t| !t.1).map(|t| &*t.0).collect();
    let passages = encoder.encode_passages(&passages)?;
    let mut passages = passages.rows();
    for (text, query) in texts {
        if *query {
            values.extend(encoder.encode_query(text)?);
        } else {
            values.extend(passages.next().into_iter().flatten());
        }
    }
    Ok(())
}

/// The vectors that an earlier run kept; none where there is no such file.
fn kept(path: &Path, dimension: usize) -> Result<Vec<f32>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let tensors = candle_core::safetensors::load(path, &Device::Cpu).map_err(device)?;
    let fitting = |tensor: &&Tensor| tensor.dims2().is_ok_and(|(_, width)| width == dimension);
    let Some(tensor) = tensors.get(TENSOR).filter(fitting) else {
        return Err(Error::corrupt(
            path,
            "it holds no vectors of the teacher; remove it",
        ));
    };
    tensor
        .flatten_all()
        .and_then(|t| t.to_vec1())
        .map_err(device)
}

fn store(path: &Path, values: &[f32], dimension: usize) -> Result<()> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))?;
    }
    let shape = (values.len() / dimension, dimension);
    let tensor = Tensor::from_slice(values, shape, &Device::Cpu).map_err(device)?;
    let partial = path.with_extension("partial");
    write(&partial, vec![Entry::tensor(TENSOR, tensor)])?;
    std::fs::rename(&partial, path).map_err(|error| Error::io("rename", path, error))
}

/// Rows of the length `length`.
fn unit(rows: &Tensor, length: f64) -> candle_core::Result<Tensor> {
    let norm = rows.sqr()?.sum_keepdim(1)?.sqrt()?.maximum(1e-12)?;
    rows.broadcast_div(&norm)?.affine(length, 0.0)
}
