//! What the targets share.

use medsift_indexer::{Record, source};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// A file of this process, in memory where the system has such a place.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let folder = match memory.is_dir() {
        true => memory,
        false => std::env::temp_dir(),
    };
    folder.join(format!("medsift-fuzz-{}", std::process::id()))
});

/// Reads bytes as a file of whatever format they are, to the end.
///
/// Every article that comes out has to have an id and to be written as a
/// citation in every format without a panic.
///
/// # Panics
/// When the file cannot be written, or what was read breaks these rules.
pub fn read(bytes: &[u8]) {
    fs::write(&*FILE, bytes).expect("the file can be written");
    let Ok((_, records)) = source::open(&FILE) else {
        return;
    };
    for record in records {
        match record {
            Record::Article(article) => {
                assert!(!article.id.as_str().is_empty());
                let json = serde_json::to_string(&article).expect("an article is JSON");
                let again = serde_json::from_str(&json).expect("and is read again");
                assert_eq!(*article, again);
            }
            Record::Deletion(id) => assert!(!id.as_str().is_empty()),
            Record::Fault(fault) => assert!(!fault.reason.is_empty()),
            _ => {}
        }
    }
}
