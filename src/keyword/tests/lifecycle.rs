use super::*;
use crate::error::ErrorKind;
use crate::keyword::damaged_files;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

fn snapshot(dir: &Path) -> KeywordSnapshot {
    KeywordIndex::open(dir).unwrap().snapshot().unwrap()
}

#[test]
fn an_empty_index_is_an_index() {
    let (dir, snapshot) = index_of(&[]);
    assert_eq!(snapshot.articles(), 0);
    assert_eq!(snapshot.payload(), "made");
    assert!(found(&snapshot, "anything").is_empty());
    assert!(snapshot.matching(&Filter::default()).unwrap().is_empty());
    assert!(snapshot.keys_and_ids().unwrap().is_empty());
    assert_eq!(writer(dir.path()).payload(), Some("made"));
}

#[test]
fn nothing_is_seen_before_the_commit() {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    assert_eq!(writer.payload(), None);
    writer
        .add(ArticleKey(0), &article("1", "Aspirin", ""), b"one")
        .unwrap();
    let index = KeywordIndex::open(dir.path()).unwrap();
    let before = index.snapshot().unwrap();
    assert_eq!((before.articles(), before.payload()), (0, ""));
    writer.commit("first").unwrap();
    let after = index.snapshot().unwrap();
    assert_eq!((after.articles(), after.payload()), (1, "first"));
    assert_eq!(before.articles(), 0, "a snapshot does not change");
    assert_eq!(after.stored_by_key(ArticleKey(0)).unwrap().unwrap(), b"one");
    assert_eq!(after.stored_by_key(ArticleKey(1)).unwrap(), None);
}

#[test]
fn deleting_then_adding_in_one_commit_keeps_the_added() {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    writer
        .add(ArticleKey(0), &article("1", "Old", ""), b"old")
        .unwrap();
    writer.delete(&id("1")).unwrap();
    writer
        .add(ArticleKey(1), &article("1", "New", ""), b"new")
        .unwrap();
    writer.commit("a").unwrap();
    let first = snapshot(dir.path());
    assert_eq!(first.key_of(&id("1")).unwrap(), Some(ArticleKey(1)));
    assert!(found(&first, "old").is_empty());
    // The same across commits.
    writer.delete(&id("1")).unwrap();
    writer
        .add(ArticleKey(2), &article("1", "Newer", ""), b"newer")
        .unwrap();
    writer.commit("b").unwrap();
    let second = snapshot(dir.path());
    assert_eq!(second.keys_and_ids().unwrap(), [(ArticleKey(2), id("1"))]);
    assert_eq!(second.stored_by_key(ArticleKey(1)).unwrap(), None);
    assert_eq!(found(&second, "newer"), [2]);
    assert_eq!(found(&first, "new"), [1], "the older snapshot still holds");
    // Adding, then deleting, leaves nothing.
    writer.delete(&id("1")).unwrap();
    writer.commit("c").unwrap();
    assert_eq!(snapshot(dir.path()).key_of(&id("1")).unwrap(), None);
}

#[test]
fn rolling_back_forgets_what_was_not_committed() {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    writer
        .add(ArticleKey(0), &article("1", "Kept", ""), b"")
        .unwrap();
    writer.commit("kept").unwrap();
    writer.delete(&id("1")).unwrap();
    writer
        .add(ArticleKey(1), &article("2", "Dropped", ""), b"")
        .unwrap();
    writer.rollback().unwrap();
    assert_eq!(writer.payload(), Some("kept"));
    writer
        .add(ArticleKey(1), &article("3", "Later", ""), b"")
        .unwrap();
    writer.commit("later").unwrap();
    let snapshot = snapshot(dir.path());
    assert_eq!(
        snapshot.keys_and_ids().unwrap(),
        [(ArticleKey(0), id("1")), (ArticleKey(1), id("3"))]
    );
}

#[test]
fn a_second_writer_is_refused() {
    let dir = TempDir::new().unwrap();
    let first = writer(dir.path());
    let error = KeywordWriter::open(dir.path(), MEMORY, 1).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Locked);
    assert!(error.to_string().contains("another process"), "{error}");
    first.close().unwrap();
    writer(dir.path()).close().unwrap();
}

#[test]
fn leftovers_of_a_crash_are_harmless_and_removed() {
    let (dir, _) = index_of(&[article("1", "Aspirin", "")]);
    let count = || fs::read_dir(dir.path()).unwrap().count();
    let before = count();
    let mut writer_that_dies = writer(dir.path());
    // A segment of its own, flushed but never committed.
    for i in 0..50 {
        let lost = article(&format!("lost{i}"), "Lost", &"words ".repeat(2000));
        writer_that_dies
            .add(ArticleKey(10 + i), &lost, b"")
            .unwrap();
    }
    drop(writer_that_dies);
    fs::write(dir.path().join(".tmpAbC123"), b"half a file").unwrap();
    assert_eq!(found(&snapshot(dir.path()), "aspirin lost"), [0]);
    let mut next = writer(dir.path());
    assert_eq!(next.payload(), Some("made"));
    assert!(!dir.path().join(".tmpAbC123").exists());
    next.commit("next").unwrap();
    next.close().unwrap();
    assert_eq!(found(&snapshot(dir.path()), "aspirin lost"), [0]);
    assert!(count() <= before + 2, "uncommitted segments stay behind");
}

#[test]
fn what_is_not_an_index_is_refused_in_words() {
    let dir = TempDir::new().unwrap();
    let kind = |dir: &Path| KeywordIndex::open(dir).err().unwrap().kind();
    assert_eq!(kind(&dir.path().join("none")), ErrorKind::NotFound);
    assert_eq!(kind(dir.path()), ErrorKind::NotFound);
    let other = tantivy::schema::Schema::builder().build();
    tantivy::Index::create_in_dir(dir.path(), other).unwrap();
    assert_eq!(kind(dir.path()), ErrorKind::Incompatible);
    let error = KeywordWriter::open(dir.path(), MEMORY, 1).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
}

#[test]
fn a_missing_or_damaged_file_is_named() {
    let (dir, snapshot) = index_of(&[article("1", "Aspirin", "")]);
    drop(snapshot);
    assert!(damaged_files(dir.path()).unwrap().is_empty());
    let entries = fs::read_dir(dir.path()).unwrap();
    let store = entries
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "store")
        })
        .unwrap();
    let mut bytes = fs::read(&store).unwrap();
    bytes[3] ^= 0x40;
    fs::write(&store, bytes).unwrap();
    let damaged = damaged_files(dir.path()).unwrap();
    assert_eq!(damaged, [store.file_name().unwrap()]);
    fs::remove_file(&store).unwrap();
    let error = KeywordIndex::open(dir.path()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
}

/// The superuser writes everywhere, so this says something for others only.
#[cfg(unix)]
#[test]
fn a_read_only_folder_is_read_but_not_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let (dir, _) = index_of(&[article("1", "Aspirin", "")]);
    for entry in fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        let hidden = path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(".tantivy");
        if hidden {
            fs::remove_file(path).unwrap();
        }
    }
    let set_mode =
        |mode| fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o555);
    let probe = fs::write(dir.path().join("probe"), b"");
    let read = KeywordIndex::open(dir.path()).and_then(|index| index.snapshot());
    let written = KeywordWriter::open(dir.path(), MEMORY, 1);
    set_mode(0o755);
    assert_eq!(read.unwrap().articles(), 1);
    if probe.is_err() {
        assert_eq!(written.err().unwrap().kind(), ErrorKind::Permission);
    }
}

#[test]
fn the_payload_belongs_to_what_is_found() {
    const COMMITS: u32 = 60;
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    writer.commit("0").unwrap();
    let index = KeywordIndex::open(dir.path()).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers = [(); 2].map(|()| {
            scope.spawn(|| {
                let mut seen = 0;
                while !done.load(Ordering::Relaxed) {
                    let snapshot = index.snapshot().unwrap();
                    let articles = snapshot.articles();
                    assert_eq!(snapshot.payload(), articles.to_string());
                    assert!(articles >= seen, "a snapshot went back");
                    seen = articles;
                }
            })
        });
        for i in 0..COMMITS {
            let added = article(&i.to_string(), "Aspirin", "");
            writer.add(ArticleKey(i), &added, b"").unwrap();
            writer.commit(&(i + 1).to_string()).unwrap();
        }
        done.store(true, Ordering::Relaxed);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    assert_eq!(index.snapshot().unwrap().articles(), u64::from(COMMITS));
}

#[test]
fn a_snapshot_is_made_once_per_commit() {
    let (dir, _) = index_of(&[article("1", "Aspirin", "")]);
    let index = KeywordIndex::open(dir.path()).unwrap();
    let (one, two) = (index.snapshot().unwrap(), index.snapshot().unwrap());
    assert!(std::sync::Arc::ptr_eq(&one.0, &two.0));
}

#[test]
fn merging_changes_nothing_that_is_found() {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    for i in 0..6_u32 {
        let added = article(&i.to_string(), "Aspirin", &"pain ".repeat(i as usize));
        writer.add(ArticleKey(i), &added, b"x").unwrap();
        writer.commit(&i.to_string()).unwrap();
    }
    let before = snapshot(dir.path());
    let hits = |snapshot: &KeywordSnapshot| {
        snapshot
            .search("aspirin pain", &Filter::default(), 10)
            .unwrap()
    };
    writer.merge_all().unwrap();
    writer.close().unwrap();
    let after = snapshot(dir.path());
    assert_eq!(after.segments(), 1);
    assert_eq!(after.payload(), "5");
    assert_eq!(hits(&before), hits(&after));
}

#[derive(Debug, Clone)]
enum Step {
    /// Delete, then add.
    Put(u8),
    Delete(u8),
    Commit,
    Rollback,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0_u8..8).prop_map(Step::Put),
        3 => (0_u8..8).prop_map(Step::Delete),
        2 => Just(Step::Commit),
        1 => Just(Step::Rollback),
        1 => Just(Step::Reopen),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_leaves_what_a_plain_map_holds(steps in prop::collection::vec(step(), 1..24)) {
        let dir = TempDir::new().unwrap();
        let mut open = writer(dir.path());
        open.commit("{}").unwrap();
        let mut pending: BTreeMap<u8, u32> = BTreeMap::new();
        let mut committed = pending.clone();
        let mut next_key = 0;
        for step in steps {
            match step {
                Step::Put(name) => {
                    open.delete(&id(&name.to_string())).unwrap();
                    let added = article(&name.to_string(), "Title", "");
                    open.add(ArticleKey(next_key), &added, &[name]).unwrap();
                    pending.insert(name, next_key);
                    next_key += 1;
                }
                Step::Delete(name) => {
                    open.delete(&id(&name.to_string())).unwrap();
                    pending.remove(&name);
                }
                Step::Commit => {
                    open.commit(&format!("{pending:?}")).unwrap();
                    committed = pending.clone();
                }
                Step::Rollback => {
                    open.rollback().unwrap();
                    pending = committed.clone();
                }
                Step::Reopen => {
                    open.close().unwrap();
                    open = writer(dir.path());
                    pending = committed.clone();
                }
            }
            let snapshot = snapshot(dir.path());
            prop_assert_eq!(snapshot.payload(), if committed.is_empty() { "{}".to_owned() } else { format!("{committed:?}") });
            let mut held: Vec<(u8, u32)> = snapshot
                .keys_and_ids()
                .unwrap()
                .into_iter()
                .map(|(key, id)| (id.as_str().parse().unwrap(), key.0))
                .collect();
            held.sort_unstable();
            prop_assert_eq!(held, committed.clone().into_iter().collect::<Vec<_>>());
            let mut keys: Vec<u32> = committed.values().copied().collect();
            keys.sort_unstable();
            let matching = snapshot.matching(&Filter::default()).unwrap();
            prop_assert_eq!(matching.iter().collect::<Vec<_>>(), keys);
        }
    }
}
