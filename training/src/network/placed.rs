//! The network of the place where a run computes.

use super::saved::FastPass;
use super::{Backbone, DropoutPass, FastBackbone, Parameters, TensorBackbone, Tokens};
use crate::kernel::Engine;
use crate::{Place, Precision};
use candle_core::{Device, Result, Tensor};
use medsift::encoder::parts::Architecture;
use medsift::{Error, ErrorKind};

/// A network on this processor's kernels, or made of tensors.
#[derive(Debug)]
pub enum PlacedBackbone {
    /// On this processor's kernels.
    Kernels(FastBackbone),
    /// Of tensor operations.
    Tensors(TensorBackbone),
}

/// What a forward pass of either leaves.
#[derive(Debug)]
pub enum PlacedPass {
    /// Of the kernels.
    Kernels(FastPass),
    /// The states with the graph behind them.
    Tensors(Tensor),
}

impl PlacedBackbone {
    /// A network over parameters, which are on the place's device.
    ///
    /// # Errors
    /// When the place has no products in this precision.
    pub fn new(
        place: Place,
        precision: Precision,
        architecture: Architecture,
        parameters: Parameters,
        device: &Device,
    ) -> medsift::Result<Self> {
        let engine = check_precision(place, precision)?;
        Ok(match engine {
            Some(engine) => Self::Kernels(FastBackbone::new(architecture, parameters, engine)),
            None => Self::Tensors(TensorBackbone::new(architecture, parameters, device)),
        })
    }

    /// Goes on in another precision.
    ///
    /// # Errors
    /// When the place has no products in it.
    pub fn set_precision(&mut self, place: Place, precision: Precision) -> medsift::Result<()> {
        let engine = check_precision(place, precision)?;
        if let (Self::Kernels(network), Some(engine)) = (self, engine) {
            network.set_engine(engine);
        }
        Ok(())
    }
}

/// The engine of a precision, where the place has kernels.
///
/// # Errors
/// When the place has no products in this precision.
pub(crate) fn check_precision(
    place: Place,
    precision: Precision,
) -> medsift::Result<Option<Engine>> {
    let refuse = |why: &str| {
        Err(Error::new(
            ErrorKind::Incompatible,
            format!("{why}; set `precision = \"f32\"` in the stage"),
        ))
    };
    match (place, precision) {
        (Place::Cpu, _) => match Engine::new(precision) {
            Some(engine) => Ok(Some(engine)),
            None => refuse("this processor has no products in bfloat16 (Intel AMX)"),
        },
        (_, Precision::F32) => Ok(None),
        (_, Precision::Bf16) => refuse("products in bfloat16 exist for `device = \"cpu\"` only"),
    }
}

impl Backbone for PlacedBackbone {
    type Pass = PlacedPass;

    fn architecture(&self) -> &Architecture {
        match self {
            Self::Kernels(network) => network.architecture(),
            Self::Tensors(network) => network.architecture(),
        }
    }

    fn parameters(&self) -> &Parameters {
        match self {
            Self::Kernels(network) => network.parameters(),
            Self::Tensors(network) => network.parameters(),
        }
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        match self {
            Self::Kernels(network) => network.parameters_mut(),
            Self::Tensors(network) => network.parameters_mut(),
        }
    }

    fn values_changed(&mut self) {
        match self {
            Self::Kernels(network) => network.values_changed(),
            Self::Tensors(network) => network.values_changed(),
        }
    }

    fn engine(&self) -> Option<Engine> {
        match self {
            Self::Kernels(network) => network.engine(),
            Self::Tensors(network) => network.engine(),
        }
    }

    fn device(&self) -> &Device {
        match self {
            Self::Kernels(network) => network.device(),
            Self::Tensors(network) => network.device(),
        }
    }

    fn forward(
        &mut self,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
    ) -> Result<(Tensor, PlacedPass)> {
        Ok(match self {
            Self::Kernels(network) => {
                let (states, pass) = network.forward(tokens, dropout)?;
                (states, PlacedPass::Kernels(pass))
            }
            Self::Tensors(network) => {
                let (states, pass) = network.forward(tokens, dropout)?;
                (states, PlacedPass::Tensors(pass))
            }
        })
    }

    fn forget(&mut self, pass: PlacedPass) {
        if let (Self::Kernels(network), PlacedPass::Kernels(pass)) = (self, pass) {
            network.forget(pass);
        }
    }

    fn backward(&mut self, pass: PlacedPass, gradient: &Tensor) -> Result<()> {
        match (self, pass) {
            (Self::Kernels(network), PlacedPass::Kernels(pass)) => network.backward(pass, gradient),
            (Self::Tensors(network), PlacedPass::Tensors(pass)) => network.backward(pass, gradient),
            _ => candle_core::bail!("the pass is of another network"),
        }
    }
}
