//! Articles through files and back.

mod damage;
mod made;
mod others;

use super::*;
use crate::source;
use made::{any_article, embedded, model};
use medsift::columnar::ColumnWriter;
use medsift::searcher::EmbeddedArticle;
use medsift::{Article, ArticleId};
use proptest::prelude::*;

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
