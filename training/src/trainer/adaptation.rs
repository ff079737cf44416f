//! Low-rank adaptation (LoRA, Hu et al. 2021, arXiv 2106.09685): of the
//! encoder's linear layers only a change `scale · B·A` is learnt, and the
//! encoder's own weights stay what they were.
//!
//! The network itself knows nothing of it: it holds `W = W₀ + scale · B·A` and
//! gives the gradient `G` of `W`, from which `B` gets `scale · G·Aᵀ` and `A`
//! gets `scale · Bᵀ·G`. So every backbone and precision serves.

use crate::config::{AdapterConfig, StageConfig};
use crate::error::device;
use crate::model::truncated_normal;
use crate::network::{Backbone, Parameters};
use candle_core::{DType, Device, Result as TensorResult, Tensor, Var};
use medsift::encoder::parts::{LayerNames, Layout};
use medsift::encoder::{Adapter, LowRank};
use medsift::{Error, Result};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Before the names of the parameters: they stand beside the encoder's.
pub(crate) const PREFIX: &str = "adapter.";

/// What an adapter changes while it is learnt.
pub(super) struct Adaptation {
    rank: usize,
    scale: f64,
    layers: Vec<Changed>,
}

/// A linear layer under change.
struct Changed {
    module: String,
    /// Its weights without the change.
    base: Tensor,
}

impl Changed {
    fn weight(&self) -> String {
        format!("{}.weight", self.module)
    }

    fn down(&self) -> String {
        format!("{PREFIX}{}.lora_A", self.module)
    }

    fn up(&self) -> String {
        format!("{PREFIX}{}.lora_B", self.module)
    }
}

impl Adaptation {
    /// Adds the parameters of an adapter to those beside the encoder, and
    /// leaves the encoder's to it. The layers that the stage does not freeze
    /// are changed. `A` begins at random with the deviation `1/√inputs`, `B`
    /// at 0, so that training begins with the encoder as it is.
    ///
    /// # Errors
    /// When every layer is frozen, or the device fails.
    pub(super) fn begin<B: Backbone>(
        settings: AdapterConfig,
        stage: &StageConfig,
        network: &mut B,
        heads: &mut Parameters,
        seed: u64,
    ) -> Result<Self> {
        let layout = Layout::of(network.architecture());
        let modules: Vec<&String> = layout.layers.iter().flat_map(linear).collect();
        let free =
            |module: &&&String| !stage.parameter(&format!("{module}.weight"), &layout).frozen;
        let layers = modules
            .iter()
            .filter(free)
            .map(|module| {
                let weight = network.parameters().get(&format!("{module}.weight"))?;
                Ok(Changed {
                    module: (*module).clone(),
                    base: weight.value.as_tensor().copy()?,
                })
            })
            .collect::<TensorResult<Vec<_>>>()
            .map_err(device)?;
        if layers.is_empty() {
            return Err(Error::invalid(
                "adapter",
                format!(
                    "stage `{}`: every layer that an adapter could change is frozen; lower \
                     `freeze_layers` or remove `adapter`",
                    stage.name
                ),
            ));
        }
        let all = Self {
            rank: settings.rank,
            scale: settings.scale(),
            layers,
        };
        all.add_parameters(heads, seed).map_err(device)?;
        let changed: Vec<String> = all.layers.iter().map(Changed::weight).collect();
        network
            .parameters_mut()
            .adapt(|name| changed.iter().any(|changed| changed == name));
        Ok(all)
    }

    fn add_parameters(&self, heads: &mut Parameters, seed: u64) -> TensorResult<()> {
        for (stream, layer) in self.layers.iter().enumerate() {
            let (outputs, inputs) = layer.base.dims2()?;
            let on = layer.base.device();
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(1 + stream as u64);
            let deviation = 1.0 / (inputs as f32).sqrt();
            let down = truncated_normal(&mut random, self.rank * inputs, deviation);
            let down = Tensor::from_vec(down, (self.rank, inputs), &Device::Cpu)?.to_device(on)?;
            let up = Tensor::zeros((outputs, self.rank), DType::F32, on)?;
            heads.add(layer.down(), Var::from_tensor(&down)?)?;
            heads.add(layer.up(), Var::from_tensor(&up)?)?;
        }
        Ok(())
    }

    /// Adds to the adapter's gradients what follows from those of the
    /// network's weights.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn take_gradients(
        &self,
        network: &Parameters,
        heads: &mut Parameters,
    ) -> TensorResult<()> {
        for layer in &self.layers {
            let gradient = &network.get(&layer.weight())?.gradient;
            let down = heads.get(&layer.down())?.value.as_tensor().detach();
            let up = heads.get(&layer.up())?.value.as_tensor().detach();
            let of_up = (gradient.matmul(&down.t()?)? * self.scale)?;
            let of_down = (up.t()?.matmul(gradient)? * self.scale)?;
            heads.add_gradient(&layer.up(), &of_up)?;
            heads.add_gradient(&layer.down(), &of_down)?;
        }
        Ok(())
    }

    /// Brings the change into the network's weights.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn change<B: Backbone>(
        &self,
        network: &mut B,
        heads: &Parameters,
    ) -> TensorResult<()> {
        for layer in &self.layers {
            let down = heads.get(&layer.down())?.value.as_tensor().detach();
            let up = heads.get(&layer.up())?.value.as_tensor().detach();
            let weight = (&layer.base + (up.matmul(&down)? * self.scale)?)?;
            let parameter = network.parameters().get(&layer.weight())?;
            parameter.value.set(&weight)?;
        }
        network.values_changed();
        Ok(())
    }

    /// The adapter as it is stored.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn adapter(&self, heads: &Parameters) -> Result<Adapter> {
        let updates = self
            .layers
            .iter()
            .map(|layer| {
                let (outputs, inputs) = layer.base.dims2()?;
                let numbers = |name: &str| heads.get(name)?.value.flatten_all()?.to_vec1::<f32>();
                let scale = self.scale as f32;
                let update = LowRank {
                    inputs,
                    outputs,
                    down: numbers(&layer.down())?,
                    up: numbers(&layer.up())?
                        .into_iter()
                        .map(|x| x * scale)
                        .collect(),
                };
                Ok((layer.module.clone(), update))
            })
            .collect::<TensorResult<BTreeMap<_, _>>>()
            .map_err(device)?;
        Adapter::new(self.rank, updates)
    }
}

/// Numbers that an adapter of a network would learn.
pub(super) fn numbers(
    settings: AdapterConfig,
    stage: &StageConfig,
    layout: &Layout,
    shape: impl Fn(&str) -> (usize, usize),
) -> usize {
    let weights = layout.layers.iter().flat_map(linear);
    weights
        .map(|module| format!("{module}.weight"))
        .filter(|name| !stage.parameter(name, layout).frozen)
        .map(|name| shape(&name))
        .map(|(outputs, inputs)| settings.rank * (outputs + inputs))
        .sum()
}

/// The linear layers of a layer of the network.
fn linear(names: &LayerNames) -> [&String; 6] {
    [
        &names.query,
        &names.key,
        &names.value,
        &names.output,
        &names.widen,
        &names.narrow,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize, factor: f32) -> Tensor {
        let numbers: Vec<f32> = (0..rows * columns)
            .map(|at| ((at * 7 + 3) % 11) as f32 * factor - 0.4)
            .collect();
        Tensor::from_vec(numbers, (rows, columns), &Device::Cpu).unwrap()
    }

    #[test]
    fn gradients_are_those_of_the_product() {
        let name = "layer";
        let base = matrix(5, 4, 0.1);
        let adaptation = Adaptation {
            rank: 2,
            scale: 1.5,
            layers: vec![Changed {
                module: name.to_owned(),
                base: base.clone(),
            }],
        };
        let mut network =
            Parameters::new([(format!("{name}.weight"), base)], &Device::Cpu).unwrap();
        let mut heads = Parameters::new([], &Device::Cpu).unwrap();
        let (down, up) = (matrix(2, 4, 0.2), matrix(5, 2, 0.3));
        let layer = &adaptation.layers[0];
        let (down, up) = (
            Var::from_tensor(&down).unwrap(),
            Var::from_tensor(&up).unwrap(),
        );
        heads.add(layer.down(), down.clone()).unwrap();
        heads.add(layer.up(), up.clone()).unwrap();
        let slope = matrix(5, 4, 0.07);
        network.add_gradient(&layer.weight(), &slope).unwrap();
        adaptation.take_gradients(&network, &mut heads).unwrap();

        // The same loss, whose gradient at W is `slope`, of tensors.
        let change = (up.matmul(&down).unwrap() * 1.5).unwrap();
        let weight = (&layer.base + change).unwrap();
        let loss = (weight * slope).unwrap().sum_all().unwrap();
        let gradients = loss.backward().unwrap();
        for (name, var) in [(layer.down(), &down), (layer.up(), &up)] {
            let expected = gradients.get(var).unwrap();
            let found = &heads.get(&name).unwrap().gradient;
            let off = (found - expected)
                .unwrap()
                .abs()
                .unwrap()
                .max_all()
                .unwrap();
            assert!(off.to_scalar::<f32>().unwrap() < 1e-5, "{name}");
        }
    }
}
