//! What the heads start from.

use super::name;
use crate::model::truncated_normal;
use crate::network::Parameters;
use candle_core::{Device, Tensor};
use medsift::encoder::parts::Architecture;
use medsift::{Error, ErrorKind, Result};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// `initializer_range` of BERT.
const DEVIATION: f32 = 0.02;

/// The heads at their start.
#[derive(Debug)]
pub struct StartHeads {
    /// Their parameters.
    pub parameters: Parameters,
    /// Names of those that the start model's checkpoint did not have, and
    /// that begin at random.
    pub fresh: Vec<String>,
}

/// The heads of a network with relations of so many classes (none for 0): out
/// of a checkpoint's tensors where it has them, whatever stands before their
/// names, else as BERT begins.
///
/// A relation's layer with another number of classes begins anew.
///
/// # Errors
/// When a head's shape is that of another network.
pub fn start_heads(
    architecture: &Architecture,
    checkpoint: &HashMap<String, Tensor>,
    classes: usize,
    seed: u64,
    device: &Device,
) -> Result<StartHeads> {
    let mut tensors = Vec::new();
    let mut fresh = Vec::new();
    for (stream, (name, shape)) in shapes(architecture, classes).into_iter().enumerate() {
        let found = find(checkpoint, &name).filter(|tensor| {
            // NSP's two classes are no start for three.
            !name.starts_with(name::RELATION) || tensor.dims() == shape
        });
        let tensor = match found {
            Some(tensor) if tensor.dims() == shape => tensor.clone(),
            Some(tensor) => {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "the start model's `{name}` has the shape {:?}, but its network needs \
                         {shape:?}; remove it from the checkpoint to begin it at random",
                        tensor.dims()
                    ),
                ));
            }
            None => {
                fresh.push(name.clone());
                random(&name, shape, seed, stream as u64)?
            }
        };
        tensors.push((name, tensor));
    }
    let parameters = Parameters::new(tensors, device).map_err(crate::error::device)?;
    Ok(StartHeads { parameters, fresh })
}

/// Classes of the relation that heads know; `None` where they know none.
pub fn classes(heads: &Parameters) -> Option<usize> {
    let weight = heads.get(&format!("{}.weight", name::RELATION)).ok()?;
    weight.value.dims().first().copied()
}

/// Classes of the relation that a checkpoint's heads know.
pub(crate) fn checkpoint_classes(checkpoint: &HashMap<String, Tensor>) -> Option<usize> {
    find(checkpoint, &format!("{}.weight", name::POOLER))?;
    let weight = find(checkpoint, &format!("{}.weight", name::RELATION))?;
    weight.dims().first().copied()
}

fn shapes(architecture: &Architecture, classes: usize) -> Vec<(String, Vec<usize>)> {
    let hidden = architecture.hidden;
    let mut shapes = vec![
        (format!("{}.weight", name::DENSE), vec![hidden, hidden]),
        (format!("{}.bias", name::DENSE), vec![hidden]),
        (format!("{}.weight", name::NORM), vec![hidden]),
        (format!("{}.bias", name::NORM), vec![hidden]),
        (name::BIAS.to_owned(), vec![architecture.vocabulary]),
    ];
    if classes > 0 {
        shapes.extend([
            (format!("{}.weight", name::POOLER), vec![hidden, hidden]),
            (format!("{}.bias", name::POOLER), vec![hidden]),
            (format!("{}.weight", name::RELATION), vec![classes, hidden]),
            (format!("{}.bias", name::RELATION), vec![classes]),
        ]);
    }
    shapes
}

/// A tensor by its name, by another family's name for it, or with a prefix.
fn find<'a>(checkpoint: &'a HashMap<String, Tensor>, name: &str) -> Option<&'a Tensor> {
    let mut names = vec![name.to_owned()];
    // As DistilBERT calls them, and the decoder's own copy of the bias.
    for (ours, theirs) in [
        (name::DENSE, "vocab_transform"),
        (name::NORM, "vocab_layer_norm"),
    ] {
        if let Some(rest) = name.strip_prefix(ours) {
            names.push(format!("{theirs}{rest}"));
        }
    }
    if name == name::BIAS {
        names.push("cls.predictions.decoder.bias".to_owned());
        names.push("vocab_projector.bias".to_owned());
    }
    names.iter().find_map(|name| {
        let below = format!(".{name}");
        let with_prefix = || {
            // The smallest, so that the choice does not depend on the map.
            let found = checkpoint.keys().filter(|key| key.ends_with(&below)).min();
            found.and_then(|key| checkpoint.get(key))
        };
        checkpoint.get(name).or_else(with_prefix)
    })
}

fn random(name: &str, shape: Vec<usize>, seed: u64, stream: u64) -> Result<Tensor> {
    let count = shape.iter().product();
    let numbers = if shape.len() > 1 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        truncated_normal(&mut random, count, DEVIATION)
    } else if name.ends_with(".weight") {
        vec![1.0; count]
    } else {
        vec![0.0; count]
    };
    Tensor::from_vec(numbers, shape, &Device::Cpu).map_err(crate::error::device)
}
