use super::{BATCH_ROWS, Passages};
use crate::error::ErrorKind;
use crate::key::ArticleKey;
use crate::vector::mapped::MappedFile;
use crate::vector::testing::{Numbers, OwnedRow, corpus, write};
use crate::vector::{PassageRow, Segment, SegmentMeta, SegmentParams, SegmentWriter};
use arrow::array::{Array, FixedSizeListArray, Float32Array, UInt32Array};
use arrow::ipc::reader::FileReader;
use proptest::prelude::*;
use std::fs::{self, File};
use std::path::Path;

const DIMENSION: usize = 8;

fn params() -> SegmentParams {
    SegmentParams::default()
}

fn rows(articles: usize) -> Vec<OwnedRow> {
    corpus(&mut Numbers(1), 10, articles, 3, DIMENSION, 5)
}

fn open(folder: &Path, meta: &SegmentMeta) -> Passages {
    let path = folder.join(&meta.name).join("passages.arrow");
    Passages::open(&MappedFile::open(&path, meta.files[0].bytes).unwrap()).unwrap()
}

#[test]
fn rows_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    // None, less than a batch, exactly one, several and a part.
    for articles in [0, 1, 20, 64, 200] {
        let rows = rows(articles);
        let name = format!("s{articles}");
        let meta = write(folder.path(), &name, DIMENSION, &rows, &params()).unwrap();
        assert_eq!(meta.passages as usize, rows.len());
        assert_eq!(meta.articles as usize, articles);
        assert_eq!(meta.min_key, rows.first().map(|row| ArticleKey(row.key)));
        assert_eq!(meta.max_key, rows.last().map(|row| ArticleKey(row.key)));
        let passages = open(folder.path(), &meta);
        assert_eq!(passages.len() as usize, rows.len());
        for (at, row) in rows.iter().enumerate() {
            assert_eq!(passages.row(at as u32), row.row());
        }
        let segment = Segment::open(folder.path(), &meta).unwrap();
        segment.verify().unwrap();
        let json = serde_json::to_string(&meta).unwrap();
        assert_eq!(serde_json::from_str::<SegmentMeta>(&json).unwrap(), meta);
    }
}

#[test]
fn columns_are_aligned_and_readable_by_arrow() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows(150);
    let meta = write(folder.path(), "s", DIMENSION, &rows, &params()).unwrap();
    let passages = open(folder.path(), &meta);
    for row in (0..passages.len()).step_by(64) {
        assert_eq!(passages.vector(row).as_ptr() as usize % 64, 0);
    }
    let file = File::open(folder.path().join("s/passages.arrow")).unwrap();
    let mut at = 0;
    for batch in FileReader::try_new(file, None).unwrap() {
        let batch = batch.unwrap();
        let numbers = |name: &str| {
            let column = batch.column_by_name(name).unwrap();
            column
                .as_any()
                .downcast_ref::<UInt32Array>()
                .unwrap()
                .values()
                .to_vec()
        };
        let vectors = batch.column_by_name("vector").unwrap();
        let vectors = vectors
            .as_any()
            .downcast_ref::<FixedSizeListArray>()
            .unwrap();
        for row in 0..batch.num_rows() {
            let vector = vectors.value(row);
            let vector = vector.as_any().downcast_ref::<Float32Array>().unwrap();
            let found = PassageRow {
                key: ArticleKey(numbers("key")[row]),
                ordinal: numbers("ordinal")[row],
                range: numbers("start")[row]..numbers("end")[row],
                vector: vector.values(),
            };
            assert_eq!(found, rows[at].row());
            at += 1;
        }
    }
    assert_eq!(at, rows.len());
}

#[test]
fn a_full_batch_of_the_real_length_works() {
    let folder = tempfile::tempdir().unwrap();
    let params = SegmentParams {
        graph_from: usize::MAX,
        ..params()
    };
    let mut writer = SegmentWriter::create(folder.path(), "s", 1, &params).unwrap();
    let total = BATCH_ROWS as u32 * 2 + 3;
    for key in 0..total {
        let vector = [if key % 3 == 0 { 1.0 } else { -1.0 }];
        let row = PassageRow {
            key: ArticleKey(key),
            ordinal: 0,
            range: 0..key,
            vector: &vector,
        };
        writer.push(&row).unwrap();
    }
    let meta = writer.finish(&|_, _| ()).unwrap();
    let segment = Segment::open(folder.path(), &meta).unwrap();
    segment.verify().unwrap();
    for key in (0..total).step_by(997).chain([total - 1]) {
        assert_eq!(segment.article_passages(ArticleKey(key)), key..key + 1);
        assert_eq!(segment.passage(key).range, 0..key);
    }
}

proptest! {
    #[test]
    fn keys_are_found_by_seeking(
        mut keys in prop::collection::vec(0u32..60, 0..200), wanted in 0u32..70, from in 0u32..200
    ) {
        keys.sort_unstable();
        let mut rows: Vec<OwnedRow> = Vec::new();
        for key in &keys {
            let ordinal = rows.last().filter(|row| row.key == *key).map_or(0, |row| row.ordinal + 1);
            rows.push(OwnedRow { key: *key, ordinal, vector: vec![1.0] });
        }
        let folder = tempfile::tempdir().unwrap();
        let passages = open(folder.path(), &write(folder.path(), "s", 1, &rows, &params()).unwrap());
        let found = passages.rows_of(ArticleKey(wanted));
        let start = keys.partition_point(|key| *key < wanted) as u32;
        let end = keys.partition_point(|key| *key <= wanted) as u32;
        prop_assert_eq!(found, start..end);
        let from = from.min(rows.len() as u32);
        prop_assert_eq!(passages.seek(from..passages.len(), wanted), start.max(from));
    }
}

#[test]
fn what_is_not_a_passage_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let vector = [1.0, 0.0];
    let good = PassageRow {
        key: ArticleKey(5),
        ordinal: 1,
        range: 0..4,
        vector: &vector,
    };
    let bad = [
        PassageRow {
            key: ArticleKey(4),
            ..good.clone()
        },
        PassageRow {
            ordinal: 0,
            ..good.clone()
        },
        good.clone(),
        PassageRow {
            ordinal: 2,
            vector: &[1.0],
            ..good.clone()
        },
        PassageRow {
            ordinal: 2,
            vector: &[1.0, 1.0],
            ..good.clone()
        },
        PassageRow {
            ordinal: 2,
            vector: &[0.0, 0.0],
            ..good.clone()
        },
        PassageRow {
            ordinal: 2,
            vector: &[f32::NAN, 1.0],
            ..good.clone()
        },
        PassageRow {
            ordinal: 2,
            vector: &[f32::INFINITY, 1.0],
            ..good.clone()
        },
        PassageRow {
            ordinal: 2,
            range: Range { start: 5, end: 4 },
            ..good.clone()
        },
    ];
    let mut writer = SegmentWriter::create(folder.path(), "s", 2, &params()).unwrap();
    writer.push(&good).unwrap();
    for row in &bad {
        let error = writer.push(row).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
        assert!(error.to_string().contains("of article"), "{error}");
    }
    // A refused row leaves no trace.
    assert_eq!(writer.len(), 1);
    let meta = writer.finish(&|_, _| ()).unwrap();
    Segment::open(folder.path(), &meta)
        .unwrap()
        .verify()
        .unwrap();
    assert!(
        SegmentWriter::create(folder.path(), "s", 2, &params()).is_err(),
        "the folder exists"
    );
    assert!(
        SegmentWriter::create(folder.path(), "t", 0, &params()).is_err(),
        "no dimension"
    );
    let params = SegmentParams { m: 300, ..params() };
    let error = SegmentWriter::create(folder.path(), "u", 2, &params)
        .err()
        .unwrap();
    assert_eq!(error.field(), Some("vector.m"));
}

use std::ops::Range;

/// Cut short anywhere, a file is refused at opening, whether or not the recorded
/// length was changed with it.
#[test]
fn a_file_cut_short_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut meta = write(folder.path(), "s", DIMENSION, &rows(80), &params()).unwrap();
    let path = folder.path().join("s/passages.arrow");
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len())
        .step_by(61)
        .chain(whole.len() - 16..whole.len())
    {
        fs::write(&path, &whole[..length]).unwrap();
        let error = Segment::open(folder.path(), &meta).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
        meta.files[0].bytes = length as u64;
        assert!(
            Segment::open(folder.path(), &meta).is_err(),
            "{length} bytes"
        );
        meta.files[0].bytes = whole.len() as u64;
    }
    fs::remove_file(&path).unwrap();
    let error = Segment::open(folder.path(), &meta).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

/// Whatever byte is turned: opening is an error or succeeds, then verifying is
/// an error; nothing panics and nothing is read beyond the end.
#[test]
fn a_turned_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let meta = write(folder.path(), "s", DIMENSION, &rows(70), &params()).unwrap();
    let path = folder.path().join("s/passages.arrow");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let in_columns = whole.len() > 4000 && (1500..whole.len() - 1500).contains(&at);
        if in_columns && at % 37 != 0 {
            continue;
        }
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        if let Ok(segment) = Segment::open(folder.path(), &meta) {
            assert!(segment.verify().is_err(), "byte {at}");
            for row in 0..meta.passages {
                segment.passage(row);
            }
        }
    }
}

#[test]
fn another_layout_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut meta = write(folder.path(), "s", DIMENSION, &rows(3), &params()).unwrap();
    meta.dimension += 1;
    let error = Segment::open(folder.path(), &meta).unwrap_err();
    assert!(error.to_string().contains("dimension"), "{error}");
}
