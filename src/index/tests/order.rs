//! Files in any order, in any number of commands, leave the same index.

use super::*;
use crate::article::ArticleId;

/// Ids, versions and contents are few, so that records meet.
const IDS: u8 = 4;

#[derive(Debug, Clone, Copy)]
enum Record {
    Put { id: u8, version: u32, content: u8 },
    Delete(u8),
}

/// What happens after a file.
#[derive(Debug, Clone, Copy)]
enum After {
    Nothing,
    Commit,
    Reopen,
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let record = prop_oneof![
        3 => (0..IDS, 1u32..4, 0u8..3)
            .prop_map(|(id, version, content)| Record::Put { id, version, content }),
        1 => (0..IDS).prop_map(Record::Delete),
    ];
    prop::collection::vec(record, 0..7)
}

/// Files, the order in which they are applied, and what happens after each.
fn jobs() -> impl Strategy<Value = (Vec<Vec<Record>>, Vec<usize>, Vec<After>)> {
    prop::collection::vec(records(), 1..6).prop_flat_map(|files| {
        let count = files.len();
        let after = prop_oneof![
            Just(After::Nothing),
            Just(After::Commit),
            Just(After::Reopen)
        ];
        (
            Just(files),
            Just((0..count).collect::<Vec<_>>()).prop_shuffle(),
            prop::collection::vec(after, count),
        )
    })
}

fn name(file: usize) -> String {
    // The turn of a year lies between the second and the third.
    let year = 25 + file / 2;
    format!("pubmed{year}n{:04}.xml.gz", 9 - file)
}

fn versioned(id: u8, version: u32, content: u8) -> Article {
    let mut article = article(id, content);
    article.version = version;
    article
}

/// Of the records that nothing later deletes the newest version holds, and of
/// those the latest record: said without an index.
fn expected(files: &[Vec<Record>], wanted: u8) -> Option<(Article, String)> {
    let all = || {
        let files = files.iter().enumerate();
        files.flat_map(|(file, records)| {
            let records = records.iter().enumerate();
            // As the names say: in a year the higher number is the later.
            let turn = (file / 2, usize::MAX - file);
            records.map(move |(place, record)| ((turn, place), file, *record))
        })
    };
    let deleted = all()
        .filter(|(_, _, record)| matches!(record, Record::Delete(id) if *id == wanted))
        .map(|(at, _, _)| at)
        .max();
    all()
        .filter_map(|(at, file, record)| match record {
            Record::Put {
                id,
                version,
                content,
            } if id == wanted && deleted.is_none_or(|deleted| at > deleted) => {
                Some((version, at, versioned(id, version, content), name(file)))
            }
            _ => None,
        })
        .max_by_key(|(version, at, _, _)| (*version, *at))
        .map(|(_, _, article, source)| (article, source))
}

fn put_stored(writer: &mut IndexWriter, stored: StoredArticle) {
    let text = &stored.article.abstract_sections[0].text.plain;
    let content: u8 = text.strip_prefix("content").unwrap().parse().unwrap();
    let passage = Passage {
        ordinal: 0,
        range: 0..7,
        text: String::new(),
    };
    if writer.needs_commit(&stored) {
        writer.commit().unwrap();
    }
    writer.put(stored, &[passage], &vector(content)).unwrap();
}

fn apply(writer: &mut IndexWriter, record: Record, source: &str) {
    match record {
        Record::Put {
            id,
            version,
            content,
        } => {
            let article = versioned(id, version, content);
            let (change, stored) = writer.classify(article, &Origin::full(source)).unwrap();
            if change != Change::Unchanged {
                put_stored(writer, stored);
            }
        }
        Record::Delete(id) => {
            let id = ArticleId::new(&id.to_string()).unwrap();
            if let Removal::Replaced(holds) = writer.delete(&id, source).unwrap() {
                put_stored(writer, *holds);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_order_of_files_does_not_matter((files, order, after) in jobs()) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = open_writer(dir.path());
        for (file, after) in order.into_iter().zip(after) {
            for record in &files[file] {
                apply(&mut writer, *record, &name(file));
            }
            match after {
                After::Nothing => {}
                After::Commit => {
                    writer.commit().unwrap();
                }
                After::Reopen => {
                    writer.commit().unwrap();
                    writer.close().unwrap();
                    writer = open_writer(dir.path());
                }
            }
        }
        writer.commit().unwrap();
        writer.close().unwrap();
        prop_assert_eq!(verify(dir.path()).unwrap().faults, Vec::<String>::new());
        let index = Index::open(dir.path(), None, SearchSettings::default()).unwrap();
        let searcher = index.searcher().unwrap();
        for id in 0..IDS {
            let key = ArticleId::new(&id.to_string()).unwrap();
            let stored = searcher.article(&key).unwrap();
            let holds = stored.map(|stored| (stored.article, stored.source));
            prop_assert_eq!(holds, expected(&files, id), "article {}", id);
        }
    }
}

fn put_version(writer: &mut IndexWriter, version: u32, content: u8, source: &str) {
    let record = Record::Put {
        id: 1,
        version,
        content,
    };
    apply(writer, record, source);
}

fn held(dir: &Path) -> Option<(u32, String)> {
    let index = Index::open(dir, None, SearchSettings::default()).unwrap();
    let id = ArticleId::new("1").unwrap();
    let stored = index.searcher().unwrap().article(&id).unwrap();
    stored.map(|stored| (stored.article.version, stored.source))
}

#[test]
fn what_must_be_kept_aside_is_committed_first() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    put_version(&mut writer, 1, 1, "pubmed25n0002.xml");
    let newer = versioned(1, 2, 2);
    let (change, stored) = writer
        .classify(newer, &Origin::full("pubmed25n0001.xml"))
        .unwrap();
    assert_eq!(change, Change::Replaced);
    assert!(writer.needs_commit(&stored));
    let error = writer.put(stored.clone(), &[], &[]).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::Internal);
    writer.commit().unwrap();
    assert!(!writer.needs_commit(&stored));
    put_stored(&mut writer, stored);
    writer.commit().unwrap();
    assert_eq!(writer.committed().fallbacks.as_ref().unwrap().entries, 1);
}

#[test]
fn a_deletion_outlives_the_command_that_applied_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    apply(&mut writer, Record::Delete(1), "pubmed25n0005.xml");
    writer.commit().unwrap();
    writer.close().unwrap();
    let mut writer = open_writer(dir.path());
    put_version(&mut writer, 9, 1, "pubmed25n0004.xml");
    writer.commit().unwrap();
    assert_eq!(held(dir.path()), None);
    assert_eq!(writer.committed().tombstones.as_ref().unwrap().entries, 1);
    put_version(&mut writer, 1, 1, "pubmed25n0006.xml");
    writer.commit().unwrap();
    assert_eq!(held(dir.path()), Some((1, "pubmed25n0006.xml".to_owned())));
}

#[test]
fn a_late_deletion_uncovers_what_came_after_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    put_version(&mut writer, 1, 1, "pubmed25n0007.xml");
    writer.commit().unwrap();
    put_version(&mut writer, 2, 2, "pubmed25n0003.xml");
    writer.commit().unwrap();
    writer.close().unwrap();
    assert_eq!(held(dir.path()), Some((2, "pubmed25n0003.xml".to_owned())));
    let mut writer = open_writer(dir.path());
    assert_eq!(writer.committed().fallbacks.as_ref().unwrap().entries, 1);
    apply(&mut writer, Record::Delete(1), "pubmed25n0005.xml");
    writer.commit().unwrap();
    assert_eq!(writer.committed().fallbacks, None);
    assert_eq!(held(dir.path()), Some((1, "pubmed25n0007.xml".to_owned())));
    assert!(verify(dir.path()).unwrap().is_sound());
}

#[test]
fn files_of_other_names_hold_as_they_are_applied() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    apply(&mut writer, Record::Delete(1), "pubmed25n0005.xml");
    put_version(&mut writer, 1, 1, "mine.xml");
    writer.commit().unwrap();
    assert_eq!(held(dir.path()), Some((1, "mine.xml".to_owned())));
    // A file from before the deletion has no say in it.
    put_version(&mut writer, 1, 2, "pubmed25n0004.xml");
    writer.commit().unwrap();
    assert_eq!(held(dir.path()), Some((1, "mine.xml".to_owned())));
    apply(&mut writer, Record::Delete(1), "withdrawn.xml");
    writer.commit().unwrap();
    assert_eq!(held(dir.path()), None);
}

#[test]
fn an_equal_record_keeps_its_key_and_its_vector() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    put_version(&mut writer, 1, 1, "pubmed25n0001.xml");
    writer.commit().unwrap();
    let before = writer.committed().clone();
    put_version(&mut writer, 1, 1, "pubmed25n0005.xml");
    writer.commit().unwrap();
    assert_eq!(writer.committed().segments, before.segments);
    assert_eq!(writer.committed().next_key, before.next_key);
    assert_eq!(held(dir.path()), Some((1, "pubmed25n0005.xml".to_owned())));
    // Nothing is written when the same comes once more.
    let generation = writer.committed().generation;
    put_version(&mut writer, 1, 1, "pubmed25n0005.xml");
    put_version(&mut writer, 1, 1, "pubmed25n0003.xml");
    assert_eq!(writer.commit().unwrap(), generation);
}

#[test]
fn a_damaged_list_of_deletions_is_found_and_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open_writer(dir.path());
    apply(&mut writer, Record::Delete(1), "pubmed25n0005.xml");
    writer.commit().unwrap();
    let file = writer.committed().tombstones.clone().unwrap().file;
    writer.close().unwrap();
    let path = dir.path().join("provenance").join(&file.name);
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let faults = verify(dir.path()).unwrap().faults;
    assert!(
        faults.iter().any(|fault| fault.contains(&file.name)),
        "{faults:?}"
    );
    let error = IndexWriter::open(dir.path(), &model(), "", PassageMode::On, settings())
        .err()
        .unwrap();
    assert_eq!(error.kind(), crate::ErrorKind::Corrupt);
}
