//! Inner products with AVX2 and FMA: eight numbers at a time.
#![allow(unsafe_code)]

use super::LANES;
use std::arch::x86_64::{
    __m256, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_movehdup_ps, _mm_movehl_ps, _mm256_add_ps,
    _mm256_castps256_ps128, _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_setzero_ps,
};

const WIDTH: usize = 8;
/// Sums for one row; with four rows they fill half of the sixteen registers.
const SUMS: usize = 2;

/// Inner product of two vectors of one length.
#[inline]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    // SAFETY: this kernel is only handed out where AVX2 and FMA were detected,
    // and the caller has compared the lengths.
    let [product] = unsafe { dot_rows(a, [b]) };
    product
}

/// Inner products of a query with four rows of its length.
#[inline]
pub(super) fn dot4(query: &[f32], rows: [&[f32]; LANES]) -> [f32; LANES] {
    // SAFETY: as in `dot`.
    unsafe { dot_rows(query, rows) }
}

/// # Safety
/// The processor has AVX2 and FMA and every row is as long as the query.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn dot_rows<const ROWS: usize>(query: &[f32], rows: [&[f32]; ROWS]) -> [f32; ROWS] {
    let len = query.len();
    let mut sums = [[_mm256_setzero_ps(); SUMS]; ROWS];
    let mut at = 0;
    while at + WIDTH * SUMS <= len {
        for part in 0..SUMS {
            let from = at + part * WIDTH;
            // SAFETY: `from + WIDTH` is at most the length of query and rows.
            let q = unsafe { _mm256_loadu_ps(query.as_ptr().add(from)) };
            for (row, sums) in rows.iter().zip(&mut sums) {
                // SAFETY: as above.
                let r = unsafe { _mm256_loadu_ps(row.as_ptr().add(from)) };
                sums[part] = _mm256_fmadd_ps(q, r, sums[part]);
            }
        }
        at += WIDTH * SUMS;
    }
    let mut totals = sums.map(|sums| total(sums));
    for (row, total) in rows.iter().zip(&mut totals) {
        for (q, r) in query[at..].iter().zip(&row[at..]) {
            *total = q.mul_add(*r, *total);
        }
    }
    totals
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn total(sums: [__m256; SUMS]) -> f32 {
    let eight = _mm256_add_ps(sums[0], sums[1]);
    let four = _mm_add_ps(
        _mm256_castps256_ps128(eight),
        _mm256_extractf128_ps::<1>(eight),
    );
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}
