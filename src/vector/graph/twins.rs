//! Finds rows whose vectors are equal, bit by bit.

use crate::vector::passages::Passages;
use rayon::prelude::*;

/// Pairs of the first row that has a vector and a later one that has it too,
/// sorted.
pub(super) fn find(passages: &Passages) -> Vec<[u32; 2]> {
    let mut hashed: Vec<(u64, u32)> = (0..passages.len())
        .into_par_iter()
        .map(|row| (hash(passages.vector(row)), row))
        .collect();
    hashed.par_sort_unstable();
    let mut twins = Vec::new();
    for group in hashed.chunk_by(|a, b| a.0 == b.0) {
        // Almost always one vector; more only where hashes collide.
        let mut firsts: Vec<u32> = Vec::new();
        for &(_, row) in group {
            let vector = passages.vector(row);
            match firsts
                .iter()
                .find(|first| same(passages.vector(**first), vector))
            {
                Some(first) => twins.push([*first, row]),
                None => firsts.push(row),
            }
        }
    }
    twins.sort_unstable();
    twins
}

fn same(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// Multiplies and rotates: fast, and good enough to tell vectors apart.
fn hash(vector: &[f32]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    vector.iter().fold(FACTOR, |hash, number| {
        (hash ^ u64::from(number.to_bits()))
            .wrapping_mul(FACTOR)
            .rotate_left(29)
    })
}
