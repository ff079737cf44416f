//! Choice of neighbours: near, and in different directions.

use crate::vector::kernels::{Kernel, LANES};
use crate::vector::score::Scored;

/// Chooses up to `most` of the candidates, which come best first: one is taken
/// when it is nearer to the point than to every one taken before (algorithm 4
/// of the paper, without its optional extensions).
pub(super) fn select<'a>(
    kernel: Kernel,
    candidates: impl Iterator<Item = Scored>,
    vector: impl Fn(u32) -> &'a [f32],
    most: usize,
) -> Vec<Scored> {
    let mut taken: Vec<Scored> = Vec::with_capacity(most);
    let mut vectors: Vec<&[f32]> = Vec::with_capacity(most);
    for candidate in candidates {
        if taken.len() == most {
            break;
        }
        let own = vector(candidate.id());
        if !nearer(kernel, own, &vectors, candidate.score()) {
            taken.push(candidate);
            vectors.push(own);
        }
    }
    taken
}

/// Whether a vector is nearer to one of `others` than `score`.
fn nearer(kernel: Kernel, vector: &[f32], others: &[&[f32]], score: f32) -> bool {
    let (fours, rest) = others.as_chunks::<LANES>();
    fours.iter().any(|four| {
        kernel
            .dot4(vector, *four)
            .iter()
            .any(|other| *other > score)
    }) || rest.iter().any(|other| kernel.dot(vector, other) > score)
}
