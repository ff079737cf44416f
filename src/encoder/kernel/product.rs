//! Matrix product with packed weights, a register tile at a time.

use super::Activation;
use super::function::activate;
use super::simd::Simd;

/// Inner dimension taken at once: a panel of that depth stays in the L1 cache
/// while the rows of the block pass by.
const DEPTH: usize = 192;

/// `c[rows, columns] = activation(a · w + bias + residual)` for some panels of
/// `w`.
///
/// A panel holds `width` columns of `w`: `k` rows of `width` numbers each,
/// where `width` is `NV` vectors. The last panel is filled up with zeros.
#[derive(Debug, Clone, Copy)]
pub(super) struct Product {
    /// First row of the input.
    pub a: *const f32,
    /// From one row of the input to the next.
    pub a_stride: usize,
    /// Number of rows.
    pub rows: usize,
    /// Inner dimension.
    pub k: usize,
    /// First panel of the weights.
    pub panels: *const f32,
    /// Panels to multiply with: from, to.
    pub span: (usize, usize),
    /// Bias, filled up to whole panels.
    pub bias: *const f32,
    /// Columns of `w`.
    pub columns: usize,
    /// First row of the output.
    pub c: *mut f32,
    /// From one row of the output to the next.
    pub c_stride: usize,
    /// First row of what is added, spaced like the output; may be null.
    pub residual: *const f32,
    /// What is applied at the end.
    pub activation: Option<Activation>,
}

/// Where a tile begins.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    panel: usize,
    depth: usize,
}

/// `acc + a[MR, k] · b[k, NV vectors]`; each element is summed over
/// k in order, however the rows are cut into tiles.
#[inline(always)]
pub(super) unsafe fn accumulate<S: Simd, const MR: usize, const NV: usize>(
    k: usize,
    a: *const f32,
    a_stride: usize,
    b: *const f32,
    b_stride: usize,
    mut acc: [[S::V; NV]; MR],
) -> [[S::V; NV]; MR] {
    let mut rows = [a; MR];
    for (i, row) in rows.iter_mut().enumerate() {
        *row = a.wrapping_add(i * a_stride);
    }
    let mut b = b;
    for depth in 0..k {
        // SAFETY: the caller vouches for MR rows of k numbers and k rows of NV
        // vectors.
        unsafe {
            let mut column = [S::splat(0.0); NV];
            for (j, column) in column.iter_mut().enumerate() {
                *column = S::load(b.wrapping_add(j * S::LANES));
            }
            for i in 0..MR {
                let value = S::splat(rows[i].wrapping_add(depth).read());
                for j in 0..NV {
                    acc[i][j] = S::fma(value, column[j], acc[i][j]);
                }
            }
        }
        b = b.wrapping_add(b_stride);
    }
    acc
}

#[inline(always)]
unsafe fn tile<S: Simd, const MR: usize, const NV: usize>(p: &Product, at: Place) {
    let width = NV * S::LANES;
    let column = at.panel * width;
    let depth = DEPTH.min(p.k - at.depth);
    let c = p.c.wrapping_add(at.row * p.c_stride + column);
    // How many numbers of each vector exist: all but in the last panel.
    let exist = |j: usize| (p.columns - column).saturating_sub(j * S::LANES);
    // SAFETY: the caller vouches for the matrices; `exist` keeps reads and
    // writes of the output within its columns.
    unsafe {
        let mut acc = [[S::splat(0.0); NV]; MR];
        for i in 0..MR {
            let row = c.wrapping_add(i * p.c_stride);
            for j in 0..NV {
                acc[i][j] = if at.depth == 0 {
                    S::load(p.bias.wrapping_add(column + j * S::LANES))
                } else if exist(j) >= S::LANES {
                    S::load(row.wrapping_add(j * S::LANES))
                } else {
                    S::load_first(row.wrapping_add(j * S::LANES), exist(j))
                };
            }
        }
        let acc = accumulate::<S, MR, NV>(
            depth,
            p.a.wrapping_add(at.row * p.a_stride + at.depth),
            p.a_stride,
            p.panels
                .wrapping_add(at.panel * p.k * width + at.depth * width),
            width,
            acc,
        );
        for i in 0..MR {
            let row = c.wrapping_add(i * p.c_stride);
            for j in 0..NV {
                if exist(j) >= S::LANES {
                    S::store(row.wrapping_add(j * S::LANES), acc[i][j]);
                } else {
                    S::store_first(row.wrapping_add(j * S::LANES), exist(j), acc[i][j]);
                }
            }
        }
    }
}

/// Residual and activation over a finished tile, which is still in the cache.
#[inline(always)]
unsafe fn finish<S: Simd>(p: &Product, row: usize, rows: usize, column: usize, width: usize) {
    if p.residual.is_null() && p.activation.is_none() {
        return;
    }
    let width = width.min(p.columns - column);
    for row in row..row + rows {
        let mut done = 0;
        while done < width {
            let count = (width - done).min(S::LANES);
            let offset = row * p.c_stride + column + done;
            // SAFETY: the caller vouches for the matrices; `count` keeps to
            // their columns.
            unsafe {
                let c = p.c.wrapping_add(offset);
                let mut value = read::<S>(c, count);
                if !p.residual.is_null() {
                    value = S::add(value, read::<S>(p.residual.wrapping_add(offset), count));
                }
                if let Some(activation) = p.activation {
                    value = activate::<S>(activation, value);
                }
                write::<S>(c, count, value);
            }
            done += count;
        }
    }
}

/// Reads `count <= LANES` numbers.
#[inline(always)]
pub(super) unsafe fn read<S: Simd>(from: *const f32, count: usize) -> S::V {
    // SAFETY: the caller vouches for `count` numbers.
    unsafe {
        if count == S::LANES {
            S::load(from)
        } else {
            S::load_first(from, count)
        }
    }
}

/// Writes `count <= LANES` numbers.
#[inline(always)]
pub(super) unsafe fn write<S: Simd>(to: *mut f32, count: usize, vector: S::V) {
    // SAFETY: the caller vouches for `count` numbers.
    unsafe {
        if count == S::LANES {
            S::store(to, vector);
        } else {
            S::store_first(to, count, vector);
        }
    }
}

/// How many rows the tile at `row` takes, when `rows` are shared evenly
/// between as few tiles of at most `most` rows as possible.
#[inline(always)]
pub(super) fn tile_rows(row: usize, rows: usize, most: usize) -> usize {
    let left = rows - row;
    left.div_ceil(left.div_ceil(most))
}

/// Runs a product.
///
/// # Safety
/// The instruction set of `S` is there, the matrices have the sizes that are
/// stated, and nothing else touches the panels' columns of the output.
#[inline(always)]
pub(super) unsafe fn product<S: Simd, const NV: usize>(p: &Product) {
    let width = NV * S::LANES;
    let mut depth = 0;
    while depth < p.k {
        let last = depth + DEPTH >= p.k;
        for panel in p.span.0..p.span.1 {
            let mut row = 0;
            while row < p.rows {
                let rows = tile_rows(row, p.rows, S::ROWS);
                let at = Place { row, panel, depth };
                // SAFETY: handed on from the caller.
                unsafe {
                    match rows {
                        1 => tile::<S, 1, NV>(p, at),
                        2 => tile::<S, 2, NV>(p, at),
                        3 => tile::<S, 3, NV>(p, at),
                        4 => tile::<S, 4, NV>(p, at),
                        5 => tile::<S, 5, NV>(p, at),
                        6 => tile::<S, 6, NV>(p, at),
                        7 => tile::<S, 7, NV>(p, at),
                        _ => tile::<S, 8, NV>(p, at),
                    }
                    if last {
                        finish::<S>(p, row, rows, panel * width, width);
                    }
                }
                row += rows;
            }
        }
        depth += DEPTH;
    }
}
