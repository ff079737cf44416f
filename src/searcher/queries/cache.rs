//! Vectors of queries that came before.

use super::Vector;
use lru::LruCache;
use std::sync::Arc;

/// About what an entry takes beside its text and its numbers: keys, links,
/// reference counts and its share of the table.
const OVERHEAD: usize = 128;

/// The vectors that were used last, up to a number of bytes.
pub(super) struct Cache {
    entries: LruCache<Arc<str>, Vector>,
    bytes: usize,
    limit: usize,
}

impl Cache {
    /// An empty cache of at most so many bytes; 0 keeps nothing.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            entries: LruCache::unbounded(),
            bytes: 0,
            limit,
        }
    }

    /// The vector of a text, which becomes the one used last.
    pub(super) fn get(&mut self, text: &str) -> Option<Vector> {
        self.entries.get(text).map(Arc::clone)
    }

    /// Keeps a vector and gives up those that were not used for longest.
    pub(super) fn put(&mut self, text: Arc<str>, vector: Vector) {
        let cost = cost(&text, &vector);
        if cost > self.limit {
            return;
        }
        self.bytes += cost;
        if let Some((text, vector)) = self.entries.push(text, vector) {
            self.bytes -= self::cost(&text, &vector);
        }
        while self.bytes > self.limit {
            let Some((text, vector)) = self.entries.pop_lru() else {
                break;
            };
            self.bytes -= self::cost(&text, &vector);
        }
    }

    /// Bytes that are taken up.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Vectors that are kept.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

fn cost(text: &str, vector: &[f32]) -> usize {
    text.len() + size_of_val(vector) + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &mut Cache, text: &str) {
        cache.put(text.into(), vec![text.len() as f32; 8].into());
    }

    #[test]
    fn it_never_takes_more_than_its_limit_and_gives_up_what_is_oldest() {
        let each = cost("00", &[0.0; 8]);
        let mut cache = Cache::new(3 * each + 1);
        for number in 10..20 {
            put(&mut cache, &number.to_string());
            assert!(cache.bytes() <= 3 * each + 1);
        }
        assert_eq!((cache.len(), cache.bytes()), (3, 3 * each));
        assert!(cache.get("16").is_none());
        assert!(cache.get("17").is_some());
        // What was just asked for stays, what came after it goes.
        put(&mut cache, "20");
        assert!(cache.get("17").is_some());
        assert!(cache.get("18").is_none());
    }

    #[test]
    fn what_comes_again_is_counted_once() {
        let mut cache = Cache::new(10_000);
        put(&mut cache, "same");
        let bytes = cache.bytes();
        put(&mut cache, "same");
        assert_eq!((cache.len(), cache.bytes()), (1, bytes));
    }

    #[test]
    fn what_is_larger_than_the_whole_is_not_kept() {
        let mut cache = Cache::new(200);
        put(&mut cache, "a");
        put(&mut cache, &"long ".repeat(100));
        assert!(cache.get("a").is_some());
        assert_eq!(cache.len(), 1);
        let mut none = Cache::new(0);
        put(&mut none, "a");
        assert_eq!((none.len(), none.bytes()), (0, 0));
    }
}
