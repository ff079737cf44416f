//! Inner products with AVX-512F: sixteen numbers at a time.
#![allow(unsafe_code)]

use super::LANES;
use std::arch::x86_64::{
    __m512, _mm512_add_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_maskz_loadu_ps,
    _mm512_reduce_add_ps, _mm512_setzero_ps,
};

const WIDTH: usize = 16;
/// Sums for one row: hides the latency of the multiply-add.
const SUMS: usize = 4;

/// Inner product of two vectors of one length.
#[inline]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    // SAFETY: this kernel is only handed out where AVX-512F was detected, and
    // the caller has compared the lengths.
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
/// The processor has AVX-512F and every row is as long as the query.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn dot_rows<const ROWS: usize>(query: &[f32], rows: [&[f32]; ROWS]) -> [f32; ROWS] {
    let len = query.len();
    let mut sums = [[_mm512_setzero_ps(); SUMS]; ROWS];
    let mut at = 0;
    while at + WIDTH * SUMS <= len {
        for part in 0..SUMS {
            let from = at + part * WIDTH;
            // SAFETY: `from + WIDTH` is at most the length of query and rows.
            let q = unsafe { _mm512_loadu_ps(query.as_ptr().add(from)) };
            for (row, sums) in rows.iter().zip(&mut sums) {
                // SAFETY: as above.
                let r = unsafe { _mm512_loadu_ps(row.as_ptr().add(from)) };
                sums[part] = _mm512_fmadd_ps(q, r, sums[part]);
            }
        }
        at += WIDTH * SUMS;
    }
    while at < len {
        let mask = u16::MAX >> (WIDTH - (len - at).min(WIDTH));
        // SAFETY: the mask leaves out what lies beyond the end.
        let q = unsafe { _mm512_maskz_loadu_ps(mask, query.as_ptr().add(at)) };
        for (row, sums) in rows.iter().zip(&mut sums) {
            // SAFETY: as above.
            let r = unsafe { _mm512_maskz_loadu_ps(mask, row.as_ptr().add(at)) };
            sums[0] = _mm512_fmadd_ps(q, r, sums[0]);
        }
        at += WIDTH;
    }
    sums.map(|sums| total(sums))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn total(sums: [__m512; SUMS]) -> f32 {
    let [a, b, c, d] = sums;
    _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(a, b), _mm512_add_ps(c, d)))
}
