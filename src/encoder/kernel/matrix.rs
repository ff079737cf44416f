//! Safe access to the kernels: sizes are checked here, and work is shared
//! between threads here.

use super::attention::Attention;
use super::product::Product;
use super::{Activation, Buffer, InstructionSet, SLACK};
use rayon::prelude::*;

/// A linear layer's weights, in panels of columns, with its bias.
#[derive(Debug)]
pub struct PackedMatrix {
    set: InstructionSet,
    inputs: usize,
    outputs: usize,
    panels: Buffer,
    bias: Buffer,
}

/// What happens to a product before it is written.
#[derive(Debug, Clone, Copy)]
pub enum Finish<'a> {
    /// Nothing.
    Plain,
    /// An activation is applied.
    Activate(Activation),
    /// A matrix of the output's shape is added.
    Add(&'a [f32]),
    /// The same, and then an activation is applied.
    AddAndActivate(&'a [f32], Activation),
}

/// A pointer that the tasks of one kernel share.
#[derive(Clone, Copy)]
struct Shared<T>(T);

// SAFETY: only used within the functions below, whose tasks read shared input
// and write disjoint parts of the output.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T: Copy> Shared<T> {
    /// The pointer; a method, so that closures capture the whole wrapper.
    fn get(&self) -> T {
        self.0
    }
}

impl PackedMatrix {
    /// Packs layers that share their input: each is `outputs × inputs` in
    /// rows, with a bias; their outputs follow each other.
    pub fn pack(set: InstructionSet, inputs: usize, layers: &[(&[f32], &[f32])]) -> Self {
        let outputs: usize = layers.iter().map(|(_, bias)| bias.len()).sum();
        let width = set.panel_width();
        let filled = outputs.next_multiple_of(width);
        let mut panels = Buffer::zeros(filled * inputs);
        let mut bias = Buffer::zeros(filled);
        let mut column = 0;
        for (weights, biases) in layers {
            assert_eq!(weights.len(), biases.len() * inputs, "shape of the weights");
            for (row, &b) in weights.chunks_exact(inputs).zip(biases.iter()) {
                let panel = column / width * width * inputs + column % width;
                for (i, &weight) in row.iter().enumerate() {
                    panels[panel + i * width] = weight;
                }
                bias[column] = b;
                column += 1;
            }
        }
        Self {
            set,
            inputs,
            outputs,
            panels,
            bias,
        }
    }

    /// Packs a matrix that lies the other way: `inputs` rows of `outputs`
    /// numbers each, without a bias. It takes over the memory of `reuse`; with
    /// `tasks > 1` the current thread pool shares the work.
    pub fn pack_rows(
        set: InstructionSet,
        inputs: usize,
        outputs: usize,
        matrix: &[f32],
        reuse: Option<Self>,
        tasks: usize,
    ) -> Self {
        assert!(matrix.len() >= inputs * outputs, "shape of the matrix");
        let width = set.panel_width();
        let filled = outputs.next_multiple_of(width);
        let (mut panels, mut bias) =
            reuse.map_or_else(Default::default, |old| (old.panels, old.bias));
        panels.resize(filled * inputs);
        bias.resize(filled);
        bias.fill(0.0);
        let fill = |(panel, to): (usize, &mut [f32])| {
            let count = width.min(outputs - panel * width);
            for (row, to) in to.chunks_exact_mut(width).enumerate() {
                let from = row * outputs + panel * width;
                to[..count].copy_from_slice(&matrix[from..from + count]);
                to[count..].fill(0.0);
            }
        };
        if tasks <= 1 {
            let panels = panels.chunks_exact_mut((width * inputs).max(1));
            panels.enumerate().for_each(fill);
        } else {
            let panels = panels.par_chunks_exact_mut((width * inputs).max(1));
            panels.enumerate().for_each(fill);
        }
        Self {
            set,
            inputs,
            outputs,
            panels,
            bias,
        }
    }

    /// Multiplies `rows` rows of `input` into `output`; with `tasks > 1` the
    /// panels are shared between so many tasks of the current thread pool.
    pub fn multiply(
        &self,
        input: &[f32],
        output: &mut [f32],
        rows: usize,
        finish: Finish<'_>,
        tasks: usize,
    ) {
        assert!(input.len() >= rows * self.inputs, "rows of the input");
        assert!(output.len() >= rows * self.outputs, "rows of the output");
        let (residual, activation) = match finish {
            Finish::Plain => (None, None),
            Finish::Activate(activation) => (None, Some(activation)),
            Finish::Add(matrix) => (Some(matrix), None),
            Finish::AddAndActivate(matrix, activation) => (Some(matrix), Some(activation)),
        };
        let residual = residual.map_or(std::ptr::null(), |matrix| {
            assert!(matrix.len() >= rows * self.outputs, "rows of the residual");
            matrix.as_ptr()
        });
        let count = self.bias.len() / self.set.panel_width();
        let product = Product {
            a: input.as_ptr(),
            a_stride: self.inputs,
            rows,
            k: self.inputs,
            panels: self.panels.as_ptr(),
            span: (0, count),
            bias: self.bias.as_ptr(),
            columns: self.outputs,
            c: output.as_mut_ptr(),
            c_stride: self.outputs,
            residual,
            activation,
        };
        if tasks <= 1 {
            // SAFETY: sizes are checked above, the output is borrowed alone,
            // and `set` was detected.
            unsafe { self.set.product(&product) }
            return;
        }
        let share = count.div_ceil(tasks);
        let product = Shared(product);
        (0..count.div_ceil(share)).into_par_iter().for_each(|task| {
            let from = task * share;
            let part = Product {
                span: (from, count.min(from + share)),
                ..product.get()
            };
            // SAFETY: as above; each task writes the columns of its panels.
            unsafe { self.set.product(&part) }
        });
    }
}

/// How the columns of a matrix of queries, keys and values are made up, and
/// what their scores get beside the product.
#[derive(Debug, Clone, Copy)]
pub struct Heads<'a> {
    /// Number of heads.
    pub count: usize,
    /// Width of one.
    pub width: usize,
    /// What scores get for the distance of key and query, if anything.
    pub distances: Option<Distances<'a>>,
}

/// What scores get for the distance of key and query.
#[derive(Debug, Clone, Copy)]
pub struct Distances<'a> {
    /// A row for each head: `2 · tokens - 1` places, the query's own in the
    /// middle.
    pub rows: &'a [f32],
    /// Longest sequence that they reach over.
    pub tokens: usize,
}

impl<'a> Distances<'a> {
    /// A head's numbers for a sequence of so many tokens, at least one: `2 ·
    /// tokens - 1` of them, the first for a key `tokens - 1` places before the
    /// query.
    pub fn head(&self, head: usize, tokens: usize) -> &'a [f32] {
        assert!(tokens <= self.tokens, "a sequence within the positions");
        let width = 2 * self.tokens - 1;
        let first = head * width + self.tokens - tokens;
        &self.rows[first..first + 2 * tokens - 1]
    }
}

/// Attention within every sequence.
///
/// `qkv` holds a row for each token: all heads' queries, then keys, then
/// values; `bounds` says at which token each sequence begins, and where the
/// last ends; `output` gets the heads side by side. [`SLACK`] numbers follow
/// the rows of `qkv`.
pub fn attend(
    set: InstructionSet,
    heads: Heads<'_>,
    qkv: &[f32],
    bounds: &[usize],
    output: &mut [f32],
    scratch: &mut Buffer,
    tasks: usize,
) {
    let width = heads.count * heads.width;
    let tokens = bounds.last().copied().unwrap_or(0);
    assert!(bounds.is_sorted(), "sequences follow each other");
    assert!(qkv.len() >= tokens * 3 * width + SLACK, "rows of qkv");
    assert!(output.len() >= tokens * width, "rows of the output");
    let (from, to) = (Shared(qkv.as_ptr()), Shared(output.as_mut_ptr()));
    let run = |(first, length, head): (usize, usize, usize), scratch: &mut Buffer| {
        scratch.resize(attention_scratch(set, length, heads.width));
        let row = from
            .get()
            .wrapping_add(first * 3 * width + head * heads.width);
        let distances = heads.distances.map(|all| all.head(head, length));
        let task = Attention {
            queries: row,
            keys: row.wrapping_add(width),
            values: row.wrapping_add(2 * width),
            stride: 3 * width,
            tokens: length,
            head: heads.width,
            scale: 1.0 / (heads.width as f32).sqrt(),
            distances: distances.map_or(std::ptr::null(), |d| d[length - 1..].as_ptr()),
            output: to.get().wrapping_add(first * width + head * heads.width),
            output_stride: width,
            scratch: scratch.as_mut_ptr(),
        };
        // SAFETY: sizes are checked above; each pair of sequence and head
        // writes its own rows and columns; `set` was detected.
        unsafe { set.attention(&task) }
    };
    let pairs = bounds.windows(2).flat_map(|pair| {
        let (first, length) = (pair[0], pair[1] - pair[0]);
        (0..heads.count).map(move |head| (first, length, head))
    });
    if tasks <= 1 {
        pairs.for_each(|pair| run(pair, scratch));
    } else {
        let pairs: Vec<_> = pairs.collect();
        pairs
            .into_par_iter()
            .with_min_len(heads.count.div_ceil(tasks))
            .for_each_init(Buffer::default, |scratch, pair| run(pair, scratch));
    }
}

/// Numbers that one head's attention needs beside its input and output.
fn attention_scratch(set: InstructionSet, tokens: usize, head: usize) -> usize {
    // Keys in panels, and the scores of as many queries as a tile has rows.
    tokens.next_multiple_of(set.panel_width()) * (head + 8)
}

/// Layer normalisation of each row in place.
pub fn normalise_rows(
    set: InstructionSet,
    rows: &mut [f32],
    scale: &[f32],
    shift: &[f32],
    epsilon: f32,
) {
    let width = scale.len();
    assert_eq!(shift.len(), width, "width of the shift");
    for row in rows.chunks_exact_mut(width) {
        // SAFETY: all three are `width` long, and `set` was detected.
        unsafe {
            set.layer_norm(
                row.as_mut_ptr(),
                scale.as_ptr(),
                shift.as_ptr(),
                width,
                epsilon,
            );
        }
    }
}
