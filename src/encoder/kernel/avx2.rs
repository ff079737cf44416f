//! AVX2 with FMA: vectors of eight.

use super::simd::Simd;
use std::arch::x86_64::*;

/// AVX2 and FMA.
#[derive(Debug, Clone, Copy)]
pub struct Avx2;

/// Sliding over this table gives the mask for the first lanes.
static MASKS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// Mask of the first `count <= 8` lanes.
#[inline(always)]
unsafe fn first(count: usize) -> __m256i {
    debug_assert!(count <= 8);
    // SAFETY: eight numbers follow each of the first nine places of the table.
    unsafe { _mm256_loadu_si256(MASKS.as_ptr().wrapping_add(8 - count).cast()) }
}

// SAFETY (all blocks): the trait's contract puts the processor's support and
// the validity of pointers on the caller.
impl Simd for Avx2 {
    type V = __m256;
    const LANES: usize = 8;
    const ROWS: usize = 6;

    #[inline(always)]
    unsafe fn splat(value: f32) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_set1_ps(value) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_loadu_ps(from) }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize) -> __m256 {
        // SAFETY: masked lanes are not read.
        unsafe { _mm256_maskload_ps(from, first(count)) }
    }
    #[inline(always)]
    unsafe fn store(to: *mut f32, vector: __m256) {
        // SAFETY: see above.
        unsafe { _mm256_storeu_ps(to, vector) }
    }
    #[inline(always)]
    unsafe fn store_first(to: *mut f32, count: usize, vector: __m256) {
        // SAFETY: masked lanes are not written.
        unsafe { _mm256_maskstore_ps(to, first(count), vector) }
    }
    #[inline(always)]
    unsafe fn add(a: __m256, b: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_add_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn sub(a: __m256, b: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_sub_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn mul(a: __m256, b: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn div(a: __m256, b: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_div_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn fma(a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    unsafe fn max(a: __m256, b: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_max_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn min(a: __m256, b: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_min_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn round(a: __m256) -> __m256 {
        // SAFETY: see above.
        unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a) }
    }
    #[inline(always)]
    unsafe fn scale(a: __m256, n: __m256) -> __m256 {
        // SAFETY: see above. Puts n into the exponent bits of one.
        unsafe {
            let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
            let power = _mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent));
            _mm256_mul_ps(a, power)
        }
    }
    #[inline(always)]
    unsafe fn sum(a: __m256) -> f32 {
        // SAFETY: see above.
        unsafe {
            let half = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let pair = _mm_add_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_add_ss(pair, _mm_movehdup_ps(pair)))
        }
    }
    #[inline(always)]
    unsafe fn largest(a: __m256) -> f32 {
        // SAFETY: see above.
        unsafe {
            let half = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let pair = _mm_max_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_max_ss(pair, _mm_movehdup_ps(pair)))
        }
    }
}
