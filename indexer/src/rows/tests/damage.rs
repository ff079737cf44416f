//! Files that are cut short or changed: faults, never a panic and never
//! another number of articles in silence.

use super::made::{embedded, model};
use super::*;
use medsift::ErrorKind;

fn bytes(format: ColumnFormat) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    let articles: Vec<_> = fixture("medsift-sample-2014.xml")
        .into_iter()
        .map(embedded)
        .collect();
    write(&path, format, &articles, Some(&model()));
    std::fs::read(path).unwrap()
}

#[test]
fn half_a_file_is_refused_or_says_where_it_ends() {
    let dir = tempfile::tempdir().unwrap();
    for format in ColumnFormat::ALL {
        let path = dir.path().join(format.as_str());
        let whole = bytes(format);
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        match source::open(&path) {
            Err(error) => assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}"),
            Ok((_, reader)) => {
                let progress = reader.progress();
                let read: Vec<Record> = reader.collect();
                assert!(matches!(read.last(), Some(Record::Fault(_))), "{format:?}");
                assert!(progress.damage().is_some());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn a_changed_byte_does_no_harm(format in 0..3_usize, place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let format = ColumnFormat::ALL[format];
        let mut bytes = bytes(format);
        let place = place.index(bytes.len());
        bytes[place] = byte;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, &bytes).unwrap();
        if let Ok((_, reader)) = source::open(&path) {
            prop_assert!(reader.count() < 10_000);
        }
    }
}
