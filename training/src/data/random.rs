//! Random numbers that depend on nothing but a seed and a name.

use rand::SeedableRng;
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
}
