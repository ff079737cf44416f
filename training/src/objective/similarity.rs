//! Cosines, distances and softmax, with gradients that stay finite.
//!
//! candle's square root and division have infinite gradients at 0, its `relu`
//! and `abs` have the gradient 1 there (PyTorch: 0), and its fused softmax has
//! none at all; so the few functions that objectives need are written here.

use candle_core::{D, DType, Result, Tensor};
use serde::{Deserialize, Serialize};

/// A vector no longer than this has no direction (PyTorch's eps of cosines).
const SHORTEST: f64 = 1e-8;

/// How alike two embeddings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Similarity {
    /// Their cosine.
    Cosine,
    /// Their scalar product.
    Dot,
}

impl Similarity {
    /// Of row `i` of one with row `i` of the other: `rows`.
    pub(super) fn pairs(self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        match self {
            Self::Cosine => cosine_pairs(a, b),
            Self::Dot => (a * b)?.sum(D::Minus1),
        }
    }
}

/// How far apart two embeddings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distance {
    /// The length of their difference.
    Euclidean,
    /// One less their cosine.
    Cosine,
}

impl Distance {
    /// Of row `i` of one from row `i` of the other: `rows`.
    pub(super) fn pairs(self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        match self {
            Self::Euclidean => root(&(a - b)?.sqr()?.sum(D::Minus1)?, 0.0),
            Self::Cosine => cosine_pairs(a, b)?.affine(-1.0, 1.0),
        }
    }

    /// Of every row from every row: `rows × rows`.
    pub(super) fn matrix(self, x: &Tensor) -> Result<Tensor> {
        if self == Self::Cosine {
            return cosine_matrix(x, x)?.affine(-1.0, 1.0);
        }
        let products = x.matmul(&x.t()?)?;
        // The squares come from the products' own diagonal, so that a row's
        // distance from itself is exactly 0.
        let diagonal = Tensor::eye(x.dim(0)?, x.dtype(), x.device())?;
        let squares = (&products * diagonal)?.sum_keepdim(1)?;
        let sums = squares.broadcast_add(&squares.t()?)?;
        root(&(sums - products.affine(2.0, 0.0)?)?, 0.0)
    }
}

/// Rows of length 1; a row without direction becomes 0.
pub(super) fn unit_rows(x: &Tensor) -> Result<Tensor> {
    let squares = x.sqr()?.sum_keepdim(D::Minus1)?;
    let none = squares.lt(SHORTEST * SHORTEST)?;
    let length = none.where_cond(&squares.ones_like()?, &squares)?.sqrt()?;
    let some = none.to_dtype(x.dtype())?.affine(-1.0, 1.0)?;
    x.broadcast_div(&length)?.broadcast_mul(&some)
}

/// The cosine of row `i` of one and row `i` of the other: `rows`.
pub(super) fn cosine_pairs(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    (unit_rows(a)? * unit_rows(b)?)?.sum(D::Minus1)
}

/// The cosine of every row of one and every row of the other.
pub(super) fn cosine_matrix(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    unit_rows(a)?.matmul(&unit_rows(b)?.t()?)
}

/// The square root; what is no larger than `least` gives 0 without gradient.
fn root(x: &Tensor, least: f64) -> Result<Tensor> {
    let none = x.le(least)?;
    let some = none.to_dtype(x.dtype())?.affine(-1.0, 1.0)?;
    none.where_cond(&x.ones_like()?, x)?.sqrt()? * some
}

/// What is above 0. What is not finite stays so, or becomes not a number: an
/// infinite distance must not pass for a good one.
pub(super) fn positive_part(x: &Tensor) -> Result<Tensor> {
    x.le(0.0)?.where_cond(&x.affine(0.0, 0.0)?, x)
}

/// The absolute value, without gradient at 0.
pub(super) fn absolute(x: &Tensor) -> Result<Tensor> {
    let above = x.gt(0.0)?.to_dtype(x.dtype())?;
    let below = x.lt(0.0)?.to_dtype(x.dtype())?;
    x * (above - below)?
}

/// The logarithm of the softmax over the last dimension.
pub(super) fn log_softmax(x: &Tensor) -> Result<Tensor> {
    let largest = x.max_keepdim(D::Minus1)?.detach();
    let x = x.broadcast_sub(&largest)?;
    let sums = x.exp()?.sum_keepdim(D::Minus1)?.log()?;
    x.broadcast_sub(&sums)
}

/// The logarithm of `1 + Σ exp(x)` over all of `x`: a scalar.
pub(super) fn log_one_plus_sum_exp(x: &Tensor) -> Result<Tensor> {
    let x = x.flatten_all()?;
    let all = Tensor::cat(&[&Tensor::zeros(1, x.dtype(), x.device())?, &x], 0)?;
    let largest = all.max(0)?.detach();
    let sum = all.broadcast_sub(&largest)?.exp()?.sum(0)?;
    sum.log()? + largest
}

/// The mean negative log-likelihood of one column of each row.
pub(super) fn cross_entropy(logits: &Tensor, targets: &[u32]) -> Result<Tensor> {
    let chosen: Vec<(u32, u32)> = (0..).zip(targets.iter().copied()).collect();
    pick(&log_softmax(logits)?, &chosen)?.mean(0)?.neg()
}

/// Single numbers of a matrix, by row and column.
pub(super) fn pick(matrix: &Tensor, places: &[(u32, u32)]) -> Result<Tensor> {
    let width = u32::try_from(matrix.dim(1)?).map_err(candle_core::Error::wrap)?;
    let flat: Vec<u32> = places.iter().map(|(row, col)| row * width + col).collect();
    let flat = Tensor::from_vec(flat, places.len(), matrix.device())?;
    matrix.flatten_all()?.index_select(&flat, 0)
}

/// The mean of the squared differences.
pub(super) fn mean_squared_error(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    (a - b)?.sqr()?.mean_all()
}

/// A matrix of booleans as a mask for `where_cond`.
pub(super) fn mask(rows: &[Vec<bool>], like: &Tensor) -> Result<Tensor> {
    let flat: Vec<u8> = rows.iter().flatten().map(|&on| u8::from(on)).collect();
    Tensor::from_vec(flat, like.shape(), like.device())
}

/// A matrix as rows of single-precision numbers, cut off from gradients.
pub(super) fn numbers(matrix: &Tensor) -> Result<Vec<Vec<f32>>> {
    matrix.detach().to_dtype(DType::F32)?.to_vec2()
}
