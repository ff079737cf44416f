//! Files as other programs write them, and what is refused.

use super::made::{DIMENSION, model};
use super::*;
use arrow::array::{
    Array, ArrayRef, Float64Array, Int64Array, LargeListArray, LargeStringArray, ListArray,
    StringArray, StructArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, Metadata, Schema};
use arrow::ipc::writer::FileWriter;
use arrow::record_batch::RecordBatch;
use std::sync::Arc;

fn file(columns: Vec<(&str, ArrayRef)>, metadata: Metadata) -> tempfile::TempDir {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true))
        .collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(schema.clone(), arrays).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let out = std::fs::File::create(dir.path().join("file")).unwrap();
    let mut writer = FileWriter::try_new(out, &schema).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    dir
}

fn read(dir: &tempfile::TempDir) -> Vec<Record> {
    records(&dir.path().join("file"))
}

fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn metadata() -> Metadata {
    let entries = model().entries().unwrap();
    entries.into_iter().collect()
}

#[test]
fn plain_columns_are_articles() {
    let authors = StringArray::from(vec!["Smith JA", "van Berg, Ada"]);
    let item = Arc::new(Field::new("item", DataType::Utf8, true));
    let offsets = OffsetBuffer::from_lengths([2]);
    let authors = ListArray::new(item, offsets, Arc::new(authors), None);
    let dir = file(
        vec![
            ("id", Arc::new(Int64Array::from(vec![77]))),
            ("title", Arc::new(LargeStringArray::from(vec!["A title"]))),
            ("text", strings(&["The abstract."])),
            ("authors", Arc::new(authors)),
            ("year", Arc::new(Int64Array::from(vec![2020]))),
            ("cited", Arc::new(Int64Array::from(vec![5]))),
        ],
        Metadata::default(),
    );
    let records = read(&dir);
    let [Record::Article(article)] = records.as_slice() else {
        panic!("{records:?}");
    };
    assert_eq!(article.id.as_str(), "77");
    assert_eq!(article.running_text().text, "The abstract.");
    assert_eq!(article.year(), Some(2020));
    let names: Vec<_> = article
        .authors
        .iter()
        .map(|author| author.display())
        .collect();
    assert_eq!(names, ["Smith JA", "van Berg A"]);
    assert_eq!(article.metadata["cited"], 5);
}

/// One passage of an article whose text is `Ünder the sun.`
fn passage(
    start: i64,
    end: i64,
    vector: Vec<f64>,
    text: Option<&str>,
) -> Vec<(&'static str, ArrayRef)> {
    let length = vector.len();
    let number = Arc::new(Field::new("item", DataType::Float64, true));
    let offsets = OffsetBuffer::<i64>::from_lengths([length]);
    let values = Arc::new(Float64Array::from(vector));
    let vector = LargeListArray::new(number, offsets, values, None);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("vector", Arc::new(vector)),
        ("end", Arc::new(Int64Array::from(vec![end]))),
        ("start", Arc::new(Int64Array::from(vec![start]))),
        ("text", Arc::new(StringArray::from(vec![text]))),
    ];
    let columns: Vec<_> = columns
        .into_iter()
        .map(|(name, array)| {
            (
                Arc::new(Field::new(name, array.data_type().clone(), true)),
                array,
            )
        })
        .collect();
    let structs = StructArray::from(columns);
    let item = Arc::new(Field::new("item", structs.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths([1]);
    let passages = ListArray::new(item, offsets, Arc::new(structs), None);
    vec![
        ("id", strings(&["1"])),
        ("abstract", strings(&["Ünder the sun."])),
        ("passages", Arc::new(passages)),
    ]
}

#[test]
fn vectors_of_other_programs_are_taken_and_checked() {
    let unit = || vec![0.6, 0.0, 0.8];
    let good = read(&file(
        passage(0, 14, unit(), Some("Ünder the sun.")),
        metadata(),
    ));
    let [Record::Embedded(embedded)] = good.as_slice() else {
        panic!("{good:?}");
    };
    assert_eq!(embedded.passages[0].range, 0..15);
    assert_eq!(embedded.vectors, [0.6, 0.0, 0.8]);
    for (columns, what) in [
        (
            passage(0, 15, unit(), None),
            "lie beyond the text, which has 14",
        ),
        (passage(-1, 14, unit(), None), "invalid value"),
        (passage(9, 4, unit(), None), "it ends at 4 and begins at 9"),
        (
            passage(0, 14, unit(), Some("Under the sun.")),
            "is not that of characters 0 to 14",
        ),
        (
            passage(0, 6, unit(), None),
            "characters 6 to 14 of its text are in no passage",
        ),
        (
            passage(0, 14, vec![1.0; 2], None),
            "has 2 numbers, the model's have 3",
        ),
        (
            passage(0, 14, vec![f64::NAN, 0.0, 1.0], None),
            "no finite number",
        ),
        (
            passage(0, 14, vec![1e300, 0.0, 1.0], None),
            "no finite number",
        ),
        (
            passage(0, 14, vec![0.5, 0.0, 0.5], None),
            "not the length 1",
        ),
    ] {
        let read = read(&file(columns, metadata()));
        let [Record::Fault(fault)] = read.as_slice() else {
            panic!("{what}: {read:?}");
        };
        assert!(fault.reason.contains(what), "{}", fault.reason);
        assert_eq!(fault.id.as_deref(), Some("1"));
        assert!(!fault.raw.is_empty());
    }
}

#[test]
fn vectors_that_are_not_normalised_are_when_they_say_so() {
    let mut metadata = metadata();
    metadata.insert("medsift.normalised", "false");
    let read = read(&file(passage(0, 14, vec![3.0, 0.0, 4.0], None), metadata));
    let [Record::Embedded(embedded)] = read.as_slice() else {
        panic!("{read:?}");
    };
    assert_eq!(embedded.vectors, [0.6, 0.0, 0.8]);
}

#[test]
fn what_is_no_file_of_articles_is_refused_in_words() {
    let unit = || vec![0.6, 0.0, 0.8];
    let with = |key: &str, value: &str| {
        let mut metadata = metadata();
        metadata.insert(key, value);
        metadata
    };
    assert_eq!(DIMENSION, 3);
    for (columns, metadata, what) in [
        (
            vec![("pmid", strings(&["1"]))],
            Metadata::default(),
            "no column `id`",
        ),
        (
            passage(0, 14, unit(), None),
            Metadata::default(),
            "does not say of which model",
        ),
        (
            passage(0, 14, unit(), None),
            with("medsift.dimension", "4"),
            "medsift.model says 3",
        ),
        (
            passage(0, 14, unit(), None),
            with("medsift.normalised", "yes"),
            "not true or false",
        ),
        (
            passage(0, 14, unit(), None),
            with("medsift.columns", "99"),
            "version 99",
        ),
    ] {
        let dir = file(columns, metadata);
        let error = source::open(&dir.path().join("file")).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
        // Without vectors there is nothing to say of them.
        let bare = source::open_without_vectors(&dir.path().join("file"));
        let is_about_vectors = !what.contains("column `id`") && !what.contains("version");
        assert_eq!(bare.is_ok(), is_about_vectors, "{what}");
    }
}

/// A title that somebody has changed beside its markup: the column holds, and
/// the rest of `more` is kept.
#[test]
fn a_changed_column_holds() {
    let more = r#"{"title": {"plain": "old", "markup": [{"start": 0, "end": 1, "kind": "i"}]},
        "owner": "NLM"}"#;
    for (title, is_marked) in [("old", true), ("new", false)] {
        let columns = vec![
            ("id", strings(&["1"])),
            ("title", strings(&[title])),
            ("more", strings(&[more])),
        ];
        let read = read(&file(columns, Metadata::default()));
        let [Record::Article(article)] = read.as_slice() else {
            panic!("{read:?}");
        };
        assert_eq!(article.title.plain, title);
        assert_eq!(!article.title.markup.is_empty(), is_marked);
        assert_eq!(article.owner.as_deref(), Some("NLM"));
    }
}
