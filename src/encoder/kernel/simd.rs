//! The vector operations that the kernels are written in, once for every
//! instruction set.

/// Vectors of single-precision numbers of one instruction set.
///
/// Every method is `unsafe` because it may only run where the processor has
/// that instruction set, and because the pointers are not checked. All
/// implementations are `#[inline(always)]`, so that they dissolve into the
/// function with the matching `target_feature` that calls them.
#[allow(clippy::missing_safety_doc)]
pub trait Simd: Copy + 'static {
    /// A vector.
    type V: Copy;
    /// Numbers in a vector.
    const LANES: usize;
    /// Rows of a register tile in a matrix product.
    const ROWS: usize;

    /// Every lane the same.
    unsafe fn splat(value: f32) -> Self::V;
    /// Reads `LANES` numbers; no alignment is needed.
    unsafe fn load(from: *const f32) -> Self::V;
    /// Reads the first `count < LANES` numbers, the other lanes are zero.
    unsafe fn load_first(from: *const f32, count: usize) -> Self::V;
    /// Writes `LANES` numbers.
    unsafe fn store(to: *mut f32, vector: Self::V);
    /// Writes the first `count < LANES` numbers.
    unsafe fn store_first(to: *mut f32, count: usize, vector: Self::V);
    /// `a + b`.
    unsafe fn add(a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`.
    unsafe fn sub(a: Self::V, b: Self::V) -> Self::V;
    /// `a * b`.
    unsafe fn mul(a: Self::V, b: Self::V) -> Self::V;
    /// `a / b`.
    unsafe fn div(a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`.
    unsafe fn fma(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// The larger of each pair.
    unsafe fn max(a: Self::V, b: Self::V) -> Self::V;
    /// The smaller of each pair.
    unsafe fn min(a: Self::V, b: Self::V) -> Self::V;
    /// Nearest whole number, ties to even.
    unsafe fn round(a: Self::V) -> Self::V;
    /// `a * 2^n` for whole `n` in -126 ..= 127.
    unsafe fn scale(a: Self::V, n: Self::V) -> Self::V;
    /// Sum of the lanes.
    unsafe fn sum(a: Self::V) -> f32;
    /// Largest lane.
    unsafe fn largest(a: Self::V) -> f32;
}
