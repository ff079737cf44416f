use serde::{Deserialize, Serialize};

/// Number given to one state of an article when it was added to an index.
///
/// Keys rise by one with every article added and are never used again: an
/// article that is replaced gets a new key and its old one is deleted. Both
/// sides of the index speak of articles by key, so that results are joined
/// and filters and deletions are held as bitmaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArticleKey(pub u32);
