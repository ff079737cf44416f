//! The classifier of sentence pairs that training may leave beside an
//! encoder.

use crate::encoder::parts::read_checkpoint;
use crate::error::{Error, ErrorKind, Result};
use std::path::Path;

/// A linear classifier over `(u, v, |u − v|)`, u and v being the embeddings of
/// two texts (Reimers and Gurevych 2019, section 3).
///
/// Its folder in a model directory is `2_Classifier`, with
/// `model.safetensors`: `linear.weight` (`classes × 3·dimension`) and
/// `linear.bias` (`classes`), as a `Dense` module of sentence-transformers
/// names them. `modules.json` does not list it: it is no part of the encoder.
#[derive(Debug, Clone, PartialEq)]
pub struct PairClassifier {
    /// One row of `3·dimension` numbers for each class.
    weight: Vec<f32>,
    bias: Vec<f32>,
    dimension: usize,
}

impl PairClassifier {
    /// The folder in a model directory.
    pub const FOLDER: &str = "2_Classifier";

    /// The file in that folder.
    pub const FILE: &str = "model.safetensors";

    /// The classifier of a model directory, for embeddings of `dimension`
    /// numbers; nothing where training left none.
    ///
    /// # Errors
    /// When the file is damaged, or of another dimension.
    pub fn open(model: &Path, dimension: usize) -> Result<Option<Self>> {
        let path = model.join(Self::FOLDER).join(Self::FILE);
        if !path.is_file() {
            return Ok(None);
        }
        let mut tensors = read_checkpoint(&path)?;
        let mut numbers = |name: &str| -> Result<(Vec<usize>, Vec<f32>)> {
            let tensor = tensors
                .remove(name)
                .ok_or_else(|| Error::corrupt(&path, format!("it lacks `{name}`")))?;
            let flat = tensor.flatten_all().and_then(|flat| flat.to_vec1::<f32>());
            let flat = flat.map_err(|error| Error::corrupt(&path, error))?;
            Ok((tensor.dims().to_vec(), flat))
        };
        let (shape, weight) = numbers("linear.weight")?;
        let (_, bias) = numbers("linear.bias")?;
        if shape != [bias.len(), 3 * dimension] || bias.len() < 2 {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{}: weights of shape {shape:?} and {} biases are no classifier of \
                     embeddings with {dimension} numbers",
                    path.display(),
                    bias.len()
                ),
            ));
        }
        if weight.iter().chain(&bias).any(|number| !number.is_finite()) {
            return Err(Error::corrupt(&path, "it holds what is not a number"));
        }
        Ok(Some(Self {
            weight,
            bias,
            dimension,
        }))
    }

    /// Numbers in the embeddings that it takes.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Classes that it knows.
    pub fn classes(&self) -> usize {
        self.bias.len()
    }

    /// The most probable class of a pair of embeddings; of equals the first.
    pub fn classify(&self, u: &[f32], v: &[f32]) -> usize {
        let logits = self.logits(u, v);
        let better = |best: usize, next: usize| {
            if logits[next] > logits[best] {
                next
            } else {
                best
            }
        };
        (0..logits.len()).reduce(better).unwrap_or(0)
    }

    /// Numbers for each class, before the softmax.
    fn logits(&self, u: &[f32], v: &[f32]) -> Vec<f32> {
        let rows = self.weight.chunks_exact(3 * self.dimension);
        let logit = |(row, bias): (&[f32], &f32)| {
            let (of_u, rest) = row.split_at(self.dimension);
            let (of_v, of_difference) = rest.split_at(self.dimension);
            let terms = u
                .iter()
                .zip(v)
                .zip(of_u.iter().zip(of_v).zip(of_difference));
            let sum: f32 = terms
                .map(|((u, v), ((a, b), c))| a * u + b * v + c * (u - v).abs())
                .sum();
            sum + bias
        };
        rows.zip(&self.bias).map(logit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{NliPair, NliScores};
    use candle_core::{Device, Tensor};
    use std::collections::HashMap;
    use std::fs;

    /// A classifier in a model directory of its own: `classes × 6` weights.
    fn model(weight: &[f32], bias: &[f32]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(PairClassifier::FOLDER);
        fs::create_dir(&folder).unwrap();
        let shape = (bias.len(), weight.len() / bias.len());
        let tensors = HashMap::from([
            (
                "linear.weight",
                Tensor::from_slice(weight, shape, &Device::Cpu).unwrap(),
            ),
            (
                "linear.bias",
                Tensor::from_slice(bias, bias.len(), &Device::Cpu).unwrap(),
            ),
        ]);
        candle_core::safetensors::save(&tensors, folder.join(PairClassifier::FILE)).unwrap();
        dir
    }

    /// Class 0 grows with the first number of u, class 1 with the second of
    /// v, class 2 with the difference of the first numbers.
    const WEIGHT: [f32; 18] = [
        1.0, 0.0, 0.0, 0.0, 0.0, 0.0, //
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, //
        0.0, 0.0, 0.0, 0.0, 1.0, 0.0,
    ];

    #[test]
    fn logits_are_those_of_both_and_their_difference() {
        let dir = model(&WEIGHT, &[0.5, 0.0, 0.25]);
        let classifier = PairClassifier::open(dir.path(), 2).unwrap().unwrap();
        assert_eq!(
            classifier.logits(&[1.0, 2.0], &[3.0, -4.0]),
            [1.5, -4.0, 2.25]
        );
        assert_eq!(classifier.classify(&[1.0, 2.0], &[3.0, -4.0]), 2);
        assert_eq!(classifier.classify(&[1.0, 2.0], &[1.0, 4.0]), 1);
    }

    #[test]
    fn accuracy_is_the_share_of_right_classes() {
        let dir = model(&WEIGHT, &[0.0; 3]);
        let classifier = PairClassifier::open(dir.path(), 2).unwrap().unwrap();
        let pair = |class| NliPair {
            premise: String::new(),
            hypothesis: String::new(),
            class,
        };
        let pairs = [pair(0), pair(1), pair(1), pair(1)];
        let premises = [5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let hypotheses = [5.0, 0.0, 0.0, 1.0, 0.0, 1.0, 9.0, 0.0];
        let scores = NliScores::of(&classifier, &pairs, &premises, &hypotheses).unwrap();
        assert_eq!(
            (scores.accuracy, scores.majority, scores.pairs),
            (0.75, 0.75, 4)
        );
        assert_eq!(scores.class_accuracy, [Some(1.0), Some(2.0 / 3.0), None]);
        assert!(NliScores::of(&classifier, &[], &[], &[]).is_err());
    }

    #[test]
    fn absent_is_nothing_and_misfits_are_refused() {
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(PairClassifier::open(empty.path(), 2).unwrap(), None);
        let dir = model(&WEIGHT, &[0.0; 3]);
        let error = PairClassifier::open(dir.path(), 5).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        let dir = model(&[f32::NAN; 18], &[0.0; 3]);
        let error = PairClassifier::open(dir.path(), 2).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
    }
}
