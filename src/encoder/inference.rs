//! The network on the processor, without tensors: weights packed once,
//! texts one behind the other without filling, memory used again and again.

use super::adapted::{PackedAdapter, PackedLayer, PackedUpdate, UpdateScratch};
use super::adapter::Adapter;
use super::architecture::Architecture;
use super::distance::DistanceTable;
use super::kernel::{
    Buffer, Finish, Heads, InstructionSet, PackedMatrix, SLACK, attend, normalise_rows,
};
use super::layout::{LayerNames, Layout};
use super::weights::Weights;
use crate::Result;

/// A network ready for inference.
#[derive(Debug)]
pub(super) struct Inference {
    set: InstructionSet,
    architecture: Architecture,
    words: Vec<f32>,
    /// Position and first token type added up, from the first position on.
    places: Vec<f32>,
    /// What the second token type has more than the first; empty where the
    /// network has no second.
    second: Vec<f32>,
    norm: Norm,
    /// Where attention goes by distance too.
    distances: Option<DistanceTable>,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

#[derive(Debug)]
struct Layer {
    /// Queries, keys and values in one product.
    qkv: PackedMatrix,
    output: PackedMatrix,
    attention_norm: Norm,
    widen: PackedMatrix,
    narrow: PackedMatrix,
    final_norm: Norm,
}

/// Memory of one run, kept for the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    states: Buffer,
    next: Buffer,
    /// Queries, keys and values, later the inside of the feed-forward layer.
    wide: Buffer,
    mixed: Buffer,
    attention: Buffer,
    update: UpdateScratch,
}

impl Inference {
    /// Packs loaded parameters for an instruction set.
    pub(super) fn new(
        weights: &Weights,
        architecture: &Architecture,
        set: InstructionSet,
    ) -> Result<Self> {
        let layout = Layout::of(architecture);
        let table = |name: &String| weights.numbers(&format!("{name}.weight"));
        let hidden = architecture.hidden;
        let mut places = table(&layout.positions)?.split_off(architecture.first_position * hidden);
        let mut second = Vec::new();
        if let Some(name) = &layout.token_types {
            let types = table(name)?;
            if let (Some(first), Some(other)) = (types.get(..hidden), types.get(hidden..2 * hidden))
            {
                second.extend(other.iter().zip(first).map(|(other, first)| other - first));
            }
            for place in places.chunks_exact_mut(hidden) {
                for (place, value) in place.iter_mut().zip(&types) {
                    *place += value;
                }
            }
        }
        Ok(Self {
            set,
            architecture: architecture.clone(),
            words: table(&layout.words)?,
            places,
            second,
            norm: Norm::new(weights, &layout.embedding_norm)?,
            distances: DistanceTable::read(weights, architecture)?,
            layers: layout
                .layers
                .iter()
                .map(|names| Layer::new(weights, names, architecture, set))
                .collect::<Result<_>>()?,
        })
    }

    /// The name of the instruction set.
    pub(super) fn instruction_set(&self) -> &'static str {
        self.set.name()
    }

    /// Numbers in a state.
    pub(super) fn hidden(&self) -> usize {
        self.architecture.hidden
    }

    /// Most tokens of a text.
    pub(super) fn positions(&self) -> usize {
        self.architecture.max_tokens()
    }

    /// Packs an adapter for this network.
    pub(super) fn adapt(&self, adapter: &Adapter) -> Result<PackedAdapter> {
        PackedAdapter::new(adapter, &self.architecture, self.set)
    }

    /// As [`Inference::forward_segments`], for texts of one segment.
    #[cfg(test)]
    pub(super) fn forward<'a>(
        &self,
        texts: &[&[u32]],
        adapter: Option<&PackedAdapter>,
        tasks: usize,
        scratch: &'a mut Scratch,
    ) -> &'a [f32] {
        let texts: Vec<(&[u32], usize)> = texts.iter().map(|ids| (*ids, ids.len())).collect();
        self.forward_segments(&texts, adapter, tasks, scratch)
    }

    /// States of the last layer, a row for each token of all texts. Beside the
    /// tokens of a text stands the place of the first that is of the second
    /// segment, their count where none is; a network that knows one segment
    /// takes all for it.
    ///
    /// With `tasks > 1` each step is shared between so many tasks of the
    /// current thread pool. A text's rows depend neither on its neighbours
    /// nor on `tasks`.
    pub(super) fn forward_segments<'a>(
        &self,
        texts: &[(&[u32], usize)],
        adapter: Option<&PackedAdapter>,
        tasks: usize,
        scratch: &'a mut Scratch,
    ) -> &'a [f32] {
        let mut bounds = vec![0];
        for (ids, _) in texts {
            bounds.push(bounds[bounds.len() - 1] + ids.len());
        }
        let tokens = bounds[texts.len()];
        let hidden = self.architecture.hidden;
        let wide = self.architecture.intermediate.max(3 * hidden);
        scratch.states.resize(tokens * hidden);
        scratch.next.resize(tokens * hidden);
        scratch.mixed.resize(tokens * hidden);
        scratch.wide.resize(tokens * wide + SLACK);
        self.embed(texts, &mut scratch.states);
        for (number, layer) in self.layers.iter().enumerate() {
            let update = adapter.map(|adapter| adapter.layer(number));
            self.layer(layer, update, &bounds, tasks, scratch);
        }
        &scratch.states
    }

    fn embed(&self, texts: &[(&[u32], usize)], states: &mut [f32]) {
        let hidden = self.architecture.hidden;
        let mut rows = states.chunks_exact_mut(hidden);
        for (ids, second) in texts {
            let places = self.places.chunks_exact(hidden).enumerate();
            for ((&id, (at, place)), row) in ids.iter().zip(places).zip(&mut rows) {
                let start = id as usize * hidden;
                let word = &self.words[start..start + hidden];
                for ((out, word), place) in row.iter_mut().zip(word).zip(place) {
                    *out = word + place;
                }
                if at >= *second {
                    for (out, more) in row.iter_mut().zip(&self.second) {
                        *out += more;
                    }
                }
            }
        }
        self.norm.apply(self.set, states, self.architecture.epsilon);
    }

    fn layer(
        &self,
        layer: &Layer,
        update: Option<&PackedLayer>,
        bounds: &[usize],
        tasks: usize,
        scratch: &mut Scratch,
    ) {
        let Scratch {
            states,
            next,
            wide,
            mixed,
            attention,
            update: low,
        } = scratch;
        let rows = bounds[bounds.len() - 1];
        let heads = Heads {
            count: self.architecture.heads,
            width: self.architecture.head(),
            distances: self.distances.as_ref().map(DistanceTable::view),
        };
        let epsilon = self.architecture.epsilon;
        let run = Run { rows, tasks };
        let [qkv, output, widen, narrow] = update.map_or([None; 4], PackedLayer::in_order);
        run.product(&layer.qkv, qkv, (states, wide), Finish::Plain, low);
        attend(self.set, heads, wide, bounds, mixed, attention, tasks);
        run.product(
            &layer.output,
            output,
            (mixed, next),
            Finish::Add(states),
            low,
        );
        layer.attention_norm.apply(self.set, next, epsilon);
        let activate = Finish::Activate(self.architecture.activation);
        run.product(&layer.widen, widen, (next, wide), activate, low);
        run.product(
            &layer.narrow,
            narrow,
            (wide, states),
            Finish::Add(next),
            low,
        );
        layer.final_norm.apply(self.set, states, epsilon);
    }
}

/// How many rows are multiplied, and by how many tasks.
#[derive(Clone, Copy)]
struct Run {
    rows: usize,
    tasks: usize,
}

impl Run {
    fn product(
        self,
        matrix: &PackedMatrix,
        update: Option<&PackedUpdate>,
        (input, output): (&[f32], &mut [f32]),
        finish: Finish<'_>,
        scratch: &mut UpdateScratch,
    ) {
        let Self { rows, tasks } = self;
        match update {
            None => matrix.multiply(input, output, rows, finish, tasks),
            Some(update) => {
                update.multiply(matrix, (input, output), rows, finish, tasks, scratch);
            }
        }
    }
}

impl Norm {
    fn new(weights: &Weights, name: &str) -> Result<Self> {
        Ok(Self {
            scale: weights.numbers(&format!("{name}.weight"))?,
            shift: weights.numbers(&format!("{name}.bias"))?,
        })
    }

    fn apply(&self, set: InstructionSet, rows: &mut [f32], epsilon: f32) {
        normalise_rows(set, rows, &self.scale, &self.shift, epsilon);
    }
}

impl Layer {
    fn new(
        weights: &Weights,
        names: &LayerNames,
        architecture: &Architecture,
        set: InstructionSet,
    ) -> Result<Self> {
        let pack = |inputs: usize, names: &[&String]| -> Result<PackedMatrix> {
            let parts = names
                .iter()
                .map(|name| {
                    Ok((
                        weights.numbers(&format!("{name}.weight"))?,
                        weights.numbers(&format!("{name}.bias"))?,
                    ))
                })
                .collect::<Result<Vec<_>>>()?;
            let parts: Vec<_> = parts.iter().map(|(w, b)| (&w[..], &b[..])).collect();
            Ok(PackedMatrix::pack(set, inputs, &parts))
        };
        let (hidden, wide) = (architecture.hidden, architecture.intermediate);
        Ok(Self {
            qkv: pack(hidden, &[&names.query, &names.key, &names.value])?,
            output: pack(hidden, &[&names.output])?,
            attention_norm: Norm::new(weights, &names.attention_norm)?,
            widen: pack(hidden, &[&names.widen])?,
            narrow: pack(wide, &[&names.narrow])?,
            final_norm: Norm::new(weights, &names.final_norm)?,
        })
    }
}
