//! Portable inner product, and the twin that the others are tested against.

/// Independent sums, so that the compiler may use vector registers.
const WIDTH: usize = 16;

/// Inner product of two vectors of one length.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; WIDTH];
    let (a_blocks, a_rest) = a.as_chunks::<WIDTH>();
    let (b_blocks, b_rest) = b.as_chunks::<WIDTH>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let mut width = WIDTH / 2;
    while width > 0 {
        for at in 0..width {
            sums[at] += sums[at + width];
        }
        width /= 2;
    }
    sums[0] + rest
}
