//! Adapters arranged for inference: beside the packed weights, which stay
//! those of all tasks.

use super::adapter::{Adapter, LowRank};
use super::architecture::Architecture;
use super::kernel::{Buffer, Finish, InstructionSet, PackedMatrix};
use super::layout::{LayerNames, Layout};
use crate::{Error, ErrorKind, Result};

/// An adapter ready for inference.
#[derive(Debug)]
pub(crate) struct PackedAdapter {
    layers: Vec<PackedLayer>,
}

/// The changes of one layer of the network.
#[derive(Debug)]
pub(super) struct PackedLayer {
    /// Of queries, keys and values in one.
    qkv: Option<PackedUpdate>,
    output: Option<PackedUpdate>,
    widen: Option<PackedUpdate>,
    narrow: Option<PackedUpdate>,
}

/// The change of one product.
#[derive(Debug)]
pub(super) struct PackedUpdate {
    down: PackedMatrix,
    up: PackedMatrix,
    rank: usize,
    outputs: usize,
}

/// Memory of a change, kept for the next.
#[derive(Debug, Default)]
pub(super) struct UpdateScratch {
    low: Buffer,
    change: Buffer,
}

impl PackedAdapter {
    /// Packs an adapter for a network.
    ///
    /// # Errors
    /// When it names layers that the network has not, or their shapes differ.
    pub(super) fn new(
        adapter: &Adapter,
        architecture: &Architecture,
        set: InstructionSet,
    ) -> Result<Self> {
        let layout = Layout::of(architecture);
        let (hidden, wide) = (architecture.hidden, architecture.intermediate);
        let mut found = 0;
        let mut pack = |inputs, parts: &[(&String, usize)]| -> Result<Option<PackedUpdate>> {
            let updates: Vec<_> = parts
                .iter()
                .map(|(name, outputs)| (adapter.updates().get(*name), *outputs))
                .collect();
            for ((name, _), (update, outputs)) in parts.iter().zip(&updates) {
                if update.is_some_and(|one| (one.inputs, one.outputs) != (inputs, *outputs)) {
                    return Err(misfit(&format!("`{name}` has another shape")));
                }
            }
            found += updates.iter().filter(|(one, _)| one.is_some()).count();
            Ok(PackedUpdate::new(set, adapter.rank(), inputs, &updates))
        };
        let layers = layout
            .layers
            .iter()
            .map(|names| {
                let LayerNames {
                    query, key, value, ..
                } = names;
                Ok(PackedLayer {
                    qkv: pack(hidden, &[(query, hidden), (key, hidden), (value, hidden)])?,
                    output: pack(hidden, &[(&names.output, hidden)])?,
                    widen: pack(hidden, &[(&names.widen, wide)])?,
                    narrow: pack(wide, &[(&names.narrow, hidden)])?,
                })
            })
            .collect::<Result<_>>()?;
        if found < adapter.updates().len() {
            return Err(misfit("it changes layers that the encoder has not"));
        }
        Ok(Self { layers })
    }

    /// The changes of a layer.
    pub(super) fn layer(&self, number: usize) -> &PackedLayer {
        &self.layers[number]
    }
}

impl PackedLayer {
    /// In the order in which they are needed.
    pub(super) fn in_order(&self) -> [Option<&PackedUpdate>; 4] {
        [&self.qkv, &self.output, &self.widen, &self.narrow].map(Option::as_ref)
    }
}

fn misfit(what: &str) -> Error {
    Error::new(
        ErrorKind::Incompatible,
        format!("the adapter is of another encoder: {what}"),
    )
}

impl PackedUpdate {
    /// Packs the changes of layers that share their input and whose outputs
    /// follow each other; `None` where none is changed.
    fn new(
        set: InstructionSet,
        rank: usize,
        inputs: usize,
        parts: &[(Option<&LowRank>, usize)],
    ) -> Option<Self> {
        let changed: Vec<&LowRank> = parts.iter().filter_map(|(update, _)| *update).collect();
        if changed.is_empty() {
            return None;
        }
        let inner = rank * changed.len();
        let down: Vec<f32> = changed.iter().flat_map(|one| &one.down).copied().collect();
        let outputs: usize = parts.iter().map(|(_, outputs)| outputs).sum();
        let mut up = vec![0.0; outputs * inner];
        let (mut row, mut column) = (0, 0);
        for (update, outputs) in parts {
            if let Some(update) = update {
                let rows = up[row * inner..].chunks_exact_mut(inner);
                for (to, from) in rows.zip(update.up.chunks_exact(rank)) {
                    to[column..column + rank].copy_from_slice(from);
                }
                column += rank;
            }
            row += outputs;
        }
        let none = vec![0.0; inner.max(outputs)];
        Some(Self {
            down: PackedMatrix::pack(set, inputs, &[(&down, &none[..inner])]),
            up: PackedMatrix::pack(set, inner, &[(&up, &none[..outputs])]),
            rank: inner,
            outputs,
        })
    }

    /// Multiplies as `matrix` would whose weights hold the change.
    pub(super) fn multiply(
        &self,
        matrix: &PackedMatrix,
        (input, output): (&[f32], &mut [f32]),
        rows: usize,
        finish: Finish<'_>,
        tasks: usize,
        scratch: &mut UpdateScratch,
    ) {
        let UpdateScratch { low, change } = scratch;
        low.resize(rows * self.rank);
        change.resize(rows * self.outputs);
        self.down.multiply(input, low, rows, Finish::Plain, tasks);
        let (added, activation) = match finish {
            Finish::Plain => (Finish::Plain, None),
            Finish::Add(matrix) => (Finish::Add(matrix), None),
            Finish::Activate(activation) => (Finish::Plain, Some(activation)),
            Finish::AddAndActivate(matrix, activation) => (Finish::Add(matrix), Some(activation)),
        };
        self.up.multiply(low, change, rows, added, tasks);
        let finish = match activation {
            None => Finish::Add(change),
            Some(activation) => Finish::AddAndActivate(change, activation),
        };
        matrix.multiply(input, output, rows, finish, tasks);
    }
}
