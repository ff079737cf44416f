//! Weights in eight bits, from files written here byte for byte.

use super::super::weights::read_checkpoint;
use crate::ErrorKind;
use std::path::{Path, PathBuf};

/// A file with one matrix of signed bytes and, unless there are none, scales.
fn file(dir: &Path, shape: [usize; 2], bytes: &[i8], scales: Option<&[f32]>) -> PathBuf {
    let mut data: Vec<u8> = Vec::new();
    let mut parts = Vec::new();
    if let Some(scales) = scales {
        data.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
        parts.push(format!(
            r#""a.weight.scale":{{"dtype":"F32","shape":[{}],"data_offsets":[0,{}]}}"#,
            scales.len(),
            data.len()
        ));
    }
    let start = data.len();
    data.extend(bytes.iter().flat_map(|byte| byte.to_le_bytes()));
    parts.push(format!(
        r#""a.weight":{{"dtype":"I8","shape":{shape:?},"data_offsets":[{start},{}]}}"#,
        data.len()
    ));
    let header = format!("{{{}}}", parts.join(","));
    let mut all = (header.len() as u64).to_le_bytes().to_vec();
    all.extend_from_slice(header.as_bytes());
    all.extend_from_slice(&data);
    let path = dir.join("model.int8.safetensors");
    std::fs::write(&path, all).unwrap();
    path
}

#[test]
fn bytes_become_numbers_row_by_row() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(
        dir.path(),
        [2, 3],
        &[127, -127, 0, 1, 2, -3],
        Some(&[0.5, 0.25]),
    );
    let read = read_checkpoint(&path).unwrap();
    assert_eq!(read.len(), 1, "scales are no parameter");
    let rows = read["a.weight"].to_vec2::<f32>().unwrap();
    assert_eq!(rows, [[63.5, -63.5, 0.0], [0.25, 0.5, -0.75]]);
}

#[test]
fn scales_that_do_not_fit_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), [2, 1], &[1, 2], None);
    let error = read_checkpoint(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
    assert!(error.to_string().contains("`a.weight.scale`"), "{error}");
    let path = file(dir.path(), [2, 1], &[1, 2], Some(&[1.0, 1.0, 1.0]));
    let error = read_checkpoint(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(error.to_string().contains("has 2 rows"), "{error}");
}
