//! Random numbers that depend on nothing but a seed and a name.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// A generator for one purpose of one run: the same seed, name and numbers
/// give the same stream on every machine and with any number of threads.
pub(crate) fn generator(seed: u64, name: &str, numbers: &[u64]) -> ChaCha8Rng {
    let mut digest = Sha256::new();
    digest.update(seed.to_le_bytes());
    digest.update((name.len() as u64).to_le_bytes());
    digest.update(name.as_bytes());
    for number in numbers {
        digest.update(number.to_le_bytes());
    }
    ChaCha8Rng::from_seed(digest.finalize().into())
}

/// Which of `count` things a seeded draw of `limit` keeps.
pub(crate) fn draw(count: usize, limit: usize, seed: u64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = generator(seed, "limit", &[]);
    let (chosen, _) = order.partial_shuffle(&mut random, limit.min(count));
    let mut keep = vec![false; count];
    for &mut index in chosen {
        keep[index] = true;
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    fn first(seed: u64, name: &str, numbers: &[u64]) -> u64 {
        generator(seed, name, numbers).random()
    }

    #[test]
    fn every_part_of_the_key_counts() {
        assert_eq!(first(1, "order", &[2]), first(1, "order", &[2]));
        let others = [
            first(2, "order", &[2]),
            first(1, "masks", &[2]),
            first(1, "order", &[3]),
            first(1, "order", &[]),
        ];
        for other in others {
            assert_ne!(first(1, "order", &[2]), other);
        }
    }

    #[test]
    fn a_draw_keeps_as_many_as_it_is_told() {
        for limit in [0, 3, 10, 20] {
            let kept = draw(10, limit, 1).into_iter().filter(|&kept| kept).count();
            assert_eq!(kept, limit.min(10));
        }
        assert_ne!(draw(100, 50, 1), draw(100, 50, 2));
    }
}
