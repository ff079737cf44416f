//! Operands of tile products: rounding to bfloat16 and the order in which
//! tiles want their numbers, and the product of two packed operands.
#![allow(unsafe_code)]

use super::amx::{DEPTH, PAIRS, SIDE, Tiles};
use super::matmul::View;
use std::arch::x86_64::*;
use std::ops::Range;

/// Which factor of the product an operand is: tiles of the left one hold rows,
/// those of the right one hold pairs of rows interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// `m × k`.
    Left,
    /// `k × n`.
    Right,
}

/// A cache line of pairs, so that tiles begin on one.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Line([u32; 16]);

/// An operand in bfloat16, in tiles: blocks of 16 along its outer dimension,
/// two and two, and in them 32 numbers at a time along the inner dimension.
#[derive(Debug, Default)]
pub(super) struct PackedTiles {
    lines: Vec<Line>,
    outer: usize,
    inner: usize,
}

/// Pairs of blocks along the outer dimension.
fn block_pairs(outer: usize) -> usize {
    outer.div_ceil(2 * SIDE)
}

impl PackedTiles {
    /// Makes room for an operand.
    pub(super) fn resize(&mut self, outer: usize, inner: usize) {
        (self.outer, self.inner) = (outer, inner);
        let pairs = block_pairs(outer) * self.depth() * 2 * PAIRS;
        self.lines.resize(pairs / 16, Line([0; 16]));
    }

    /// Tile products along the inner dimension.
    fn depth(&self) -> usize {
        self.inner.div_ceil(DEPTH)
    }

    /// Memory of one pair of blocks, in cache lines.
    fn share(&self) -> usize {
        self.depth() * 2 * PAIRS / 16
    }

    /// Packs the whole of an operand on the current thread.
    pub(super) fn pack(&mut self, side: Side, view: View<'_>) {
        let part = self.prepare(side, view);
        for (task, lines) in self.lines.chunks_mut(part).enumerate() {
            pack_pairs(side, view, task * TASK_PAIRS, lines);
        }
    }

    /// Packs the whole of an operand with all threads.
    pub(super) fn pack_together(&mut self, side: Side, view: View<'_>) {
        use rayon::prelude::*;
        let part = self.prepare(side, view);
        self.lines
            .par_chunks_mut(part)
            .enumerate()
            .for_each(|(task, lines)| pack_pairs(side, view, task * TASK_PAIRS, lines));
    }

    /// Makes room for an operand; says how many cache lines a task packs.
    fn prepare(&mut self, side: Side, view: View<'_>) -> usize {
        assert!(super::amx::available(), "matrix tiles are not available");
        match side {
            Side::Left => self.resize(view.rows, view.columns),
            Side::Right => self.resize(view.columns, view.rows),
        }
        (self.share() * TASK_PAIRS).max(1)
    }
}

/// Pairs of blocks that are packed side by side, so that rows in memory are
/// read a kilobyte at a time.
const TASK_PAIRS: usize = 8;

/// Packs some pairs of blocks of the outer dimension, from the pair `first`.
fn pack_pairs(side: Side, view: View<'_>, first: usize, lines: &mut [Line]) {
    let (outer, inner) = match side {
        Side::Left => (view.rows, view.columns),
        Side::Right => (view.columns, view.rows),
    };
    // Whether numbers that are neighbours in memory follow each other along
    // the inner dimension.
    let along = (side == Side::Left) != view.transposed;
    let tiles = lines.as_chunks_mut::<SIDE>().0;
    let depth = inner.div_ceil(DEPTH);
    let blocks = tiles.len() / depth.max(1);
    for number in 0..tiles.len() {
        // Along memory: first the inner dimension, or first the outer one.
        let (step, block) = if along {
            (number % depth, number / depth)
        } else {
            (number / blocks, number % blocks)
        };
        let tile = &mut tiles[(block / 2 * depth + step) * 2 + block % 2];
        let start = (2 * first + block) * SIDE;
        let outer = start.min(outer)..outer.min(start + SIDE);
        let inner = step * DEPTH..inner.min(step * DEPTH + DEPTH);
        // SAFETY: whoever made room looked for the instruction sets.
        unsafe {
            if along {
                rows(view.data, view.stride, outer, inner, tile);
            } else {
                interleaved(view.data, view.stride, inner, outer, tile);
            }
            if along != (side == Side::Left) {
                transpose(tile);
            }
        }
    }
}

fn mask(count: usize) -> __mmask16 {
    ((1u32 << count.min(16)) - 1) as __mmask16
}

/// Reads up to 16 numbers of a row, zeros behind them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn read(row: &[f32]) -> __m512 {
    // SAFETY: the mask keeps the read within the slice.
    unsafe { _mm512_maskz_loadu_ps(mask(row.len()), row.as_ptr()) }
}

/// A tile of up to 16 rows of up to 32 numbers each.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn rows(
    data: &[f32],
    stride: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    tile: &mut [Line; 16],
) {
    for (at, line) in tile.iter_mut().enumerate() {
        let row = rows.start + at;
        if row >= rows.end {
            *line = Line([0; 16]);
            continue;
        }
        let row = &data[row * stride..];
        let middle = columns.end.min(columns.start + SIDE);
        let low = read(&row[columns.start..middle]);
        let high = read(&row[middle..columns.end]);
        let both = _mm512_cvtne2ps_pbh(high, low);
        // SAFETY: a line is 64 bytes, as the vector is.
        unsafe {
            _mm512_store_si512(
                (&raw mut *line).cast(),
                std::mem::transmute::<__m512bh, __m512i>(both),
            )
        };
    }
}

/// A tile of up to 16 columns of up to 32 rows, two rows interleaved.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn interleaved(
    data: &[f32],
    stride: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    tile: &mut [Line; 16],
) {
    const ORDER: [u16; 32] = {
        let mut order = [0; 32];
        let mut at = 0;
        while at < 16 {
            order[2 * at] = at as u16;
            order[2 * at + 1] = at as u16 + 16;
            at += 1;
        }
        order
    };
    // SAFETY: 64 bytes each.
    let order = unsafe { _mm512_loadu_si512(ORDER.as_ptr().cast()) };
    let whole = rows.len() == DEPTH && columns.len() == SIDE;
    for (at, line) in tile.iter_mut().enumerate() {
        let row = rows.start + 2 * at;
        let (low, high) = if whole {
            let low = &data[row * stride + columns.start..][..SIDE];
            let high = &data[(row + 1) * stride + columns.start..][..SIDE];
            // SAFETY: both slices hold 16 numbers.
            unsafe {
                (
                    _mm512_loadu_ps(low.as_ptr()),
                    _mm512_loadu_ps(high.as_ptr()),
                )
            }
        } else {
            (
                part(data, stride, row, &rows, &columns),
                part(data, stride, row + 1, &rows, &columns),
            )
        };
        let both = _mm512_cvtne2ps_pbh(high, low);
        // SAFETY: a line is 64 bytes, as the vector is.
        unsafe {
            let both =
                _mm512_permutexvar_epi16(order, std::mem::transmute::<__m512bh, __m512i>(both));
            _mm512_store_si512((&raw mut *line).cast(), both);
        }
    }
}

/// The part of a row that exists, zeros around it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn part(
    data: &[f32],
    stride: usize,
    row: usize,
    rows: &Range<usize>,
    columns: &Range<usize>,
) -> __m512 {
    if row < rows.end && columns.start < columns.end {
        read(&data[row * stride + columns.start..row * stride + columns.end])
    } else {
        _mm512_setzero_ps()
    }
}

/// Exchanges rows and columns of a tile of pairs.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn transpose(tile: &mut [Line; 16]) {
    let mut a = [_mm512_setzero_si512(); 16];
    for (a, line) in a.iter_mut().zip(tile.iter()) {
        // SAFETY: a line is 64 bytes, as the vector is.
        *a = unsafe { _mm512_load_si512((&raw const *line).cast()) };
    }
    let mut b = a;
    for i in 0..8 {
        b[2 * i] = _mm512_unpacklo_epi32(a[2 * i], a[2 * i + 1]);
        b[2 * i + 1] = _mm512_unpackhi_epi32(a[2 * i], a[2 * i + 1]);
    }
    for i in 0..4 {
        a[4 * i] = _mm512_unpacklo_epi64(b[4 * i], b[4 * i + 2]);
        a[4 * i + 1] = _mm512_unpackhi_epi64(b[4 * i], b[4 * i + 2]);
        a[4 * i + 2] = _mm512_unpacklo_epi64(b[4 * i + 1], b[4 * i + 3]);
        a[4 * i + 3] = _mm512_unpackhi_epi64(b[4 * i + 1], b[4 * i + 3]);
    }
    // a[4i + j] now holds, in its quarter q, rows 4i .. 4i + 4 of column
    // 4q + j.
    for half in 0..2 {
        for j in 0..4 {
            let (low, high) = (a[8 * half + j], a[8 * half + 4 + j]);
            b[8 * half + j] = _mm512_shuffle_i32x4::<0x88>(low, high);
            b[8 * half + 4 + j] = _mm512_shuffle_i32x4::<0xdd>(low, high);
        }
    }
    for j in 0..4 {
        a[j] = _mm512_shuffle_i32x4::<0x88>(b[j], b[8 + j]);
        a[8 + j] = _mm512_shuffle_i32x4::<0xdd>(b[j], b[8 + j]);
        a[4 + j] = _mm512_shuffle_i32x4::<0x88>(b[4 + j], b[12 + j]);
        a[12 + j] = _mm512_shuffle_i32x4::<0xdd>(b[4 + j], b[12 + j]);
    }
    for (line, a) in tile.iter_mut().zip(a) {
        // SAFETY: a line is 64 bytes, as the vector is.
        unsafe { _mm512_store_si512((&raw mut *line).cast(), a) };
    }
}

/// How a product's tiles begin.
#[derive(Debug, Clone, Copy)]
pub(super) enum Begin<'a> {
    /// At zero.
    Zero,
    /// At what the output holds.
    Output,
    /// At a row for all rows; filled up to a multiple of 32 numbers.
    Row(&'a [f32]),
}

/// `output = begin + a · b`; the output has `a.outer` rows of `b.outer`
/// numbers.
pub(super) fn multiply(a: &PackedTiles, b: &PackedTiles, output: &mut [f32], begin: Begin<'_>) {
    assert_eq!(a.inner, b.inner, "inner dimensions");
    let (rows, columns) = (a.outer, b.outer);
    assert!(output.len() >= rows * columns, "rows of the output");
    if let Begin::Row(row) = begin {
        assert!(
            row.len() >= columns.next_multiple_of(2 * SIDE),
            "length of the first row"
        );
    }
    let tiles = Tiles::configure();
    let mut edge = [[0f32; PAIRS]; 4];
    for j in 0..block_pairs(columns) {
        for i in 0..block_pairs(rows) {
            let places: [(usize, usize); 4] =
                std::array::from_fn(|t| ((2 * i + t / 2) * SIDE, (2 * j + t % 2) * SIDE));
            let whole = places.map(|(r, c)| r + SIDE <= rows && c + SIDE <= columns);
            if matches!(begin, Begin::Output) {
                for t in (0..4).filter(|&t| !whole[t]) {
                    copy(output, (rows, columns), places[t], &mut edge[t], true);
                }
            }
            // One pointer into each memory, which nobody borrows until the
            // tiles are written.
            let (inside, outside) = (output.as_mut_ptr(), edge.as_mut_ptr().cast::<f32>());
            let to: [(*mut f32, usize); 4] = std::array::from_fn(|t| {
                let (row, column) = places[t];
                if whole[t] {
                    (inside.wrapping_add(row * columns + column), columns * 4)
                } else {
                    (outside.wrapping_add(t * PAIRS), 4 * SIDE)
                }
            });
            let from = std::array::from_fn(|t| match begin {
                Begin::Zero => (std::ptr::null(), 0),
                // A stride of nothing: the same row sixteen times.
                Begin::Row(first) => (first[places[t].1..].as_ptr(), 0),
                Begin::Output => (to[t].0.cast_const(), to[t].1),
            });
            let lines = |operand: &PackedTiles, pair: usize| {
                operand.lines[pair * operand.share()..(pair + 1) * operand.share()]
                    .as_ptr()
                    .cast::<u32>()
            };
            // SAFETY: both operands hold `depth · 2` tiles from there on (the
            // slices are checked); whole tiles lie inside the output, others
            // in `edge`; rows of `Begin::Row` reach over whole tiles.
            unsafe { tiles.block(a.depth(), lines(a, i), lines(b, j), from, to) };
            for t in 0..4 {
                if !whole[t] {
                    copy(output, (rows, columns), places[t], &mut edge[t], false);
                }
            }
        }
    }
}

/// Copies the part of a tile that exists between the output and its own
/// memory: in, or out.
fn copy(
    output: &mut [f32],
    (rows, columns): (usize, usize),
    (row, column): (usize, usize),
    tile: &mut [f32; PAIRS],
    in_: bool,
) {
    let width = columns.saturating_sub(column).min(SIDE);
    if width == 0 {
        return;
    }
    for r in row..rows.min(row + SIDE) {
        let there = &mut output[r * columns + column..][..width];
        let here = &mut tile[(r - row) * SIDE..][..width];
        if in_ {
            here.copy_from_slice(there);
        } else {
            there.copy_from_slice(here);
        }
    }
}
