//! The network on this processor, with kernels of its own.

mod layer;
mod normalise;

use super::saved::{FastPass, Normalised, Pool};
use super::slices::{Numbers, change};
use super::{Backbone, DropoutPass, Parameters, Tokens, embedding, site};
use crate::kernel::dropout::Dropout;
use crate::kernel::{Engine, Packed, Start, View};
use candle_core::{Device, Result, Tensor};
use medsift::encoder::parts::{Architecture, LayerNames, Layout};

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
