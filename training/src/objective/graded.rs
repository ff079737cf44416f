//! Graded pairs: the more alike a pair is by its label, the higher its
//! similarity, compared with the other pairs of the batch.
//!
//! **Optimises** `log(1 + Σ exp(scale · (sᵢ − sⱼ)))` over all pairs i, j of
//! the batch whose labels say `yᵢ < yⱼ`; s is the cosine (CoSENT) or, with
//! `similarity = "angle"`, `|cos + sin|` of the two vectors read as complex
//! numbers, whose halves are real and imaginary parts (AnglE).
//!
//! **Inputs**: two texts; a number of any range: only its order counts.
//!
//! **Requires** labels of several grades in a batch. Equal labels are not
//! compared; a batch of equal labels has the loss 0.
//!
//! **Relations**: [`cosine`](super::cosine) fits the numbers themselves. It is
//! what pairs graded by shared MeSH headings are for. As `CoSENTLoss` and
//! `AnglELoss` of sentence-transformers.
//!
//! **Example**: `objective = { kind = "graded", similarity = "cosine", scale =
//! 20.0 }`
//!
//! **Paper**: Su 2022, *CoSENT: a more efficient sentence vector scheme than
//! Sentence-BERT* (kexue.fm/archives/8847); Li and Li 2023, *AnglE-optimized
//! Text Embeddings*.

use super::batch::Batch;
use super::similarity::{absolute, cosine_pairs, log_one_plus_sum_exp, mask, unit_rows};
use super::{Labels, Objective};
use candle_core::{D, Result, Tensor, bail};
use serde::{Deserialize, Serialize};

const KIND: &str = "graded";

/// Far below any scaled similarity, and yet finite.
const NEVER: f64 = -1e9;

/// Keys of `kind = "graded"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GradedConfig {
    /// What is compared.
    pub similarity: GradedSimilarity,
    /// What differences are multiplied by; above 0.
    pub scale: f64,
}

impl Default for GradedConfig {
    fn default() -> Self {
        Self {
            similarity: GradedSimilarity::Cosine,
            scale: 20.0,
        }
    }
}

/// What [`Graded`] compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GradedSimilarity {
    /// The cosine: CoSENT.
    Cosine,
    /// The angle in complex space: AnglE.
    Angle,
}

impl GradedSimilarity {
    fn pairs(self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        match self {
            Self::Cosine => cosine_pairs(a, b),
            Self::Angle => angle_pairs(a, b),
        }
    }
}

/// The objective.
#[derive(Debug)]
pub struct Graded {
    config: GradedConfig,
}

impl Graded {
    /// It has no parameters.
    ///
    /// # Errors
    /// When the scale is not above 0.
    pub fn new(config: &GradedConfig) -> Result<Self> {
        if !(config.scale.is_finite() && config.scale > 0.0) {
            bail!("scale = {}: a scale is a number above 0", config.scale);
        }
        Ok(Self {
            config: config.clone(),
        })
    }
}

impl Objective for Graded {
    fn columns(&self) -> usize {
        2
    }

    fn loss(&self, embeddings: &[Tensor], labels: &Labels) -> Result<Tensor> {
        let batch = Batch::new(KIND, self.columns(), embeddings, labels)?;
        let grades = batch.scores()?;
        let similarity = self.config.similarity;
        let pairs = similarity.pairs(&batch.columns[0], &batch.columns[1])?;
        let scaled = pairs.affine(self.config.scale, 0.0)?;
        // Row i, column j: by how much pair i exceeds pair j.
        let excess = scaled.unsqueeze(1)?.broadcast_sub(&scaled.unsqueeze(0)?)?;
        let lower = |low: &f32| grades.iter().map(|high| low < high).collect();
        let wrong: Vec<Vec<bool>> = grades.iter().map(lower).collect();
        let never = excess.zeros_like()?.affine(1.0, NEVER)?;
        let counted = mask(&wrong, &excess)?.where_cond(&excess, &never)?;
        log_one_plus_sum_exp(&counted)
    }
}

/// `|cos + sin|` of the angle between two rows of complex numbers, whose real
/// parts come first and whose imaginary parts follow.
fn angle_pairs(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (a, b) = (even(&unit_rows(a)?)?, even(&unit_rows(b)?)?);
    let half = a.dim(1)? / 2;
    let parts =
        |x: &Tensor| Ok::<_, candle_core::Error>((x.narrow(1, 0, half)?, x.narrow(1, half, half)?));
    let ((real_a, imaginary_a), (real_b, imaginary_b)) = (parts(&a)?, parts(&b)?);
    let cosine = (&a * &b)?.sum(D::Minus1)?;
    let sine = ((imaginary_a * real_b)? - (real_a * imaginary_b)?)?.sum(D::Minus1)?;
    absolute(&(cosine + sine)?)
}

/// With a 0 behind an odd number of columns.
fn even(x: &Tensor) -> Result<Tensor> {
    if x.dim(1)?.is_multiple_of(2) {
        return Ok(x.clone());
    }
    x.pad_with_zeros(1, 0, 1)
}
