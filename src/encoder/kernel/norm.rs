//! Layer normalisation (Ba et al., 2016, arXiv:1607.06450).

use super::product::{read, write};
use super::simd::Simd;

/// Normalises one row to mean 0 and variance 1, then scales and shifts it.
///
/// # Safety
/// The instruction set of `S` is there and all three hold `width` numbers.
#[inline(always)]
pub(super) unsafe fn layer_norm<S: Simd>(
    row: *mut f32,
    scale: *const f32,
    shift: *const f32,
    width: usize,
    epsilon: f32,
) {
    let whole = width - width % S::LANES;
    let count = width - whole;
    // SAFETY: the caller vouches for `width` numbers each.
    unsafe {
        let mut sum = S::splat(0.0);
        let mut at = 0;
        while at < whole {
            sum = S::add(sum, S::load(row.wrapping_add(at)));
            at += S::LANES;
        }
        if count > 0 {
            sum = S::add(sum, S::load_first(row.wrapping_add(whole), count));
        }
        let mean = S::sum(sum) / width as f32;
        let middle = S::splat(mean);
        let mut squares = S::splat(0.0);
        at = 0;
        while at < whole {
            let apart = S::sub(S::load(row.wrapping_add(at)), middle);
            squares = S::fma(apart, apart, squares);
            at += S::LANES;
        }
        let mut squares = S::sum(squares);
        for at in whole..width {
            let apart = row.wrapping_add(at).read() - mean;
            squares += apart * apart;
        }
        let factor = S::splat(1.0 / (squares / width as f32 + epsilon).sqrt());
        at = 0;
        while at < width {
            let count = S::LANES.min(width - at);
            let apart = S::sub(read::<S>(row.wrapping_add(at), count), middle);
            let scale = read::<S>(scale.wrapping_add(at), count);
            let shift = read::<S>(shift.wrapping_add(at), count);
            let value = S::fma(S::mul(apart, factor), scale, shift);
            write::<S>(row.wrapping_add(at), count, value);
            at += count;
        }
    }
}
