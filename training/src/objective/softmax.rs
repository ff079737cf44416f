//! Classification of sentence pairs: the objective of natural language
//! inference.
//!
//! **Optimises** the cross-entropy of a linear classifier over `(u, v,
//! |u − v|)`, where u and v are the embeddings of premise and hypothesis. The
//! encoder does without the classifier; [`save_classifier`] keeps it beside
//! the model for those who want to measure its accuracy.
//!
//! **Inputs**: two texts; a class. With three classes: contradiction 0,
//! entailment 1, neutral 2.
//!
//! **Requires** labelled pairs, some ten thousand of them; batches shuffled
//! over the classes.
//!
//! **Relations**: gives embeddings whose differences carry meaning, which
//! [`cosine`](super::cosine) or [`ranking`](super::ranking) then turn into
//! similarities. Entailment pairs alone, with contradictions as negatives,
//! suit [`ranking`](super::ranking).
//!
//! **Example**: `objective = { kind = "softmax" }`
//!
//! **Paper**: Reimers and Gurevych 2019, *Sentence-BERT*, section 3
//! ("Classification Objective Function").

use super::batch::Batch;
use super::linear::Linear;
use super::similarity::{absolute, cross_entropy};
use super::{Labels, Objective};
use candle_core::{Result, Tensor, Var, bail};
use medsift::Error;
use medsift::eval::PairClassifier;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

const KIND: &str = "softmax";

/// What its parameters' names begin with.
const NAME: &str = "classifier";

/// Keys of `kind = "softmax"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SoftmaxConfig {
    /// Classes of the data.
    pub classes: u32,
}

impl Default for SoftmaxConfig {
    fn default() -> Self {
        Self { classes: 3 }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Softmax {
    classifier: Linear,
    classes: u32,
}

impl Softmax {
    /// A classifier with random weights, the same for the same seed.
    ///
    /// # Errors
    /// When there are not at least two classes, or memory runs out.
    pub fn new(config: &SoftmaxConfig, dimension: usize, seed: u64) -> Result<Self> {
        if config.classes < 2 {
            bail!(
                "classes = {}: a classifier needs at least two",
                config.classes
            );
        }
        let classifier = Linear::new(NAME, 3 * dimension, config.classes as usize, seed)?;
        Ok(Self {
            classifier,
            classes: config.classes,
        })
    }

    /// Numbers for each class, before the softmax: `rows × classes`.
    ///
    /// # Errors
    /// When the embeddings are not of one shape, or not of the classifier's
    /// dimension.
    pub fn logits(&self, u: &Tensor, v: &Tensor) -> Result<Tensor> {
        let dimension = u.dim(1)?;
        if 3 * dimension != self.classifier.inputs() {
            bail!(
                "the classifier was made for embeddings of {} numbers, these have {dimension}",
                self.classifier.inputs() / 3
            );
        }
        let difference = absolute(&(u - v)?)?;
        self.classifier
            .forward(&Tensor::cat(&[u, v, &difference], 1)?)
    }
}

impl Objective for Softmax {
    fn columns(&self) -> usize {
        2
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let classes = batch.classes(Some(self.classes))?;
        let logits = self.logits(&batch.columns[0], &batch.columns[1])?;
        cross_entropy(&logits, classes)
    }

    fn parameters(&self) -> Vec<(String, Var)> {
        self.classifier.parameters()
    }
}

/// Writes the classifier of an objective into a model directory, where
/// `medsift eval nli` finds it (see [`PairClassifier`]). Whether there was one:
/// other objectives have none.
///
/// # Errors
/// When it cannot be written.
pub fn save_classifier(objective: &dyn Objective, model: &Path) -> medsift::Result<bool> {
    let tensors: HashMap<String, Tensor> = objective
        .parameters()
        .into_iter()
        .filter_map(|(name, variable)| {
            let part = name.strip_prefix(NAME)?;
            Some((format!("linear{part}"), variable.as_detached_tensor()))
        })
        .collect();
    if tensors.is_empty() {
        return Ok(false);
    }
    let folder = model.join(PairClassifier::FOLDER);
    fs::create_dir_all(&folder).map_err(|error| Error::io("create", &folder, error))?;
    let path = folder.join(PairClassifier::FILE);
    candle_core::safetensors::save(&tensors, &path)
        .map_err(|error| Error::io("write", &path, std::io::Error::other(error)))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn a_saved_classifier_decides_as_the_objective_does() {
        let objective = Softmax::new(&SoftmaxConfig::default(), 4, 3).unwrap();
        let dir = tempfile::tempdir().unwrap();
        assert!(save_classifier(&objective, dir.path()).unwrap());
        let saved = PairClassifier::open(dir.path(), 4).unwrap().unwrap();
        assert_eq!(saved.classes(), 3);
        let mut seen = [false; 3];
        for turn in 0..40 {
            let row = |add: usize| -> Vec<f32> {
                let number = |i: usize| ((turn * 7 + i * 13 + add) % 19) as f32 - 9.0;
                (0..4).map(number).collect()
            };
            let (u, v) = (row(0), row(5));
            let tensor = |row: &[f32]| Tensor::from_slice(row, (1, 4), &Device::Cpu).unwrap();
            let logits = objective.logits(&tensor(&u), &tensor(&v)).unwrap();
            let best = logits.argmax(1).unwrap().to_vec1::<u32>().unwrap()[0];
            assert_eq!(saved.classify(&u, &v), best as usize);
            seen[best as usize] = true;
        }
        assert!(
            seen.iter().filter(|seen| **seen).count() > 1,
            "one class only"
        );
    }

    #[test]
    fn an_objective_without_classifier_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let objective = crate::objective::cosine::Cosine::new(&Default::default());
        assert!(!save_classifier(&objective, dir.path()).unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
