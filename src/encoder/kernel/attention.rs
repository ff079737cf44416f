//! Attention of one head over one sequence, a few queries at a time, so that
//! their scores stay in the cache between product, softmax and product.

use super::function::exp;
use super::product::{accumulate, tile_rows, write};
use super::simd::Simd;

/// `output = softmax(q · kᵀ · scale + distances) · v` for one head of one
/// sequence.
///
/// Queries, keys and values lie in rows of the same matrix. Behind the last
/// row [`super::SLACK`] more numbers can be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attention {
    /// First query.
    pub queries: *const f32,
    /// First key.
    pub keys: *const f32,
    /// First value.
    pub values: *const f32,
    /// From one token to the next.
    pub stride: usize,
    /// Tokens of the sequence.
    pub tokens: usize,
    /// Width of the head.
    pub head: usize,
    /// Factor of the scores.
    pub scale: f32,
    /// What the scores of the first query get for the distance of each key: one for each key, and those of each further
    /// query begin one place before. Null where there is none.
    pub distances: *const f32,
    /// First row of the output.
    pub output: *mut f32,
    /// From one row of the output to the next.
    pub output_stride: usize,
    /// Room for `attention_scratch` numbers.
    pub scratch: *mut f32,
}

/// Keys turned into panels: `head` rows of `width` keys each.
unsafe fn pack_keys(p: &Attention, to: *mut f32, width: usize) {
    for panel in 0..p.tokens.div_ceil(width) {
        let to = to.wrapping_add(panel * p.head * width);
        let first = panel * width;
        let filled = width.min(p.tokens - first);
        for key in 0..filled {
            let from = p.keys.wrapping_add((first + key) * p.stride);
            for i in 0..p.head {
                // SAFETY: the caller vouches for keys and scratch.
                unsafe {
                    to.wrapping_add(i * width + key)
                        .write(from.wrapping_add(i).read());
                }
            }
        }
        for i in 0..p.head {
            for key in filled..width {
                // SAFETY: as above.
                unsafe { to.wrapping_add(i * width + key).write(0.0) }
            }
        }
    }
}

/// Scores of MR queries with all keys, `stride` apart.
#[inline(always)]
unsafe fn scores<S: Simd, const MR: usize, const NV: usize>(
    p: &Attention,
    query: usize,
    panels: *const f32,
    to: *mut f32,
    stride: usize,
) {
    let width = NV * S::LANES;
    let queries = p.queries.wrapping_add(query * p.stride);
    for panel in 0..stride / width {
        let b = panels.wrapping_add(panel * p.head * width);
        // SAFETY: the caller vouches for the matrices; `stride` is a whole
        // number of panels.
        unsafe {
            let zero = [[S::splat(0.0); NV]; MR];
            let acc = accumulate::<S, MR, NV>(p.head, queries, p.stride, b, width, zero);
            for (i, acc) in acc.iter().enumerate() {
                let row = to.wrapping_add(i * stride + panel * width);
                for (j, &acc) in acc.iter().enumerate() {
                    S::store(row.wrapping_add(j * S::LANES), acc);
                }
            }
        }
    }
}

/// Adds to one row of scores what its keys get for their distance.
#[inline(always)]
unsafe fn shift<S: Simd>(row: *mut f32, distances: *const f32, tokens: usize, scale: f32) {
    // The row is scaled later, and these numbers are not to be.
    let (back, whole) = (1.0 / scale, tokens - tokens % S::LANES);
    // SAFETY: the caller vouches for `tokens` numbers at both.
    unsafe {
        let factor = S::splat(back);
        for at in (0..whole).step_by(S::LANES) {
            let here = row.wrapping_add(at);
            let given = S::load(distances.wrapping_add(at));
            S::store(here, S::fma(given, factor, S::load(here)));
        }
        for at in whole..tokens {
            let here = row.wrapping_add(at);
            here.write(distances.wrapping_add(at).read() * back + here.read());
        }
    }
}

/// Turns one row of scores into exponentials of their distance to the largest
/// and returns one over their sum.
#[inline(always)]
unsafe fn soften<S: Simd>(row: *mut f32, tokens: usize, scale: f32) -> f32 {
    let whole = tokens - tokens % S::LANES;
    // SAFETY: the caller vouches for `tokens` numbers at `row`.
    unsafe {
        let mut largest = S::splat(f32::NEG_INFINITY);
        let mut at = 0;
        while at < whole {
            largest = S::max(largest, S::load(row.wrapping_add(at)));
            at += S::LANES;
        }
        let mut largest = S::largest(largest);
        for at in whole..tokens {
            largest = largest.max(row.wrapping_add(at).read());
        }
        let (factor, shift) = (S::splat(scale), S::splat(-largest * scale));
        let mut sum = S::splat(0.0);
        let mut at = 0;
        while at < whole {
            let here = row.wrapping_add(at);
            let value = exp::<S>(S::fma(S::load(here), factor, shift));
            S::store(here, value);
            sum = S::add(sum, value);
            at += S::LANES;
        }
        let mut sum = S::sum(sum);
        if whole < tokens {
            let here = row.wrapping_add(whole);
            let count = tokens - whole;
            let value = exp::<S>(S::fma(S::load_first(here, count), factor, shift));
            S::store_first(here, count, value);
            for at in 0..count {
                sum += here.wrapping_add(at).read();
            }
        }
        1.0 / sum
    }
}

/// `NV` vectors of columns of `weights · values`, each row times its factor.
#[inline(always)]
unsafe fn mix<S: Simd, const MR: usize, const NV: usize>(
    p: &Attention,
    (query, column): (usize, usize),
    weights: *const f32,
    stride: usize,
    factors: &[f32; MR],
) {
    // SAFETY: the caller vouches for the matrices; vectors that reach over
    // the head's columns read what follows and are not stored there.
    unsafe {
        let zero = [[S::splat(0.0); NV]; MR];
        let values = p.values.wrapping_add(column);
        let acc = accumulate::<S, MR, NV>(p.tokens, weights, stride, values, p.stride, zero);
        for i in 0..MR {
            let row = p.output.wrapping_add((query + i) * p.output_stride);
            for j in 0..NV {
                let column = column + j * S::LANES;
                if column < p.head {
                    let count = S::LANES.min(p.head - column);
                    let value = S::mul(acc[i][j], S::splat(factors[i]));
                    write::<S>(row.wrapping_add(column), count, value);
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn queries<S: Simd, const MR: usize, const NV: usize>(
    p: &Attention,
    query: usize,
    panels: *const f32,
    to: *mut f32,
    stride: usize,
) {
    // SAFETY: handed on from the caller.
    unsafe {
        scores::<S, MR, NV>(p, query, panels, to, stride);
        let mut factors = [0.0; MR];
        for (i, factor) in factors.iter_mut().enumerate() {
            if !p.distances.is_null() {
                let distances = p.distances.wrapping_sub(query + i);
                shift::<S>(to.wrapping_add(i * stride), distances, p.tokens, p.scale);
            }
            *factor = soften::<S>(to.wrapping_add(i * stride), p.tokens, p.scale);
        }
        let mut column = 0;
        while column < p.head {
            mix::<S, MR, 2>(p, (query, column), to, stride, &factors);
            column += 2 * S::LANES;
        }
    }
}

/// Runs one head.
///
/// # Safety
/// The instruction set of `S` is there, the matrices have the sizes that are
/// stated, and nothing else touches the head's columns of the output.
#[inline(always)]
pub(super) unsafe fn attention<S: Simd, const NV: usize>(p: &Attention) {
    let width = NV * S::LANES;
    let stride = p.tokens.next_multiple_of(width);
    let scores = p.scratch.wrapping_add(stride * p.head);
    // SAFETY: handed on from the caller.
    unsafe {
        pack_keys(p, p.scratch, width);
        let mut query = 0;
        while query < p.tokens {
            let rows = tile_rows(query, p.tokens, S::ROWS);
            match rows {
                1 => queries::<S, 1, NV>(p, query, p.scratch, scores, stride),
                2 => queries::<S, 2, NV>(p, query, p.scratch, scores, stride),
                3 => queries::<S, 3, NV>(p, query, p.scratch, scores, stride),
                4 => queries::<S, 4, NV>(p, query, p.scratch, scores, stride),
                5 => queries::<S, 5, NV>(p, query, p.scratch, scores, stride),
                6 => queries::<S, 6, NV>(p, query, p.scratch, scores, stride),
                7 => queries::<S, 7, NV>(p, query, p.scratch, scores, stride),
                _ => queries::<S, 8, NV>(p, query, p.scratch, scores, stride),
            }
            query += rows;
        }
    }
}
