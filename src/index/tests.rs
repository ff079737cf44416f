//! The index against a plain map: whatever is added, replaced, deleted,
//! committed and reopened, both sides hold what the map holds.

mod order;
mod watch;

use super::*;
use crate::article::{Article, ArticleId, Section};
use crate::encoder::{ModelFingerprint, Pooling};
use crate::passage::Passage;
use crate::query::{Filter, Mode, Query, QueryDefaults, QueryRequest, Syntax};
use crate::searcher::SearchSettings;
use crate::vector::{SegmentParams, Strategy as VectorStrategy};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

const DIMENSION: usize = 8;

fn model() -> ModelFingerprint {
    ModelFingerprint {
        name: "test".to_owned(),
        sha256: "0".repeat(64),
        dimension: DIMENSION,
        pooling: Pooling::Mean,
        dense: None,
        normalise: true,
        max_tokens: 256,
        query_prompt: String::new(),
        passage_prompt: String::new(),
    }
}

fn settings() -> WriterSettings {
    WriterSettings {
        merge_factor: 3,
        graph: SegmentParams {
            graph_from: 6,
            ..SegmentParams::default()
        },
        ..WriterSettings::default()
    }
}

fn open_writer(dir: &Path) -> IndexWriter {
    IndexWriter::open(dir, &model(), "nowhere", PassageMode::On, settings()).unwrap()
}

fn article(id: u8, content: u8) -> Article {
    let mut article = Article::new(ArticleId::new(&id.to_string()).unwrap());
    article.title = format!("title{id}").into();
    article.abstract_sections.push(Section {
        text: format!("content{content}").into(),
        ..Section::default()
    });
    article
}

/// A unit vector that depends on the content alone.
fn vector(content: u8) -> Vec<f32> {
    let mut vector: Vec<f32> = (0..DIMENSION)
        .map(|i| ((f32::from(content) + 1.0) * (i as f32 + 1.0)).sin())
        .collect();
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|x| *x /= norm);
    vector
}

fn put(writer: &mut IndexWriter, id: u8, content: u8, source: &str) -> Change {
    let (change, stored) = writer
        .classify(article(id, content), &Origin::full(source))
        .unwrap();
    if matches!(change, Change::Added | Change::Replaced) {
        let passages: Vec<Passage> = (0..1 + u32::from(content % 3))
            .map(|ordinal| Passage {
                ordinal,
                range: 0..7,
                text: String::new(),
            })
            .collect();
        let vectors = vector(content).repeat(passages.len());
        writer.put(stored, &passages, &vectors).unwrap();
    }
    change
}

#[derive(Debug, Clone)]
enum Step {
    Put(u8, u8),
    Delete(u8),
    Commit,
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0u8..12, 0u8..6).prop_map(|(id, content)| Step::Put(id, content)),
        2 => (0u8..12).prop_map(Step::Delete),
        2 => Just(Step::Commit),
        1 => Just(Step::Reopen),
    ];
    prop::collection::vec(step, 1..40)
}

/// Both sides hold exactly what the map holds.
fn assert_holds(dir: &Path, expected: &BTreeMap<u8, u8>) {
    let report = verify(dir).unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    assert_eq!(report.articles, expected.len() as u64);
    let index = Index::open(dir, None, SearchSettings::default()).unwrap();
    let searcher = index.searcher().unwrap();
    for id in 0u8..12 {
        let key = ArticleId::new(&id.to_string()).unwrap();
        let stored = searcher.article(&key).unwrap();
        assert_eq!(
            stored.map(|stored| stored.article),
            expected.get(&id).map(|&content| article(id, content))
        );
    }
    for content in 0u8..6 {
        let found = searcher
            .vectors()
            .search(
                &vector(content),
                expected.len() + 5,
                200,
                VectorStrategy::Auto,
                None,
            )
            .unwrap();
        assert_eq!(found.len(), expected.len());
        let exact = found.iter().filter(|hit| hit.score > 0.9999).count();
        let holders = expected.values().filter(|&&c| c == content).count();
        assert_eq!(exact, holders, "content {content} on the vector side");
        assert_eq!(
            word_matches(&searcher, &format!("content{content}")),
            holders
        );
    }
}

fn word_matches(searcher: &crate::searcher::Searcher, text: &str) -> usize {
    let request = QueryRequest {
        query: text.to_owned(),
        syntax: Syntax::Plain,
        mode: Some(Mode::Keyword),
        filter: Filter::default(),
        ..QueryRequest::default()
    };
    let query = Query::new(request, &QueryDefaults::default()).unwrap();
    searcher.search(&query).unwrap().hits.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn agrees_with_a_plain_map(steps in steps()) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = open_writer(dir.path());
        let (mut working, mut committed) = (BTreeMap::new(), BTreeMap::new());
        for step in steps {
            match step {
                Step::Put(id, content) => {
                    let change = put(&mut writer, id, content, "file");
                    let expected = match working.insert(id, content) {
                        None => Change::Added,
                        Some(old) if old == content => Change::Unchanged,
                        Some(_) => Change::Replaced,
                    };
                    prop_assert_eq!(change, expected);
                }
                Step::Delete(id) => {
                    let key = ArticleId::new(&id.to_string()).unwrap();
                    let change = writer.delete(&key, "file").unwrap();
                    let was_there = working.remove(&id).is_some();
                    prop_assert_eq!(change == Removal::Deleted, was_there);
                }
                Step::Commit => {
                    writer.commit().unwrap();
                    committed.clone_from(&working);
                }
                Step::Reopen => {
                    writer.close().unwrap();
                    writer = open_writer(dir.path());
                    working.clone_from(&committed);
                }
            }
        }
        writer.commit().unwrap();
        writer.close().unwrap();
        assert_holds(dir.path(), &working);
    }
}

#[test]
fn an_empty_index_is_a_valid_index() {
    let dir = tempfile::tempdir().unwrap();
    open_writer(dir.path()).close().unwrap();
    assert_holds(dir.path(), &BTreeMap::new());
}

#[test]
fn a_second_writer_is_refused_in_words() {
    let dir = tempfile::tempdir().unwrap();
    let _first = open_writer(dir.path());
    let second = IndexWriter::open(dir.path(), &model(), "", PassageMode::On, settings());
    let error = second.err().unwrap();
    assert_eq!(error.kind(), crate::ErrorKind::Locked);
    assert!(error.to_string().contains("wait until"), "{error}");
}

#[test]
fn another_model_is_refused_for_writing() {
    let dir = tempfile::tempdir().unwrap();
    open_writer(dir.path()).close().unwrap();
    let other = ModelFingerprint {
        sha256: "1".repeat(64),
        ..model()
    };
    let error = IndexWriter::open(dir.path(), &other, "", PassageMode::On, settings())
        .err()
        .unwrap();
    assert_eq!(error.kind(), crate::ErrorKind::Incompatible);
}

#[test]
fn an_older_update_file_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    put(&mut writer, 1, 1, "pubmed25n1300.xml.gz");
    assert_eq!(
        put(&mut writer, 1, 2, "pubmed25n1299.xml.gz"),
        Change::Unchanged
    );
    let id = ArticleId::new("1").unwrap();
    assert_eq!(
        writer.delete(&id, "pubmed25n0001.xml.gz").unwrap(),
        Removal::Unchanged
    );
    assert_eq!(
        put(&mut writer, 1, 2, "pubmed25n1301.xml.gz"),
        Change::Replaced
    );
}

#[test]
fn an_older_version_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    let mut second = article(1, 1);
    second.version = 2;
    let (_, stored) = writer.classify(second, &Origin::full("file")).unwrap();
    writer.put(stored, &[], &[]).unwrap();
    assert_eq!(put(&mut writer, 1, 3, "file"), Change::Unchanged);
}

#[test]
fn a_reader_keeps_its_commit_and_sees_the_next_one_when_it_asks() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    put(&mut writer, 1, 1, "file");
    writer.commit().unwrap();
    let index = Index::open(dir.path(), None, SearchSettings::default()).unwrap();
    let before = index.searcher().unwrap();
    let id = ArticleId::new("1").unwrap();
    writer.delete(&id, "file").unwrap();
    writer.commit().unwrap();
    assert!(before.article(&id).unwrap().is_some());
    let after = index.searcher().unwrap();
    assert!(after.article(&id).unwrap().is_none());
    assert!(after.generation() > before.generation());
}

#[test]
fn damage_is_found_and_said() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    for id in 0..10 {
        put(&mut writer, id, id, "file");
    }
    writer.commit().unwrap();
    let segment = writer.committed().segments[0].meta.clone();
    writer.close().unwrap();
    let file = &segment.files[0];
    let path = dir
        .path()
        .join("vectors")
        .join(&segment.name)
        .join(&file.name);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(!verify(dir.path()).unwrap().is_sound());
    std::fs::write(&path, &bytes[..middle]).unwrap();
    assert!(!verify(dir.path()).unwrap().is_sound());
    let opened = Index::open(dir.path(), None, SearchSettings::default());
    assert_eq!(opened.err().unwrap().kind(), crate::ErrorKind::Corrupt);
}

#[test]
fn leftovers_of_an_interrupted_writer_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    open_writer(dir.path()).close().unwrap();
    let leftovers = [
        dir.path().join("vectors/00000009/passages.arrow"),
        dir.path().join("deletes/00000009"),
        dir.path().join("quarantine/00000009.jsonl"),
    ];
    for path in &leftovers {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, b"half").unwrap();
    }
    open_writer(dir.path()).close().unwrap();
    assert!(leftovers.iter().all(|path| !path.exists()));
}

#[test]
fn an_index_is_not_begun_among_other_files() {
    let dir = tempfile::tempdir().unwrap();
    let kept = dir.path().join("vectors/mine.txt");
    std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
    std::fs::write(&kept, b"mine").unwrap();
    let error = IndexWriter::open(dir.path(), &model(), "", PassageMode::On, settings())
        .err()
        .unwrap();
    assert_eq!(error.kind(), crate::ErrorKind::InvalidInput);
    assert_eq!(std::fs::read(&kept).unwrap(), b"mine");
}

#[test]
fn vectors_of_any_length_are_compared_by_their_angle() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    let (_, stored) = writer
        .classify(article(1, 1), &Origin::full("file"))
        .unwrap();
    let passage = Passage {
        ordinal: 0,
        range: 0..8,
        text: String::new(),
    };
    let long: Vec<f32> = vector(1).iter().map(|x| x * 7.0).collect();
    writer.put(stored, &[passage], &long).unwrap();
    writer.commit().unwrap();
    writer.close().unwrap();
    let index = Index::open(dir.path(), None, SearchSettings::default()).unwrap();
    let searcher = index.searcher().unwrap();
    let found = searcher
        .vectors()
        .search(&vector(1), 1, 10, VectorStrategy::Exact, None)
        .unwrap();
    assert!((found[0].score - 1.0).abs() < 1e-5);
}

#[test]
fn an_article_without_its_vector_is_a_fault() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    let (_, stored) = writer
        .classify(article(1, 1), &Origin::full("file"))
        .unwrap();
    writer.put(stored, &[], &[]).unwrap();
    writer.commit().unwrap();
    writer.close().unwrap();
    let report = verify(dir.path()).unwrap();
    assert_eq!(report.faults, ["key 0 has text and no vector"]);
}

#[test]
fn an_index_made_anew_in_its_place_is_seen_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let make = |content: u8| {
        let mut writer = open_writer(dir.path());
        put(&mut writer, 1, content, "file");
        writer.commit().unwrap();
        writer.close().unwrap();
    };
    make(1);
    let index = Index::open(dir.path(), None, SearchSettings::default()).unwrap();
    index.searcher().unwrap();
    for part in ["keyword", "vectors"] {
        std::fs::remove_dir_all(dir.path().join(part)).unwrap();
    }
    make(2);
    let searcher = index.searcher().unwrap();
    let found = searcher
        .vectors()
        .search(&vector(2), 1, 10, VectorStrategy::Exact, None)
        .unwrap();
    assert!(found[0].score > 0.9999);
}

#[test]
fn an_absent_index_says_how_to_make_one() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for (path, what) in [
        (dir.path().join("idx"), "there is no index"),
        (dir.path().to_owned(), "holds no index"),
        (file, "not an index directory"),
    ] {
        let opened = Index::open(&path, None, SearchSettings::default());
        for error in [opened.err().unwrap(), require(&path).unwrap_err()] {
            assert_eq!(error.kind(), crate::ErrorKind::NotFound);
            let message = error.to_string();
            assert!(message.contains(what), "{message}");
            assert!(message.contains("medsift index FILE"), "{message}");
        }
    }
}

#[test]
fn while_a_newer_commit_is_damaged_the_one_before_is_served() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    put(&mut writer, 1, 1, "file");
    writer.commit().unwrap();
    let index = Index::open(dir.path(), None, SearchSettings::default()).unwrap();
    put(&mut writer, 2, 2, "file");
    let newer = writer.commit().unwrap();
    let segment = writer.committed().segments.last().unwrap().meta.clone();
    let folder = dir.path().join("vectors").join(&segment.name);
    let path = folder.join(&segment.files[0].name);
    let good = std::fs::read(&path).unwrap();
    std::fs::write(&path, &good[..good.len() / 2]).unwrap();
    let id = ArticleId::new("2").unwrap();
    for _ in 0..2 {
        let held = index.searcher().unwrap();
        assert_eq!(held.generation(), newer - 1);
        assert!(held.article(&id).unwrap().is_none());
    }
    // Who comes new has nothing older to fall back to.
    let opened = Index::open(dir.path(), None, SearchSettings::default());
    assert_eq!(opened.err().unwrap().kind(), crate::ErrorKind::Corrupt);
    std::fs::write(&path, &good).unwrap();
    let healed = index.searcher().unwrap();
    assert_eq!(healed.generation(), newer);
    assert!(healed.article(&id).unwrap().is_some());
}
