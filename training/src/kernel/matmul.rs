//! Matrix products of the training step, in single or mixed precision.

#[cfg(target_arch = "x86_64")]
use super::tiles::{Begin, PackedTiles, Side, multiply};
use medsift::encoder::parts::kernel::{Finish, InstructionSet, PackedMatrix};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Precision of matrix products. All else, sums and the weights included, is
/// in single precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision.
    #[default]
    F32,
    /// Factors are rounded to bfloat16.
    Bf16,
}

/// A matrix to read, perhaps the other way round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(super) data: &'a [f32],
    /// Rows and columns as they are read.
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// From one row in memory to the next.
    pub(super) stride: usize,
    /// Whether columns as they are read are rows in memory.
    pub(super) transposed: bool,
}

impl<'a> View<'a> {
    /// Rows one behind the other.
    pub(crate) fn new(data: &'a [f32], rows: usize, columns: usize) -> Self {
        Self::strided(data, rows, columns, columns)
    }

    /// Rows that begin `stride` numbers from each other.
    pub(crate) fn strided(data: &'a [f32], rows: usize, columns: usize, stride: usize) -> Self {
        assert!(columns <= stride, "rows overlap");
        assert!(
            rows == 0 || data.len() >= (rows - 1) * stride + columns,
            "numbers of the matrix"
        );
        Self {
            data,
            rows,
            columns,
            stride,
            transposed: false,
        }
    }

    /// The transposed matrix.
    pub(crate) fn t(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            transposed: !self.transposed,
            ..self
        }
    }

    /// The sum of each column, with all threads. Which rows are summed first does
    /// not depend on their number.
    pub(crate) fn column_sums(self) -> Vec<f32> {
        assert!(!self.transposed, "sums go down the columns in memory");
        let sum = |mut sums: Vec<f32>, row: &[f32]| {
            sums.iter_mut().zip(row).for_each(|(s, x)| *s += x);
            sums
        };
        let parts: Vec<Vec<f32>> = (0..self.rows.div_ceil(SUMMED_ROWS))
            .into_par_iter()
            .map(|part| {
                let first = part * SUMMED_ROWS;
                (first..self.rows.min(first + SUMMED_ROWS))
                    .map(|row| &self.data[row * self.stride..][..self.columns])
                    .fold(vec![0.0; self.columns], sum)
            })
            .collect();
        parts
            .iter()
            .fold(vec![0.0; self.columns], |sums, part| sum(sums, part))
    }

    /// Some rows.
    fn part(self, from: usize, count: usize) -> Self {
        let start = if self.transposed {
            from
        } else {
            from * self.stride
        };
        Self {
            data: &self.data[start.min(self.data.len())..],
            rows: count,
            ..self
        }
    }

    /// Copies into rows one behind the other.
    fn copy_to(self, to: &mut Vec<f32>) {
        to.clear();
        if self.transposed {
            to.resize(self.rows * self.columns, 0.0);
            // In squares, so that both sides stay in the cache.
            const SQUARE: usize = 32;
            for i0 in (0..self.rows).step_by(SQUARE) {
                for j0 in (0..self.columns).step_by(SQUARE) {
                    for j in j0..self.columns.min(j0 + SQUARE) {
                        let row = &self.data[j * self.stride..];
                        for i in i0..self.rows.min(i0 + SQUARE) {
                            to[i * self.columns + j] = row[i];
                        }
                    }
                }
            }
        } else {
            for row in 0..self.rows {
                to.extend_from_slice(&self.data[row * self.stride..][..self.columns]);
            }
        }
    }
}

/// What a product is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The packed factor's bias, or nothing.
    Fresh,
    /// What the output holds.
    Output,
}

/// Multiplies matrices on this processor.
#[derive(Debug, Clone, Copy)]
pub struct Engine {
    set: InstructionSet,
    precision: Precision,
}

/// A right factor that is used several times, with the bias of its columns.
#[derive(Debug)]
pub(crate) struct Packed {
    inner: usize,
    columns: usize,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Single(PackedMatrix),
    #[cfg(target_arch = "x86_64")]
    Mixed {
        tiles: PackedTiles,
        bias: Option<Vec<f32>>,
    },
}

#[derive(Default)]
struct Scratch {
    #[cfg(target_arch = "x86_64")]
    left: PackedTiles,
    #[cfg(target_arch = "x86_64")]
    right: PackedTiles,
    packed: Option<PackedMatrix>,
    copy: Vec<f32>,
    product: Vec<f32>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Most rows of the output that one task computes: its part of the left factor
/// stays in the second-level cache.
const TASK_ROWS: usize = 256;
/// Tasks take multiples of so many rows, which both kernels' tiles divide.
const TILE_ROWS: usize = 32;
/// Rows whose columns one task sums.
const SUMMED_ROWS: usize = 512;
/// Inner dimension that is packed at once where it is long.
const LONG: usize = 2048;

impl Engine {
    /// An engine of a precision; `None` when this processor does not have it.
    pub fn new(precision: Precision) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let mixed = super::amx::available();
        #[cfg(not(target_arch = "x86_64"))]
        let mixed = false;
        (precision == Precision::F32 || mixed).then(|| Self {
            set: InstructionSet::detect(),
            precision,
        })
    }

    /// The instruction set for what is not a product.
    pub(crate) fn set(self) -> InstructionSet {
        self.set
    }

    /// Packs a right factor `k × n`, with a bias of `n` numbers.
    pub(crate) fn pack(self, right: View<'_>, bias: Option<&[f32]>) -> Packed {
        let form = match self.precision {
            Precision::F32 => {
                let tasks = rayon::current_num_threads();
                Form::Single(self.pack_single(right, bias, None, tasks))
            }
            #[cfg(target_arch = "x86_64")]
            Precision::Bf16 => {
                let mut tiles = PackedTiles::default();
                tiles.pack_together(Side::Right, right);
                let bias = bias.map(|bias| {
                    let mut bias = bias.to_vec();
                    bias.resize(right.columns.next_multiple_of(32), 0.0);
                    bias
                });
                Form::Mixed { tiles, bias }
            }
            #[cfg(not(target_arch = "x86_64"))]
            Precision::Bf16 => unreachable!("no engine of this precision is made"),
        };
        Packed {
            inner: right.rows,
            columns: right.columns,
            form,
        }
    }

    /// Packs a right factor that is used once, in memory that was used before.
    fn pack_again(self, right: View<'_>) -> Packed {
        if self.precision != Precision::F32 {
            return self.pack(right, None);
        }
        let reuse = SCRATCH.with_borrow_mut(|scratch| scratch.packed.take());
        let tasks = rayon::current_num_threads();
        Packed {
            inner: right.rows,
            columns: right.columns,
            form: Form::Single(self.pack_single(right, None, reuse, tasks)),
        }
    }

    fn pack_single(
        self,
        right: View<'_>,
        bias: Option<&[f32]>,
        reuse: Option<PackedMatrix>,
        tasks: usize,
    ) -> PackedMatrix {
        let (k, n) = (right.rows, right.columns);
        let mut copy = Vec::new();
        let whole = right.stride == if right.transposed { k } else { n };
        if right.transposed {
            let rows = if whole {
                &right.data[..k * n]
            } else {
                right.t().copy_to(&mut copy);
                &copy
            };
            let none;
            let bias = match bias {
                Some(bias) => bias,
                None => {
                    none = vec![0.0; n];
                    &none
                }
            };
            PackedMatrix::pack(self.set, k, &[(rows, bias)])
        } else {
            assert!(bias.is_none(), "a bias goes with a transposed factor");
            let rows = if whole {
                right.data
            } else {
                right.copy_to(&mut copy);
                &copy
            };
            PackedMatrix::pack_rows(self.set, k, n, rows, reuse, tasks)
        }
    }

    /// `output = start + left · right`, with all threads.
    pub(crate) fn multiply(self, left: View<'_>, right: &Packed, output: &mut [f32], start: Start) {
        assert_eq!(left.columns, right.inner, "inner dimensions");
        let columns = right.columns;
        let output = &mut output[..left.rows * columns];
        let share = task_rows(left.rows);
        let tasks = output.par_chunks_mut((share * columns).max(1)).enumerate();
        let part = |task: usize, output: &[f32]| left.part(task * share, output.len() / columns);
        match &right.form {
            Form::Single(matrix) => tasks.for_each(|(task, output)| {
                single(part(task, output), matrix, output, start);
            }),
            #[cfg(target_arch = "x86_64")]
            Form::Mixed { tiles, bias } => {
                let begin = match (start, bias) {
                    (Start::Output, _) => Begin::Output,
                    (Start::Fresh, Some(bias)) => Begin::Row(bias),
                    (Start::Fresh, None) => Begin::Zero,
                };
                tasks.for_each(|(task, output)| {
                    SCRATCH.with_borrow_mut(|scratch| {
                        scratch.left.pack(Side::Left, part(task, output));
                        multiply(&scratch.left, tiles, output, begin);
                    });
                });
            }
        }
    }

    /// `output = start + left · right` with both factors as they are, with all
    /// threads.
    pub(crate) fn product(self, left: View<'_>, right: View<'_>, output: &mut [f32], start: Start) {
        assert_eq!(left.columns, right.rows, "inner dimensions");
        let mut start = start;
        for from in (0..left.columns).step_by(LONG) {
            let count = LONG.min(left.columns - from);
            let right = self.pack_again(right.part(from, count));
            self.multiply(left.t().part(from, count).t(), &right, output, start);
            if let Form::Single(matrix) = right.form {
                SCRATCH.with_borrow_mut(|scratch| scratch.packed = Some(matrix));
            }
            start = Start::Output;
        }
    }

    /// `output = start + left · right` on the current thread; for the small
    /// matrices of attention.
    pub(crate) fn product_alone(
        self,
        left: View<'_>,
        right: View<'_>,
        output: &mut [f32],
        start: Start,
    ) {
        assert_eq!(left.columns, right.rows, "inner dimensions");
        let output = &mut output[..left.rows * right.columns];
        match self.precision {
            Precision::F32 => {
                let reuse = SCRATCH.with_borrow_mut(|scratch| scratch.packed.take());
                let matrix = self.pack_single(right, None, reuse, 1);
                single(left, &matrix, output, start);
                SCRATCH.with_borrow_mut(|scratch| scratch.packed = Some(matrix));
            }
            #[cfg(target_arch = "x86_64")]
            Precision::Bf16 => SCRATCH.with_borrow_mut(|scratch| {
                scratch.left.pack(Side::Left, left);
                scratch.right.pack(Side::Right, right);
                let begin = match start {
                    Start::Fresh => Begin::Zero,
                    Start::Output => Begin::Output,
                };
                multiply(&scratch.left, &scratch.right, output, begin);
            }),
            #[cfg(not(target_arch = "x86_64"))]
            Precision::Bf16 => unreachable!("no engine of this precision is made"),
        }
    }
}

/// Rows of the output that each task takes: as many tasks as there are threads,
/// or a multiple of them, so that none waits for another at the end.
fn task_rows(rows: usize) -> usize {
    let tasks = rows
        .div_ceil(TASK_ROWS)
        .next_multiple_of(rayon::current_num_threads())
        .max(1);
    rows.div_ceil(tasks).next_multiple_of(TILE_ROWS)
}

/// A product in single precision on the current thread.
fn single(left: View<'_>, right: &PackedMatrix, output: &mut [f32], start: Start) {
    SCRATCH.with_borrow_mut(|Scratch { copy, product, .. }| {
        let rows = if left.transposed || left.stride != left.columns {
            left.copy_to(copy);
            copy
        } else {
            left.data
        };
        match start {
            Start::Fresh => right.multiply(rows, output, left.rows, Finish::Plain, 1),
            Start::Output => {
                product.resize(output.len(), 0.0);
                right.multiply(rows, product, left.rows, Finish::Plain, 1);
                for (to, from) in output.iter_mut().zip(product) {
                    *to += *from;
                }
            }
        }
    });
}
