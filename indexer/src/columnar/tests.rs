//! Articles through files and back.

mod damage;
mod made;
mod others;

use super::describe::describe;
use super::schema::schema;
use super::*;
use crate::Record;
use crate::source;
use made::{any_article, embedded, model};
use medsift::searcher::EmbeddedArticle;
use medsift::{Article, ArticleId};
use proptest::prelude::*;
use std::path::Path;

/// Writes articles into a file.
fn write(
    path: &Path,
    format: ColumnFormat,
    articles: &[EmbeddedArticle],
    model: Option<&VectorModel>,
) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ColumnWriter::new(file, format, model).unwrap();
    for some in articles.chunks(3) {
        writer.write(some).unwrap();
    }
    writer.finish().unwrap();
}

fn records(path: &Path) -> Vec<Record> {
    source::open(path).unwrap().1.collect()
}

fn round_trip(articles: &[EmbeddedArticle], model: Option<&VectorModel>) {
    let dir = tempfile::tempdir().unwrap();
    for format in ColumnFormat::ALL {
        let path = dir.path().join(format.as_str());
        write(&path, format, articles, model);
        let read = records(&path);
        assert_eq!(read.len(), articles.len());
        for (record, written) in read.iter().zip(articles) {
            let article = &written.stored.article;
            match record {
                Record::Article(read) => {
                    assert_eq!(**read, *article);
                    assert!(model.is_none() || written.passages.is_empty());
                }
                Record::Embedded(read) => {
                    assert_eq!(read.article, *article);
                    let ranges = read.passages.iter().map(|passage| passage.range.clone());
                    let written_ranges =
                        written.passages.iter().map(|passage| passage.range.clone());
                    assert!(ranges.eq(written_ranges));
                    let bits =
                        |vector: &[f32]| vector.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    let vectors: Vec<f32> = written
                        .passages
                        .iter()
                        .flat_map(|passage| passage.vector.clone())
                        .collect();
                    assert_eq!(bits(&read.vectors), bits(&vectors));
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

fn fixture(name: &str) -> Vec<Article> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures/sample")
        .join(name);
    let (_, reader) = source::open(&path).unwrap();
    reader
        .filter_map(|record| match record {
            Record::Article(article) => Some(*article),
            _ => None,
        })
        .collect()
}

#[test]
fn the_sample_comes_back_with_every_bit_of_its_vectors() {
    let mut articles = fixture("medsift-sample.xml");
    articles.extend(fixture("medsift-sample-2014.xml"));
    let full = include_str!("../../../cli/src/render/article/full.json");
    articles.push(serde_json::from_str(full).unwrap());
    articles.push(Article::new(ArticleId::new("empty").unwrap()));
    assert!(articles.len() > 60);
    let articles: Vec<_> = articles.into_iter().map(embedded).collect();
    round_trip(&articles, Some(&model()));
    round_trip(&articles, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_articles_come_back(articles in prop::collection::vec(any_article(), 0..8)) {
        let articles: Vec<_> = articles.into_iter().map(embedded).collect();
        round_trip(&articles, Some(&model()));
    }
}

/// The documentation holds the schema as it is written.
#[test]
fn the_schema_is_the_documented_one() {
    let written = describe(&schema(Some(&model())).unwrap());
    let golden = include_str!("../../tests/golden/columns.txt");
    assert_eq!(written, golden, "\n{written}");
    let docs = include_str!("../../../docs/data.md");
    for line in golden.lines().filter(|line| !line.starts_with("medsift.")) {
        assert!(docs.contains(line), "docs/data.md has no line {line:?}");
    }
    for key in super::schema::KEYS {
        assert!(
            docs.contains(&format!("`{key}`")),
            "docs/data.md has no {key}"
        );
    }
}

/// A reader holds a row group, so it must not grow with the file.
#[test]
fn row_groups_are_bounded() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("many.parquet");
    let file = std::fs::File::create(&path).unwrap();
    let mut writer = ColumnWriter::new(file, ColumnFormat::Parquet, None).unwrap();
    writer.bound_row_groups(1 << 12);
    let articles: Vec<_> = fixture("medsift-sample.xml")
        .into_iter()
        .map(embedded)
        .collect();
    for some in articles.chunks(10) {
        writer.write(some).unwrap();
    }
    writer.finish().unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let groups = reader.metadata().num_row_groups();
    assert!(groups >= 3, "{groups}");
    assert_eq!(records(&path).len(), articles.len());
}
