//! Functions of one number, written so that a loop over them becomes vector
//! code: no branches, no calls.

/// `e^x` to about two units in the last place, held at the ends of -87 ..= 88.
///
/// The polynomial is that of the Cephes library's `expf` (Moshier,
/// netlib.org/cephes). Adding 1.5 · 2²³ rounds to a whole number, which then
/// stands in the low bits, from where it moves into the exponent.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + MAGIC;
    let n = shifted - MAGIC;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    let p = p * r * r + r + 1.0;
    p * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000))
}

/// The normal distribution Φ(x) and `e^(-x²/2)`; Φ to about 2e-7.
///
/// Abramowitz and Stegun, *Handbook of Mathematical Functions*, 7.1.26.
#[inline(always)]
pub(crate) fn normal(x: f32) -> (f32, f32) {
    let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let mut p = 1.061_405_4;
    p = p * t - 1.453_152;
    p = p * t + 1.421_413_7;
    p = p * t - 0.284_496_74;
    p = p * t + 0.254_829_6;
    let decay = exp(-z * z);
    let tail = 0.5 * p * t * decay;
    (if x < 0.0 { tail } else { 1.0 - tail }, decay)
}

/// The logistic function.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Hash of a counter (Wellons, "Prospecting for hash functions", 2018).
#[inline(always)]
pub(crate) fn hash(x: u32) -> u32 {
    let x = x ^ (x >> 16);
    let x = x.wrapping_mul(0x7feb_352d);
    let x = x ^ (x >> 15);
    let x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// Mixes a seed with a number into a new seed (the finaliser of SplitMix64,
/// Steele, Lea and Flood 2014).
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed
        .wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
