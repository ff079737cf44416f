//! Parameters of a network and their gradients.

use super::slices::change;
use candle_core::{DType, Device, Result, Tensor, Var};
use medsift::encoder::parts::{Architecture, Layout, Weights};
use std::collections::HashMap;

/// One parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in a checkpoint.
    pub name: String,
    /// Its value.
    pub value: Var,
    /// Sum of the gradients since they were last cleared, of the value's shape.
    pub gradient: Tensor,
    /// Whether it is trained; gradients of others are not computed.
    pub trained: bool,
    /// Whether the optimiser moves it: not where an adapter takes its gradient.
    pub moved: bool,
}

/// All parameters of a network, in the order of its layout.
#[derive(Debug)]
pub struct Parameters {
    list: Vec<Parameter>,
    index: HashMap<String, usize>,
}

impl Parameters {
    /// Copies a network's weights to a device.
    ///
    /// # Errors
    /// When a parameter is missing or the device fails.
    pub fn load(
        weights: &Weights,
        architecture: &Architecture,
        device: &Device,
    ) -> medsift::Result<Self> {
        let names = Layout::of(architecture).parameters(architecture);
        let tensors = names
            .into_iter()
            .map(|parameter| Ok((weights.tensor(&parameter.name)?, parameter.name)))
            .collect::<medsift::Result<Vec<_>>>()?;
        Self::new(
            tensors.into_iter().map(|(tensor, name)| (name, tensor)),
            device,
        )
        .map_err(crate::error::device)
    }

    /// Makes parameters of named tensors, in single precision.
    ///
    /// # Errors
    /// When the device fails.
    pub fn new(
        tensors: impl IntoIterator<Item = (String, Tensor)>,
        device: &Device,
    ) -> Result<Self> {
        let mut all = Self {
            list: Vec::new(),
            index: HashMap::new(),
        };
        for (name, tensor) in tensors {
            // `copy`, so that no other tensor shares the memory.
            let value = tensor.to_dtype(DType::F32)?.to_device(device)?.copy()?;
            all.add(name, Var::from_tensor(&value)?)?;
        }
        Ok(all)
    }

    /// Adds a parameter that lives elsewhere too: a head's.
    ///
    /// # Errors
    /// When the device fails.
    pub fn add(&mut self, name: String, value: Var) -> Result<()> {
        let gradient = Tensor::zeros(value.shape(), DType::F32, value.device())?;
        self.index.insert(name.clone(), self.list.len());
        self.list.push(Parameter {
            name,
            value,
            gradient,
            trained: true,
            moved: true,
        });
        Ok(())
    }

    /// A parameter by its name.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(&self, name: &str) -> Result<&Parameter> {
        match self.index.get(name) {
            Some(at) => Ok(&self.list[*at]),
            None => candle_core::bail!("there is no parameter `{name}`"),
        }
    }

    /// All, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Parameter> {
        self.list.iter()
    }

    /// Says which parameters are trained.
    pub fn freeze(&mut self, frozen: impl Fn(&str) -> bool) {
        for parameter in &mut self.list {
            parameter.trained = !frozen(&parameter.name);
            parameter.moved = parameter.trained;
        }
    }

    /// Leaves the optimiser nothing, and computes the gradients of the
    /// parameters that an adapter changes.
    pub fn adapt(&mut self, changed: impl Fn(&str) -> bool) {
        for parameter in &mut self.list {
            parameter.trained = changed(&parameter.name);
            parameter.moved = false;
        }
    }

    /// Adds a tensor to a parameter's gradient.
    ///
    /// # Errors
    /// When shapes differ.
    pub fn add_gradient(&mut self, name: &str, gradient: &Tensor) -> Result<()> {
        let Some(at) = self.index.get(name) else {
            candle_core::bail!("there is no parameter `{name}`");
        };
        let parameter = &mut self.list[*at];
        parameter.gradient = (&parameter.gradient + gradient)?;
        Ok(())
    }

    /// Sets all gradients to zero.
    ///
    /// # Errors
    /// When the device fails.
    pub fn clear_gradients(&mut self) -> Result<()> {
        for parameter in &mut self.list {
            if parameter.gradient.device().is_cpu() {
                change(&parameter.gradient, |numbers| numbers.fill(0.0))?;
            } else {
                parameter.gradient = parameter.gradient.zeros_like()?;
            }
        }
        Ok(())
    }

    /// Copies of all values by name.
    ///
    /// # Errors
    /// When the device fails.
    pub fn snapshot(&self) -> Result<HashMap<String, Tensor>> {
        self.list
            .iter()
            .map(|p| {
                let value = p.value.as_tensor().to_device(&Device::Cpu)?.copy()?;
                Ok((p.name.clone(), value))
            })
            .collect()
    }
}
