//! Embeddings within embeddings: another objective, also on the first
//! numbers of each vector alone.
//!
//! **Optimises** the weighted sum of the inner objective's losses on the first
//! 64, 128, 256 … numbers, brought to length 1, and on the whole vector, which
//! is always among them.
//!
//! **Inputs**: those of the inner objective.
//!
//! **Requires** an inner objective without parameters of its own: a
//! classifier or projection has one width. Afterwards vectors may be cut to
//! any of the lengths, and normalised again, at little loss.
//!
//! **Relations**: goes around every other objective but
//! [`softmax`](super::softmax). As `MatryoshkaLoss` of sentence-transformers.
//! The inner objective sees vectors of length 1, so that an inner
//! [`triplet`](super::triplet) or [`margin`](super::margin) compares those. A
//! teacher's vectors of the same length are cut and normalised likewise.
//!
//! **Example**: `objective = { kind = "matryoshka", dimensions = [64, 128,
//! 256], inner = { kind = "ranking" } }`
//!
//! **Paper**: Kusupati et al. 2022, *Matryoshka Representation Learning*.

use super::config::ObjectiveConfig;
use super::similarity::unit_rows;
use super::{Labels, Objective};
use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Keys of `kind = "matryoshka"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatryoshkaConfig {
    /// Lengths of the prefixes. The whole vector is added with the weight 1
    /// where it is not among them.
    #[serde(default = "default_dimensions")]
    pub dimensions: Vec<usize>,
    /// A weight for each length; 1 for all where there are none.
    #[serde(default)]
    pub weights: Vec<f64>,
    /// The objective on each.
    pub inner: Box<ObjectiveConfig>,
}

fn default_dimensions() -> Vec<usize> {
    vec![64, 128, 256]
}

/// The objective.
pub struct Matryoshka {
    /// Lengths and weights, the longest first.
    prefixes: Vec<(usize, f64)>,
    inner: Box<dyn Objective>,
}

impl Matryoshka {
    /// Around an objective that is built already.
    ///
    /// # Errors
    /// When a length is 0, given twice or above the dimension; when weights
    /// are not as many as lengths, or not above 0; when the inner objective
    /// has parameters.
    pub fn new(
        config: &MatryoshkaConfig,
        inner: Box<dyn Objective>,
        dimension: usize,
    ) -> Result<Self> {
        if !inner.parameters().is_empty() {
            bail!(
                "the objective inside \"matryoshka\" has weights of its own, which fit one \
                 length of vectors only; put another inside"
            );
        }
        Ok(Self {
            prefixes: prefixes(config, dimension)?,
            inner,
        })
    }
}

fn prefixes(config: &MatryoshkaConfig, dimension: usize) -> Result<Vec<(usize, f64)>> {
    let lengths = &config.dimensions;
    if !config.weights.is_empty() && config.weights.len() != lengths.len() {
        bail!(
            "{} weights for {} dimensions: give one for each, or none",
            config.weights.len(),
            lengths.len()
        );
    }
    let weight = |place: usize| config.weights.get(place).copied().unwrap_or(1.0);
    let mut prefixes: Vec<(usize, f64)> = (0..)
        .zip(lengths)
        .map(|(place, &length)| (length, weight(place)))
        .collect();
    if !lengths.contains(&dimension) {
        prefixes.push((dimension, 1.0));
    }
    prefixes.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    for (length, weight) in &prefixes {
        if *length == 0 || *length > dimension {
            bail!("dimensions = {lengths:?}: each is between 1 and the model's {dimension}");
        }
        if !(weight.is_finite() && *weight > 0.0) {
            bail!("the weight {weight} of dimension {length} is not above 0");
        }
    }
    if prefixes.windows(2).any(|two| two[0].0 == two[1].0) {
        bail!("dimensions = {lengths:?}: one is given twice");
    }
    Ok(prefixes)
}

impl Objective for Matryoshka {
    fn columns(&self) -> usize {
        self.inner.columns()
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let whole = embeddings.first().map(|x| x.dim(1)).transpose()?;
        let mut total: Option<Tensor> = None;
        for &(length, weight) in &self.prefixes {
            let cut = embeddings
                .iter()
                .map(|x| prefix(x, length))
                .collect::<Result<Vec<_>>>()?;
            let loss = self.inner.loss(&cut, &cut_labels(labels, whole, length)?)?;
            let loss = loss.affine(weight, 0.0)?;
            total = Some(match total {
                None => loss,
                Some(total) => (total + loss)?,
            });
        }
        total.ok_or_else(|| candle_core::Error::msg("no prefix to train"))
    }
}

/// The first numbers of each row, brought to length 1.
fn prefix(x: &Tensor, length: usize) -> Result<Tensor> {
    unit_rows(&x.narrow(1, 0, length)?.contiguous()?)
}

/// A teacher's vectors are cut as the student's are, if they are as long; a
/// longer one judges with its whole vectors.
fn cut_labels(labels: &Labels, whole: Option<usize>, length: usize) -> Result<Labels> {
    match labels {
        Labels::Teacher(teacher) if teacher.first().map(|x| x.dim(1)).transpose()? == whole => {
            let cut = teacher.iter().map(|x| prefix(x, length));
            Ok(Labels::Teacher(cut.collect::<Result<_>>()?))
        }
        other => Ok(other.clone()),
    }
}

impl fmt::Debug for Matryoshka {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matryoshka")
            .field("prefixes", &self.prefixes)
            .finish_non_exhaustive()
    }
}
