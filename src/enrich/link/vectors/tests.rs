use super::*;
use crate::enrich::link::tests::lexicon;
use proptest::prelude::*;

/// Vectors of the first descriptors, one each.
fn made(rows: &[Vec<f32>]) -> NameVectors {
    let quantised: Vec<(Vec<i8>, f32)> = rows.iter().map(|row| quantised(row).unwrap()).collect();
    NameVectors {
        model: "a".repeat(DIGITS),
        table: lexicon().digest(),
        dimension: rows[0].len(),
        descriptors: (0..).take(rows.len()).collect(),
        factors: quantised.iter().map(|(_, factor)| *factor).collect(),
        numbers: quantised.into_iter().flat_map(|(row, _)| row).collect(),
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn vectors_come_back_from_their_file() {
    let dir = tempfile::tempdir().unwrap();
    let lexicon = lexicon();
    let vectors = made(&[vec![1.0, -0.5], vec![0.0, 0.25], vec![0.0, 0.0]]);
    vectors.write(dir.path()).unwrap();
    let read = NameVectors::read(dir.path(), &vectors.model, &lexicon);
    let read = read.unwrap().unwrap();
    assert_eq!(read.descriptors, vectors.descriptors);
    assert_eq!(read.factors, vectors.factors);
    assert_eq!(read.numbers, vectors.numbers);
    let other = "b".repeat(DIGITS);
    let none = NameVectors::read(dir.path(), &other, &lexicon).unwrap();
    assert!(none.is_none());
}

#[test]
fn a_damaged_file_is_refused_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let lexicon = lexicon();
    let vectors = made(&[vec![1.0, -0.5]]);
    vectors.write(dir.path()).unwrap();
    let path = dir
        .path()
        .join(NameVectors::file_name(&vectors.model, &vectors.table));
    let whole = std::fs::read(&path).unwrap();
    let mut outside = whole.clone();
    outside[HEAD] = 200;
    let mut renamed = whole.clone();
    renamed[MAGIC.len()] = b'f';
    for bytes in [
        &whole[..whole.len() - 1],
        &whole[..20],
        b"",
        &outside,
        &renamed,
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = NameVectors::read(dir.path(), &vectors.model, &lexicon).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(error.to_string().contains("medsift mesh embed"), "{error}");
    }
}

#[test]
fn what_has_no_direction_is_near_nothing() {
    let vectors = made(&[vec![1.0, 0.0]]);
    let asked: [(ConceptKind, &[f32]); 4] = [
        (ConceptKind::Disease, &[0.0, 0.0]),
        (ConceptKind::Disease, &[f32::NAN, 1.0]),
        (ConceptKind::Disease, &[1.0]),
        (ConceptKind::Chemical, &[1.0, 0.0]),
    ];
    assert_eq!(vectors.nearest(&lexicon(), &asked), [None; 4]);
}

proptest! {
    /// The scan in whole numbers finds what a plain one in single precision
    /// does, to the precision of a byte.
    #[test]
    fn the_nearest_is_that_of_a_plain_scan(
        rows in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 16), 1..12),
        query in prop::collection::vec(-1.0_f32..1.0, 16),
    ) {
        let lexicon = lexicon();
        let vectors = made(&rows);
        let plain = rows
            .iter()
            .enumerate()
            .filter(|(place, _)| lexicon.is(*place, ConceptKind::Disease))
            .map(|(_, row)| cosine(row, &query))
            .fold(f32::NEG_INFINITY, f32::max);
        let found = vectors.nearest(&lexicon, &[(ConceptKind::Disease, &query)])[0];
        let (place, near) = found.unwrap();
        prop_assert!((near - plain).abs() < 0.02, "{near} {plain}");
        prop_assert!((cosine(&rows[place], &query) - plain).abs() < 0.04);
    }
}
