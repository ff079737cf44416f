//! Writing safetensors files: bytes with a sign too, and the `format` entry
//! without which `transformers` refuses a file.

use crate::files::internal;
use candle_core::{DType, Tensor};
use medsift::{Error, ErrorKind, Result};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// What a tensor's numbers are taken from.
#[derive(Debug)]
pub(crate) enum Payload {
    /// A tensor in the precision it is to be stored in.
    Tensor(Tensor),
    /// Signed bytes, which the tensor library does not know.
    Bytes(Vec<i8>),
}

/// A tensor of the file.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) payload: Payload,
}

impl Entry {
    /// A tensor under a name.
    pub(crate) fn tensor(name: impl Into<String>, tensor: Tensor) -> Self {
        Self {
            name: name.into(),
            shape: tensor.dims().to_vec(),
            payload: Payload::Tensor(tensor),
        }
    }

    fn kind(&self) -> Result<(&'static str, usize)> {
        let Payload::Tensor(tensor) = &self.payload else {
            return Ok(("I8", 1));
        };
        Ok(match tensor.dtype() {
            DType::U8 => ("U8", 1),
            DType::F16 => ("F16", 2),
            DType::BF16 => ("BF16", 2),
            DType::U32 => ("U32", 4),
            DType::F32 => ("F32", 4),
            DType::I64 => ("I64", 8),
            DType::F64 => ("F64", 8),
            other => {
                return Err(Error::new(
                    ErrorKind::Internal,
                    format!(
                        "`{}` has the type {other:?}, which is not stored",
                        self.name
                    ),
                ));
            }
        })
    }

    fn write(&self, file: &mut impl Write, path: &Path) -> Result<()> {
        match &self.payload {
            Payload::Tensor(tensor) => tensor
                .write_bytes(file)
                .map_err(|error| Error::io("write", path, std::io::Error::other(error))),
            Payload::Bytes(values) => {
                let bytes: Vec<u8> = values.iter().map(|value| value.to_le_bytes()[0]).collect();
                file.write_all(&bytes)
                    .map_err(|error| Error::io("write", path, error))
            }
        }
    }
}

/// Writes and syncs a safetensors file. The same tensors give the same bytes,
/// in whatever order they come.
///
/// The layout is that of the safetensors format: the header's length in eight
/// bytes, the header as JSON padded with blanks to a multiple of eight, the
/// numbers in little endian without gaps; the widest types first, so that
/// every tensor begins at a multiple of its element's size.
///
/// # Errors
/// When the file cannot be written, or two tensors have one name.
pub(crate) fn write(path: &Path, mut entries: Vec<Entry>) -> Result<()> {
    let mut sized = Vec::with_capacity(entries.len());
    for entry in entries.drain(..) {
        let (kind, width) = entry.kind()?;
        sized.push((kind, width, entry));
    }
    sized.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.2.name.cmp(&b.2.name)));
    let mut header = Map::new();
    header.insert("__metadata__".into(), json!({"format": "pt"}));
    let mut end = 0;
    for (kind, width, entry) in &sized {
        let start = end;
        end += width * entry.shape.iter().product::<usize>();
        let about = json!({"dtype": kind, "shape": entry.shape, "data_offsets": [start, end]});
        if header.insert(entry.name.clone(), about).is_some() {
            return Err(Error::new(
                ErrorKind::Internal,
                format!("two tensors are named `{}`", entry.name),
            ));
        }
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let failed = |error| Error::io("write", path, error);
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    file.write_all(&(header.len() as u64).to_le_bytes())
        .and_then(|()| file.write_all(&header))
        .map_err(failed)?;
    for (_, _, entry) in &sized {
        entry.write(&mut file, path)?;
    }
    file.into_inner()
        .map_err(|error| failed(error.into_error()))?
        .sync_all()
        .map_err(failed)
}

/// A tensor's numbers in single precision, rows first.
pub(crate) fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor
        .to_dtype(DType::F32)
        .and_then(|tensor| tensor.flatten_all())
        .and_then(|tensor| tensor.to_vec1())
        .map_err(|error| internal(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn what_is_written_is_read_by_the_library() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.safetensors");
        let one = Tensor::new(&[[1f32, -2.5], [3.0, 4.0]], &Device::Cpu).unwrap();
        let half = one.to_dtype(DType::F16).unwrap();
        let count = Tensor::new(&[7i64], &Device::Cpu).unwrap();
        let byte = Tensor::new(&[1u8, 2, 3], &Device::Cpu).unwrap();
        let entries = || {
            vec![
                Entry::tensor("b", byte.clone()),
                Entry::tensor("h", half.clone()),
                Entry::tensor("one", one.clone()),
                Entry::tensor("n", count.clone()),
            ]
        };
        write(&path, entries()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let read = candle_core::safetensors::load_buffer(&bytes, &Device::Cpu).unwrap();
        assert_eq!(read.len(), 4);
        assert_eq!(
            read["one"].to_vec2::<f32>().unwrap(),
            [[1.0, -2.5], [3.0, 4.0]]
        );
        assert_eq!(numbers(&read["h"]).unwrap(), [1.0, -2.5, 3.0, 4.0]);
        assert_eq!(read["n"].to_vec1::<i64>().unwrap(), [7]);
        assert_eq!(read["b"].to_vec1::<u8>().unwrap(), [1, 2, 3]);
        assert!(String::from_utf8_lossy(&bytes).contains(r#"{"format":"pt"}"#));
        let mut reversed = entries();
        reversed.reverse();
        write(&path, reversed).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        let twice = vec![entries().remove(0), entries().remove(0)];
        assert!(write(&path, twice).is_err());
    }
}
