//! The schema, and how large row groups become. How articles come back is
//! tested where files become records.

use super::describe::describe;
use super::schema::{KEYS, schema};
use super::*;
use crate::encoder::{ModelFingerprint, Pooling};
use crate::index::{Completeness, PassageMode, StoredArticle};
use crate::searcher::EmbeddedArticle;
use crate::{Article, ArticleId};
use parquet::file::reader::{FileReader, SerializedFileReader};

fn model() -> VectorModel {
    VectorModel {
        model: ModelFingerprint {
            name: "made-up".into(),
            sha256: "0123456789abcdef".into(),
            dimension: 3,
            pooling: Pooling::Mean,
            dense: None,
            normalise: true,
            max_tokens: 64,
            query_prompt: String::new(),
            passage_prompt: String::new(),
        },
        passages: PassageMode::On,
        normalised: true,
    }
}

/// The documentation holds the schema as it is written.
#[test]
fn the_schema_is_the_documented_one() {
    let written = describe(&schema(Some(&model())).unwrap());
    let golden = include_str!("tests/columns.txt");
    assert_eq!(written, golden, "\n{written}");
    let docs = include_str!("../../docs/data.md");
    for line in golden.lines().filter(|line| !line.starts_with("medsift.")) {
        assert!(docs.contains(line), "docs/data.md has no line {line:?}");
    }
    for key in KEYS {
        assert!(
            docs.contains(&format!("`{key}`")),
            "docs/data.md has no {key}"
        );
    }
}

fn article(number: usize) -> EmbeddedArticle {
    let mut article = Article::new(ArticleId::new(&number.to_string()).unwrap());
    article.title = format!("Title {number}").as_str().into();
    EmbeddedArticle {
        stored: StoredArticle::new(article, "made-up.xml", Completeness::Full).unwrap(),
        passages: Vec::new(),
    }
}

/// A reader holds a row group, so it must not grow with the file.
#[test]
fn row_groups_are_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("many.parquet");
    let file = std::fs::File::create(&path).unwrap();
    let writer = ColumnWriter::new(file, ColumnFormat::Parquet, None).unwrap();
    let mut writer = writer.with_row_groups_of(1 << 11);
    let articles: Vec<_> = (0..200).map(article).collect();
    for some in articles.chunks(10) {
        writer.write(some).unwrap();
    }
    writer.finish().unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let groups = reader.metadata().num_row_groups();
    assert!(groups >= 3, "{groups}");
    let options = ReadOptions {
        vectors: true,
        name_of: |name| panic!("no name stands as a text: {name}"),
    };
    let rows = ColumnReader::open(&path, ColumnFormat::Parquet, options, |file| Box::new(file));
    let mut rows = rows.unwrap();
    let ids: Vec<String> = rows
        .by_ref()
        .map(|row| match row {
            ColumnRow::Article(article, None) => article.id.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(
        ids.iter()
            .map(String::as_str)
            .eq(articles.iter().map(|one| one.stored.article.id.as_str()))
    );
    assert_eq!(rows.parts(), Some((200, 200)));
}
