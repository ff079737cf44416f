//! Low-rank adapters: what a task changes in an encoder that it shares with
//! others (LoRA, Hu et al. 2021, arXiv 2106.09685).
//!
//! A linear layer with the weights `W` (`outputs × inputs`) becomes
//! `W + B·A`, where `A` is `rank × inputs` and `B` `outputs × rank`; biases
//! and all else stay. The file has the names of the PEFT library:
//! `MODULE.lora_A.weight` and `MODULE.lora_B.weight`, with the factor
//! `alpha / rank` worked into `B`.

use super::weights::{internal, read_checkpoint};
use crate::{Error, ErrorKind, Result};
use candle_core::{DType, Device, Tensor};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

const DOWN: &str = ".lora_A.weight";
const UP: &str = ".lora_B.weight";

/// The change of one linear layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LowRank {
    /// Numbers of the layer's input.
    pub inputs: usize,
    /// Numbers of its output.
    pub outputs: usize,
    /// `rank × inputs`.
    pub down: Vec<f32>,
    /// `outputs × rank`.
    pub up: Vec<f32>,
}

/// The changes of an encoder, by the name of the linear layer's module.
#[derive(Debug, Clone, PartialEq)]
pub struct Adapter {
    rank: usize,
    updates: BTreeMap<String, LowRank>,
}

impl Adapter {
    /// Puts changes of one rank together.
    ///
    /// # Errors
    /// When there is none, or a shape does not fit the rank.
    pub fn new(rank: usize, updates: BTreeMap<String, LowRank>) -> Result<Self> {
        if rank == 0 || updates.is_empty() {
            return Err(Error::invalid("rank", "an adapter without a change"));
        }
        for (module, update) in &updates {
            let (down, up) = (rank * update.inputs, update.outputs * rank);
            if (update.down.len(), update.up.len()) != (down, up) {
                let what = format!("the change of `{module}` has not the rank {rank}");
                return Err(Error::invalid("rank", what));
            }
        }
        Ok(Self { rank, updates })
    }

    /// Its rank.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The changed layers.
    pub fn updates(&self) -> &BTreeMap<String, LowRank> {
        &self.updates
    }

    /// Reads a safetensors file.
    ///
    /// # Errors
    /// When it is missing or damaged, or shapes do not fit each other.
    pub fn read(path: &Path) -> Result<Self> {
        let tensors = read_checkpoint(path)?;
        let mut updates = BTreeMap::new();
        let mut rank = 0;
        for (name, down) in &tensors {
            let Some(module) = name.strip_suffix(DOWN) else {
                if name.ends_with(UP) {
                    continue;
                }
                return Err(Error::corrupt(path, format!("`{name}` is of no adapter")));
            };
            let up = tensors
                .get(&format!("{module}{UP}"))
                .ok_or_else(|| Error::corrupt(path, format!("it lacks `{module}{UP}`")))?;
            let ([ranks, inputs], [outputs, again]) = (down.dims(), up.dims()) else {
                return Err(Error::corrupt(path, format!("`{module}` has no matrices")));
            };
            if ranks != again || (rank > 0 && rank != *ranks) {
                let what = format!("`{module}` has another rank than the rest");
                return Err(Error::corrupt(path, what));
            }
            rank = *ranks;
            let update = LowRank {
                inputs: *inputs,
                outputs: *outputs,
                down: numbers(path, name, down)?,
                up: numbers(path, &format!("{module}{UP}"), up)?,
            };
            updates.insert(module.to_owned(), update);
        }
        if 2 * updates.len() != tensors.len() {
            let what = format!("some `{UP}` stand without their `{DOWN}`");
            return Err(Error::corrupt(path, what));
        }
        Self::new(rank, updates).map_err(|error| Error::corrupt(path, error))
    }

    /// Writes a safetensors file, in half precision.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let half = |numbers: &[f32], shape: (usize, usize)| {
            Tensor::from_slice(numbers, shape, &Device::Cpu)
                .and_then(|tensor| tensor.to_dtype(DType::F16))
                .map_err(|error| internal(&error))
        };
        let mut tensors = HashMap::new();
        for (module, update) in &self.updates {
            let down = half(&update.down, (self.rank, update.inputs))?;
            let up = half(&update.up, (update.outputs, self.rank))?;
            tensors.insert(format!("{module}{DOWN}"), down);
            tensors.insert(format!("{module}{UP}"), up);
        }
        candle_core::safetensors::save(&tensors, path)
            .map_err(|error| Error::io("write", path, std::io::Error::other(error)))
    }
}

fn numbers(path: &Path, name: &str, tensor: &Tensor) -> Result<Vec<f32>> {
    let numbers = tensor
        .to_dtype(DType::F32)
        .and_then(|tensor| tensor.flatten_all())
        .and_then(|tensor| tensor.to_vec1::<f32>())
        .map_err(|error| Error::corrupt(path, error))?;
    if numbers.iter().all(|number| number.is_finite()) {
        return Ok(numbers);
    }
    Err(Error::new(
        ErrorKind::Corrupt,
        format!(
            "{}: `{name}` holds what is no finite number",
            path.display()
        ),
    ))
}
