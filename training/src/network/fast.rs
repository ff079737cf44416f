//! The network on this processor, with kernels of its own.

use super::saved::{FastPass, Normalised, Pool, SavedLayer};
use super::slices::{Numbers, change};
use super::{Backbone, DropoutPass, Parameters, Tokens, embedding, site};
use crate::kernel::attention::{Attention, Sequence};
use crate::kernel::dropout::Dropout;
use crate::kernel::norm::Norm;
use crate::kernel::{Engine, Packed, Start, View, activation, norm};
use candle_core::{Device, Result, Tensor};
use medsift::encoder::parts::{Architecture, LayerNames, Layout};
use rayon::prelude::*;

/// Rows that one task of an element-wise kernel takes.
const TASK_ROWS: usize = 64;

/// A network on this processor.
#[derive(Debug)]
pub struct FastBackbone {
    architecture: Architecture,
    layout: Layout,
    parameters: Parameters,
    engine: Engine,
    /// Weights as products want them; made anew when they have changed.
    packed: Vec<Option<PackedLayer>>,
    pool: Pool,
}

/// The weights of a layer, packed for the forward and the backward pass.
#[derive(Debug)]
struct PackedLayer {
    qkv: [Packed; 2],
    output: [Packed; 2],
    widen: [Packed; 2],
    narrow: [Packed; 2],
}

impl FastBackbone {
    /// A network over parameters in this machine's memory.
    pub fn new(architecture: Architecture, parameters: Parameters, engine: Engine) -> Self {
        let layout = Layout::of(&architecture);
        Self {
            packed: (0..architecture.layers).map(|_| None).collect(),
            architecture,
            layout,
            parameters,
            engine,
            pool: Pool::default(),
        }
    }

    /// Goes on in another precision.
    pub fn set_engine(&mut self, engine: Engine) {
        self.engine = engine;
        self.values_changed();
    }

    fn pack(&mut self, layer: usize) -> Result<()> {
        if self.packed[layer].is_some() {
            return Ok(());
        }
        let names = &self.layout.layers[layer];
        let (hidden, wide) = (self.architecture.hidden, self.architecture.intermediate);
        let linear = |names: &[&String], inputs: usize| -> Result<[Packed; 2]> {
            let mut weights = Vec::new();
            let mut bias = Vec::new();
            for name in names {
                weights.extend_from_slice(&self.value(&format!("{name}.weight"))?);
                bias.extend_from_slice(&self.value(&format!("{name}.bias"))?);
            }
            let view = View::new(&weights, bias.len(), inputs);
            Ok([
                self.engine.pack(view.t(), Some(&bias)),
                self.engine.pack(view, None),
            ])
        };
        let packed = PackedLayer {
            qkv: linear(&[&names.query, &names.key, &names.value], hidden)?,
            output: linear(&[&names.output], hidden)?,
            widen: linear(&[&names.widen], hidden)?,
            narrow: linear(&[&names.narrow], wide)?,
        };
        self.packed[layer] = Some(packed);
        Ok(())
    }

    fn value(&self, name: &str) -> Result<Numbers<'_>> {
        Numbers::of(&self.parameters.get(name)?.value)
    }

    fn dropout(&self, pass: Option<DropoutPass>, site: u64, attention: bool) -> Dropout {
        pass.map_or(Dropout::OFF, |pass| {
            let share = if attention {
                pass.attention
            } else {
                pass.hidden
            };
            Dropout::new(pass.seed, site, share)
        })
    }

    /// Whether anything up to a layer, counted from 1, is trained; 0 stands
    /// for the embeddings.
    fn trained_up_to(&self, layer: usize) -> bool {
        self.parameters.iter().any(|parameter| {
            parameter.trained
                && self.layout.layers[layer.min(self.architecture.layers)..]
                    .iter()
                    .all(|names| !belongs(&parameter.name, names))
        })
    }

    fn normalise(
        &self,
        name: &str,
        dropout: [Dropout; 2],
        residual: Option<&[f32]>,
        states: &mut [f32],
        deviations: &mut [f32],
        output: &mut [f32],
    ) -> Result<()> {
        let scale = self.value(&format!("{name}.weight"))?;
        let shift = self.value(&format!("{name}.bias"))?;
        let (scale, shift): (&[f32], &[f32]) = (&scale, &shift);
        let hidden = scale.len();
        let part = TASK_ROWS * hidden;
        let set = self.engine.set();
        let epsilon = self.architecture.epsilon;
        states
            .par_chunks_mut(part)
            .zip(deviations.par_chunks_mut(TASK_ROWS))
            .zip(output.par_chunks_mut(part))
            .enumerate()
            .for_each(|(task, ((states, deviations), output))| {
                let norm = Norm {
                    scale,
                    shift,
                    epsilon,
                    before: dropout[0],
                    after: dropout[1],
                    first: task * TASK_ROWS,
                };
                let residual = residual.map(|r| &r[task * part..][..states.len()]);
                norm::forward(set, norm, residual, states, deviations, output);
            });
        Ok(())
    }

    /// From the gradient of a normalised sum to that of the sum, in place, and
    /// of the branch.
    fn normalise_back(
        &self,
        name: &str,
        dropout: [Dropout; 2],
        normalised: &Normalised,
        gradient: &mut [f32],
        branch: Option<&mut [f32]>,
    ) -> Result<()> {
        let scale = self.value(&format!("{name}.weight"))?;
        let shift = self.value(&format!("{name}.bias"))?;
        let (scale, shift): (&[f32], &[f32]) = (&scale, &shift);
        let hidden = scale.len();
        let set = self.engine.set();
        let epsilon = self.architecture.epsilon;
        // Few tasks, since each has sums of its own.
        let rows = normalised.deviations.len();
        let tasks = rayon::current_num_threads();
        let share = rows.div_ceil(tasks).max(1);
        let part = share * hidden;
        let branches: Vec<Option<&mut [f32]>> = match branch {
            Some(branch) => branch.chunks_mut(part).map(Some).collect(),
            None => (0..rows.div_ceil(share)).map(|_| None).collect(),
        };
        let sums: Vec<(Vec<f32>, Vec<f32>)> = gradient
            .par_chunks_mut(part)
            .zip(normalised.rows.par_chunks(part))
            .zip(normalised.deviations.par_chunks(share))
            .zip(branches)
            .enumerate()
            .map(|(task, (((gradient, rows), deviations), branch))| {
                let norm = Norm {
                    scale,
                    shift,
                    epsilon,
                    before: dropout[0],
                    after: dropout[1],
                    first: task * share,
                };
                let mut sums = (vec![0.0; hidden], vec![0.0; hidden]);
                norm::backward(
                    set,
                    norm,
                    rows,
                    deviations,
                    gradient,
                    branch,
                    &mut sums.0,
                    &mut sums.1,
                );
                sums
            })
            .collect();
        for (scale, shift) in &sums {
            self.add(&format!("{name}.weight"), scale)?;
            self.add(&format!("{name}.bias"), shift)?;
        }
        Ok(())
    }

    fn add(&self, name: &str, gradient: &[f32]) -> Result<()> {
        let parameter = self.parameters.get(name)?;
        if parameter.trained {
            change(&parameter.gradient, |sum| {
                sum.iter_mut().zip(gradient).for_each(|(s, g)| *s += g);
            })?;
        }
        Ok(())
    }

    /// Gradients of a linear layer's weights and bias, from that of its
    /// output and from its input.
    fn linear_gradient(&self, name: &str, output: View<'_>, input: View<'_>) -> Result<()> {
        let weight = self.parameters.get(&format!("{name}.weight"))?;
        if weight.trained {
            change(&weight.gradient, |gradient| {
                self.engine
                    .product(output.t(), input, gradient, Start::Output);
            })?;
        }
        self.add(&format!("{name}.bias"), &output.column_sums())
    }

    fn attention(&self, layer: usize, dropout: Option<DropoutPass>) -> Attention {
        Attention {
            engine: self.engine,
            heads: self.architecture.heads,
            width: self.architecture.head(),
            dropout: self.dropout(dropout, site::probabilities(layer), true),
        }
    }

    fn layer(
        &mut self,
        layer: usize,
        input: Vec<f32>,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
    ) -> Result<(Vec<f32>, SavedLayer)> {
        self.pack(layer)?;
        let (count, hidden) = (tokens.len(), self.architecture.hidden);
        let wide = self.architecture.intermediate;
        let pool = &mut self.pool;
        let mut saved = SavedLayer {
            qkv: pool.take(count * 3 * hidden),
            sums: pool.take(count * self.architecture.heads),
            mixed: pool.take(count * hidden),
            attention: Normalised {
                rows: pool.take(count * hidden),
                deviations: pool.take(count),
            },
            middle: pool.take(count * hidden),
            wide: pool.take(count * wide),
            active: pool.take(count * wide),
            last: Normalised {
                rows: pool.take(count * hidden),
                deviations: pool.take(count),
            },
            input,
        };
        let mut output = pool.take(count * hidden);
        let Some(packed) = &self.packed[layer] else {
            candle_core::bail!("layer {layer} is not packed");
        };
        let engine = self.engine;
        let names = &self.layout.layers[layer];
        let input = View::new(&saved.input, count, hidden);
        engine.multiply(input, &packed.qkv[0], &mut saved.qkv, Start::Fresh);
        let attention = self.attention(layer, dropout);
        let heads = self.architecture.heads;
        let mixed = sequences(tokens, &mut saved.mixed, hidden);
        let sums = sequences(tokens, &mut saved.sums, heads);
        let bounds = tokens.bounds();
        mixed
            .into_par_iter()
            .zip(sums)
            .enumerate()
            .for_each(|(text, (mixed, sums))| {
                attention.forward(sequence(&saved.qkv, bounds, text, hidden), mixed, sums);
            });
        let mixed = View::new(&saved.mixed, count, hidden);
        engine.multiply(
            mixed,
            &packed.output[0],
            &mut saved.attention.rows,
            Start::Fresh,
        );
        let drop = self.dropout(dropout, site::attention(layer), false);
        self.normalise(
            &names.attention_norm,
            [drop, Dropout::OFF],
            Some(&saved.input),
            &mut saved.attention.rows,
            &mut saved.attention.deviations,
            &mut saved.middle,
        )?;
        let middle = View::new(&saved.middle, count, hidden);
        engine.multiply(middle, &packed.widen[0], &mut saved.wide, Start::Fresh);
        let kind = self.architecture.activation;
        saved
            .wide
            .par_chunks(TASK_ROWS * wide)
            .zip(saved.active.par_chunks_mut(TASK_ROWS * wide))
            .for_each(|(from, to)| activation::forward(engine.set(), kind, from, to));
        let active = View::new(&saved.active, count, wide);
        engine.multiply(
            active,
            &packed.narrow[0],
            &mut saved.last.rows,
            Start::Fresh,
        );
        let drop = self.dropout(dropout, site::feed_forward(layer), false);
        self.normalise(
            &names.final_norm,
            [drop, Dropout::OFF],
            Some(&saved.middle),
            &mut saved.last.rows,
            &mut saved.last.deviations,
            &mut output,
        )?;
        Ok((output, saved))
    }

    /// From the gradient of a layer's output to that of its input, in place.
    fn layer_back(
        &mut self,
        layer: usize,
        saved: &SavedLayer,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
        gradient: &mut [f32],
    ) -> Result<()> {
        self.pack(layer)?;
        let (count, hidden) = (tokens.len(), self.architecture.hidden);
        let wide = self.architecture.intermediate;
        let mut branch = self.pool.take(count * hidden);
        let mut inner = self.pool.take(count * wide.max(3 * hidden));
        let mut mixed = self.pool.take(count * hidden);
        let Some(packed) = &self.packed[layer] else {
            candle_core::bail!("layer {layer} is not packed");
        };
        let engine = self.engine;
        let names = self.layout.layers[layer].clone();

        let drop = self.dropout(dropout, site::feed_forward(layer), false);
        let none = Dropout::OFF;
        self.normalise_back(
            &names.final_norm,
            [drop, none],
            &saved.last,
            gradient,
            Some(&mut branch),
        )?;
        let output = View::new(&branch, count, hidden);
        self.linear_gradient(&names.narrow, output, View::new(&saved.active, count, wide))?;
        let active = &mut inner[..count * wide];
        engine.multiply(output, &packed.narrow[1], active, Start::Fresh);
        let kind = self.architecture.activation;
        active
            .par_chunks_mut(TASK_ROWS * wide)
            .zip(saved.wide.par_chunks(TASK_ROWS * wide))
            .for_each(|(gradient, input)| {
                activation::backward(engine.set(), kind, input, gradient);
            });
        let output = View::new(active, count, wide);
        self.linear_gradient(
            &names.widen,
            output,
            View::new(&saved.middle, count, hidden),
        )?;
        engine.multiply(output, &packed.widen[1], gradient, Start::Output);

        let drop = self.dropout(dropout, site::attention(layer), false);
        self.normalise_back(
            &names.attention_norm,
            [drop, none],
            &saved.attention,
            gradient,
            Some(&mut branch),
        )?;
        let output = View::new(&branch, count, hidden);
        self.linear_gradient(
            &names.output,
            output,
            View::new(&saved.mixed, count, hidden),
        )?;
        engine.multiply(output, &packed.output[1], &mut mixed, Start::Fresh);
        let attention = self.attention(layer, dropout);
        let heads = self.architecture.heads;
        let qkv = &mut inner[..count * 3 * hidden];
        let bounds = tokens.bounds();
        sequences(tokens, qkv, 3 * hidden)
            .into_par_iter()
            .enumerate()
            .for_each(|(text, qkv)| {
                let (from, to) = (bounds[text], bounds[text + 1]);
                attention.backward(
                    sequence(&saved.qkv, bounds, text, hidden),
                    &saved.sums[from * heads..to * heads],
                    &mixed[from * hidden..to * hidden],
                    qkv,
                );
            });
        let input = View::new(&saved.input, count, hidden);
        for (part, name) in [&names.query, &names.key, &names.value]
            .into_iter()
            .enumerate()
        {
            let output = View::strided(&qkv[part * hidden..], count, hidden, 3 * hidden);
            self.linear_gradient(name, output, input)?;
        }
        engine.multiply(
            View::new(qkv, count, 3 * hidden),
            &packed.qkv[1],
            gradient,
            Start::Output,
        );
        for buffer in [branch, inner, mixed] {
            self.pool.give(buffer);
        }
        Ok(())
    }
}

/// Whether a parameter is one of a layer's.
fn belongs(name: &str, layer: &LayerNames) -> bool {
    let LayerNames {
        query,
        key,
        value,
        output,
        attention_norm,
        widen,
        narrow,
        final_norm,
    } = layer;
    [
        query,
        key,
        value,
        output,
        attention_norm,
        widen,
        narrow,
        final_norm,
    ]
    .iter()
    .any(|module| {
        name.strip_prefix(module.as_str())
            .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// Cuts rows of `width` numbers into those of each text.
fn sequences<'a>(tokens: &Tokens, mut rows: &'a mut [f32], width: usize) -> Vec<&'a mut [f32]> {
    tokens
        .bounds()
        .windows(2)
        .map(|pair| {
            let (text, rest) = std::mem::take(&mut rows).split_at_mut((pair[1] - pair[0]) * width);
            rows = rest;
            text
        })
        .collect()
}

fn sequence<'a>(qkv: &'a [f32], bounds: &[usize], text: usize, hidden: usize) -> Sequence<'a> {
    let (from, to) = (bounds[text], bounds[text + 1]);
    Sequence {
        qkv: &qkv[from * 3 * hidden..to * 3 * hidden],
        first: from,
        tokens: to - from,
    }
}

impl Backbone for FastBackbone {
    type Pass = FastPass;

    fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    fn forget(&mut self, pass: FastPass) {
        for layer in pass.layers {
            layer.give(&mut self.pool);
        }
        self.pool.give(pass.embedding.rows);
        self.pool.give(pass.embedding.deviations);
    }

    fn values_changed(&mut self) {
        self.packed.iter_mut().for_each(|packed| *packed = None);
    }

    fn engine(&self) -> Option<Engine> {
        Some(self.engine)
    }

    fn device(&self) -> &Device {
        &Device::Cpu
    }

    fn forward(
        &mut self,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
    ) -> Result<(Tensor, FastPass)> {
        embedding::check(tokens, &self.architecture)?;
        let (count, hidden) = (tokens.len(), self.architecture.hidden);
        let mut embedding = Normalised {
            rows: self.pool.take(count * hidden),
            deviations: self.pool.take(count),
        };
        let mut states = self.pool.take(count * hidden);
        embedding::embed(
            &self.parameters,
            &self.architecture,
            tokens,
            &mut embedding.rows,
        )?;
        let drop = self.dropout(dropout, site::EMBEDDING, false);
        self.normalise(
            &self.layout.embedding_norm,
            [Dropout::OFF, drop],
            None,
            &mut embedding.rows,
            &mut embedding.deviations,
            &mut states,
        )?;
        let mut layers = Vec::with_capacity(self.architecture.layers);
        for layer in 0..self.architecture.layers {
            let (output, saved) = self.layer(layer, states, tokens, dropout)?;
            layers.push(saved);
            states = output;
        }
        let pass = FastPass {
            tokens: tokens.clone(),
            dropout,
            embedding,
            layers,
        };
        Ok((
            Tensor::from_vec(states, (count, hidden), &Device::Cpu)?,
            pass,
        ))
    }

    fn backward(&mut self, pass: FastPass, gradient: &Tensor) -> Result<()> {
        let FastPass {
            tokens,
            dropout,
            embedding,
            layers,
        } = pass;
        let mut states = self.pool.take(tokens.len() * self.architecture.hidden);
        states.copy_from_slice(&Numbers::of(gradient)?);
        for (layer, saved) in layers.into_iter().enumerate().rev() {
            if self.trained_up_to(layer + 1) {
                self.layer_back(layer, &saved, &tokens, dropout, &mut states)?;
            }
            saved.give(&mut self.pool);
        }
        if self.trained_up_to(0) {
            let drop = self.dropout(dropout, site::EMBEDDING, false);
            let name = self.layout.embedding_norm.clone();
            self.normalise_back(&name, [Dropout::OFF, drop], &embedding, &mut states, None)?;
            embedding::add_gradient(&self.parameters, &self.architecture, &tokens, &states)?;
        }
        for buffer in [states, embedding.rows, embedding.deviations] {
            self.pool.give(buffer);
        }
        Ok(())
    }
}
