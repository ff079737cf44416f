//! Attention within one sequence, forward and backward.
//!
//! Probabilities are not kept for the backward pass but computed again from
//! the logarithms of their sums (as in Dao et al., 2022, FlashAttention), and
//! so are dropout masks.

use super::compiled;
use super::dropout::Dropout;
use super::matmul::{Engine, Start, View};
use super::scalar::exp;
use std::cell::RefCell;

/// What the sequences of a layer share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attention {
    pub(crate) engine: Engine,
    pub(crate) heads: usize,
    /// Width of a head.
    pub(crate) width: usize,
    /// On probabilities.
    pub(crate) dropout: Dropout,
}

/// One sequence of a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sequence<'a> {
    /// Rows of queries, keys and values side by side.
    pub(crate) qkv: &'a [f32],
    /// Tokens of the batch that stand before it, for dropout.
    pub(crate) first: usize,
    /// Its own tokens.
    pub(crate) tokens: usize,
}

#[derive(Default)]
struct Scratch {
    probabilities: Vec<f32>,
    dropped: Vec<f32>,
    slopes: Vec<f32>,
    head: Vec<f32>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

#[inline(always)]
fn softmax_body(scores: &mut [f32], tokens: usize, scale: f32, sums: &mut [f32]) {
    for (row, sum) in scores.chunks_exact_mut(tokens).zip(sums) {
        let mut lanes = [f32::MIN; 16];
        let (chunks, rest) = row.as_chunks::<16>();
        for chunk in chunks {
            for lane in 0..16 {
                lanes[lane] = lanes[lane].max(chunk[lane]);
            }
        }
        let largest = lanes.iter().chain(rest).fold(f32::MIN, |a, b| a.max(*b)) * scale;
        let mut lanes = [0.0f32; 16];
        let (chunks, rest) = row.as_chunks_mut::<16>();
        for chunk in chunks {
            for lane in 0..16 {
                chunk[lane] = exp(chunk[lane] * scale - largest);
                lanes[lane] += chunk[lane];
            }
        }
        let mut total: f32 = lanes.iter().sum();
        for x in rest {
            *x = exp(*x * scale - largest);
            total += *x;
        }
        let factor = 1.0 / total;
        for x in row {
            *x *= factor;
        }
        *sum = largest + total.ln();
    }
}

#[inline(always)]
fn again_body(scores: &mut [f32], tokens: usize, scale: f32, sums: &[f32]) {
    for (row, sum) in scores.chunks_exact_mut(tokens).zip(sums) {
        for x in row {
            *x = exp(*x * scale - sum);
        }
    }
}

/// `slopes` holds the gradient of the dropped probabilities and gets that of
/// the scores before their scale.
#[inline(always)]
fn slopes_body(
    probabilities: &[f32],
    slopes: &mut [f32],
    tokens: usize,
    scale: f32,
    dropout: Dropout,
    first: usize,
) {
    let rows = probabilities
        .chunks_exact(tokens)
        .zip(slopes.chunks_exact_mut(tokens));
    for (row, (p, slope)) in rows.enumerate() {
        dropout.apply(first + row, slope);
        let mut lanes = [0.0f32; 16];
        let (chunks, rest) = p.as_chunks::<16>();
        let (others, tail) = slope.as_chunks::<16>();
        for (a, b) in chunks.iter().zip(others) {
            for lane in 0..16 {
                lanes[lane] += a[lane] * b[lane];
            }
        }
        let tail: f32 = rest.iter().zip(tail).map(|(a, b)| a * b).sum();
        let mean = lanes.iter().sum::<f32>() + tail;
        for (p, slope) in p.iter().zip(slope) {
            *slope = p * (*slope - mean) * scale;
        }
    }
}

#[inline(always)]
fn drop_body(rows: &mut [f32], tokens: usize, dropout: Dropout, first: usize) {
    for (row, values) in rows.chunks_exact_mut(tokens).enumerate() {
        dropout.apply(first + row, values);
    }
}

compiled! {
    fn softmax = softmax_body;
    (scores: &mut [f32], tokens: usize, scale: f32, sums: &mut [f32])
}
compiled! {
    fn again = again_body;
    (scores: &mut [f32], tokens: usize, scale: f32, sums: &[f32])
}
compiled! {
    fn slopes = slopes_body;
    (probabilities: &[f32], slopes: &mut [f32], tokens: usize, scale: f32, dropout: Dropout,
     first: usize)
}
compiled! {
    fn drop_rows = drop_body;
    (rows: &mut [f32], tokens: usize, dropout: Dropout, first: usize)
}

impl Attention {
    fn parts<'a>(&self, sequence: Sequence<'a>, head: usize) -> [View<'a>; 3] {
        let hidden = self.heads * self.width;
        [0, 1, 2].map(|part| {
            let start = part * hidden + head * self.width;
            View::strided(
                &sequence.qkv[start..],
                sequence.tokens,
                self.width,
                3 * hidden,
            )
        })
    }

    fn scale(&self) -> f32 {
        1.0 / (self.width as f32).sqrt()
    }

    /// Number of the first row of a head's probabilities, for dropout.
    fn row(&self, sequence: Sequence<'_>, head: usize) -> usize {
        sequence.first * self.heads + head * sequence.tokens
    }

    /// Writes the heads side by side into `output`, and the logarithm of each
    /// row's sum into `sums` (heads one behind the other).
    pub(crate) fn forward(&self, sequence: Sequence<'_>, output: &mut [f32], sums: &mut [f32]) {
        let tokens = sequence.tokens;
        let set = self.engine.set();
        let hidden = self.heads * self.width;
        let mut scratch = SCRATCH.take();
        scratch.probabilities.resize(tokens * tokens, 0.0);
        scratch.head.resize(tokens * self.width, 0.0);
        for head in 0..self.heads {
            let [query, key, value] = self.parts(sequence, head);
            let p = &mut scratch.probabilities;
            self.engine.product_alone(query, key.t(), p, Start::Fresh);
            softmax(
                set,
                p,
                tokens,
                self.scale(),
                &mut sums[head * tokens..][..tokens],
            );
            if self.dropout.is_on() {
                drop_rows(set, p, tokens, self.dropout, self.row(sequence, head));
            }
            let p = View::new(p, tokens, tokens);
            self.engine
                .product_alone(p, value, &mut scratch.head, Start::Fresh);
            let columns = head * self.width..(head + 1) * self.width;
            for (row, part) in scratch.head.chunks_exact(self.width).enumerate() {
                output[row * hidden..][columns.clone()].copy_from_slice(part);
            }
        }
        SCRATCH.set(scratch);
    }

    /// From the gradient of the output to that of `qkv`.
    pub(crate) fn backward(
        &self,
        sequence: Sequence<'_>,
        sums: &[f32],
        gradient: &[f32],
        qkv_gradient: &mut [f32],
    ) {
        let tokens = sequence.tokens;
        let set = self.engine.set();
        let hidden = self.heads * self.width;
        let mut scratch = SCRATCH.take();
        let size = tokens * tokens;
        scratch.probabilities.resize(size, 0.0);
        scratch.slopes.resize(size, 0.0);
        scratch.head.resize(tokens * self.width, 0.0);
        for head in 0..self.heads {
            let [query, key, value] = self.parts(sequence, head);
            let start = head * self.width;
            let output = View::strided(&gradient[start..], tokens, self.width, hidden);
            let first = self.row(sequence, head);
            let Scratch {
                probabilities: p,
                dropped,
                slopes: s,
                head: part,
            } = &mut scratch;
            let mut put = |part: &[f32], column: usize| {
                for (row, part) in part.chunks_exact(self.width).enumerate() {
                    qkv_gradient[row * 3 * hidden + column..][..self.width].copy_from_slice(part);
                }
            };
            self.engine.product_alone(query, key.t(), p, Start::Fresh);
            again(
                set,
                p,
                tokens,
                self.scale(),
                &sums[head * tokens..][..tokens],
            );
            let kept = if self.dropout.is_on() {
                dropped.clear();
                dropped.extend_from_slice(p);
                drop_rows(set, dropped, tokens, self.dropout, first);
                &*dropped
            } else {
                &*p
            };
            let kept = View::new(kept, tokens, tokens);
            self.engine
                .product_alone(kept.t(), output, part, Start::Fresh);
            put(part, 2 * hidden + start);
            self.engine
                .product_alone(output, value.t(), s, Start::Fresh);
            slopes(set, p, s, tokens, self.scale(), self.dropout, first);
            let s = View::new(s, tokens, tokens);
            self.engine.product_alone(s, key, part, Start::Fresh);
            put(part, start);
            self.engine.product_alone(s.t(), query, part, Start::Fresh);
            put(part, hidden + start);
        }
        SCRATCH.set(scratch);
    }
}
