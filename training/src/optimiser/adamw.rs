//! AdamW (Loshchilov and Hutter, 2019, arXiv:1711.05101).

use crate::kernel::update::{AdamStep, adam};
use crate::network::{Numbers, Parameter, change};
use candle_core::{DType, Result, Tensor};
use medsift::encoder::parts::kernel::InstructionSet;
use rayon::prelude::*;
use std::collections::HashMap;

/// Numbers that one task updates.
const TASK: usize = 1 << 15;

/// Constants of the optimiser.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamWSettings {
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Added to the root of the second moment.
    pub epsilon: f64,
}

impl Default for AdamWSettings {
    fn default() -> Self {
        Self {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
        }
    }
}

/// The optimiser and its moments.
#[derive(Debug)]
pub struct AdamW {
    settings: AdamWSettings,
    set: InstructionSet,
    steps: usize,
    moments: HashMap<String, [Tensor; 2]>,
}

impl AdamW {
    /// An optimiser that has seen nothing.
    pub fn new(settings: AdamWSettings) -> Self {
        Self {
            settings,
            set: InstructionSet::detect(),
            steps: 0,
            moments: HashMap::new(),
        }
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Moves every parameter that is to be moved against its gradient, which is
    /// multiplied by `scale` first. `group` gives, for a parameter's name, its
    /// learning rate and its weight decay.
    ///
    /// # Errors
    /// When the device fails.
    pub fn step<'a>(
        &mut self,
        parameters: impl IntoIterator<Item = &'a Parameter>,
        group: impl Fn(&str) -> (f64, f64),
        scale: f64,
    ) -> Result<()> {
        self.steps += 1;
        for parameter in parameters.into_iter().filter(|p| p.moved) {
            self.update(parameter, group(&parameter.name), scale)?;
        }
        Ok(())
    }

    fn update(
        &mut self,
        parameter: &Parameter,
        (rate, decay): (f64, f64),
        scale: f64,
    ) -> Result<()> {
        let settings = self.settings;
        let correction = |beta: f64| 1.0 - beta.powi(self.steps as i32);
        let step = AdamStep {
            rate: rate as f32,
            beta1: settings.beta1 as f32,
            beta2: settings.beta2 as f32,
            epsilon: settings.epsilon as f32,
            decay: decay as f32,
            correction1: correction(settings.beta1) as f32,
            correction2: correction(settings.beta2) as f32,
            scale: scale as f32,
        };
        if !self.moments.contains_key(&parameter.name) {
            let zeros = || {
                Tensor::zeros(
                    parameter.value.shape(),
                    DType::F32,
                    parameter.value.device(),
                )
            };
            self.moments
                .insert(parameter.name.clone(), [zeros()?, zeros()?]);
        }
        let moments = &self.moments[&parameter.name];
        if parameter.value.device().is_cpu() {
            let set = self.set;
            let gradient = Numbers::of(&parameter.gradient)?;
            change(&parameter.value, |values| {
                change(&moments[0], |first| {
                    change(&moments[1], |second| {
                        values
                            .par_chunks_mut(TASK)
                            .zip(gradient.par_chunks(TASK))
                            .zip(first.par_chunks_mut(TASK))
                            .zip(second.par_chunks_mut(TASK))
                            .for_each(|(((p, g), m), v)| adam(set, step, p, g, m, v));
                    })
                })
            })???;
            return Ok(());
        }
        let moments = tensor_step(parameter, moments, &step)?;
        self.moments.insert(parameter.name.clone(), moments);
        Ok(())
    }

    /// Both moments of every parameter, as `name` with `.first` or `.second`
    /// behind it, for a checkpoint. They share their memory with the
    /// optimiser.
    pub fn state(&self) -> HashMap<String, Tensor> {
        self.moments
            .iter()
            .flat_map(|(name, [first, second])| {
                [
                    (format!("{name}.first"), first.clone()),
                    (format!("{name}.second"), second.clone()),
                ]
            })
            .collect()
    }

    /// Takes up a state where a checkpoint left it.
    ///
    /// # Errors
    /// When a moment lacks its other.
    pub fn restore(&mut self, steps: usize, state: &HashMap<String, Tensor>) -> Result<()> {
        self.steps = steps;
        self.moments.clear();
        for (name, first) in state {
            if let Some(name) = name.strip_suffix(".first") {
                let Some(second) = state.get(&format!("{name}.second")) else {
                    candle_core::bail!("the checkpoint lacks the second moment of `{name}`");
                };
                self.moments
                    .insert(name.to_owned(), [first.copy()?, second.copy()?]);
            }
        }
        Ok(())
    }
}

/// The same step of tensors, for devices other than this processor.
pub(super) fn tensor_step(
    parameter: &Parameter,
    moments: &[Tensor; 2],
    step: &AdamStep,
) -> Result<[Tensor; 2]> {
    let f = f64::from;
    let gradient = (&parameter.gradient * f(step.scale))?;
    let first = ((&moments[0] * f(step.beta1))? + (&gradient * f(1.0 - step.beta1))?)?;
    let second = ((&moments[1] * f(step.beta2))? + (gradient.sqr()? * f(1.0 - step.beta2))?)?;
    let root = ((second.sqrt()? / f(step.correction2).sqrt())? + f(step.epsilon))?;
    let change = ((&first / root)? * f(step.rate / step.correction1))?;
    let kept = (parameter.value.as_tensor() * (1.0 - f(step.rate) * f(step.decay)))?;
    parameter.value.set(&(kept - change)?)?;
    Ok([first, second])
}
