//! Shuffling a stream.

use crate::data::random::generator;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Shuffles a stream through a buffer: each item goes to a place in the
/// buffer, whose item before it comes out. Items move backwards by any
/// distance, but forwards by at most the buffer's size, so sources that are
/// sorted need a large one. The same seed gives the same order.
pub struct Shuffle<I: Iterator> {
    source: I,
    buffer: Vec<I::Item>,
    capacity: usize,
    random: ChaCha8Rng,
}

impl<I: Iterator> Shuffle<I> {
    /// Shuffles with a buffer of so many items; 0 and 1 change nothing.
    pub fn new(source: I, capacity: usize, seed: u64) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            capacity,
            random: generator(seed, "shuffle", &[]),
        }
    }
}

impl<I: Iterator> Iterator for Shuffle<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.capacity < 2 {
            return self.source.next();
        }
        while self.buffer.len() < self.capacity {
            match self.source.next() {
                Some(item) => self.buffer.push(item),
                None => break,
            }
        }
        if self.buffer.is_empty() {
            return None;
        }
        let at = self.random.random_range(0..self.buffer.len());
        Some(self.buffer.swap_remove(at))
    }
}
