//! Mean and covariance of vectors, and the layer that they give.

use medsift::encoder::parts::Dense;
use medsift::{Error, ErrorKind, Result};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Sums over vectors of one length, in double precision.
#[derive(Debug, Clone)]
pub struct Moments {
    width: usize,
    count: usize,
    sum: Vec<f64>,
    /// Of products of two numbers of a vector, in rows.
    products: Vec<f64>,
}

impl Moments {
    /// Of no vectors yet.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            count: 0,
            sum: vec![0.0; width],
            products: vec![0.0; width * width],
        }
    }

    /// Vectors that were added.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a vector.
    ///
    /// # Panics
    /// When it has another length.
    pub fn add(&mut self, vector: &[f32]) {
        assert_eq!(vector.len(), self.width, "length of the vector");
        self.count += 1;
        for (row, &value) in vector.iter().enumerate() {
            let value = f64::from(value);
            self.sum[row] += value;
            let products = &mut self.products[row * self.width..][..self.width];
            for (product, &other) in products.iter_mut().zip(vector) {
                *product += value * f64::from(other);
            }
        }
    }

    /// The layer of a power and a shrinkage, symmetric and without a bias; see
    /// [the module](crate::whitening).
    ///
    /// # Errors
    /// When there are fewer vectors than numbers in one, or all are equal.
    pub fn layer(&self, power: f64, shrinkage: f64) -> Result<Dense> {
        let (width, count) = (self.width, self.count);
        if count <= width {
            return Err(Error::invalid(
                "whitening",
                format!(
                    "{count} texts are too few: whitening vectors of {width} numbers takes more \
                     texts than that; add files to `model.whitening.data`"
                ),
            ));
        }
        let eigen = SymmetricEigen::new(self.covariance());
        let mean = eigen.eigenvalues.mean();
        if mean <= f64::EPSILON {
            return Err(Error::invalid(
                "whitening",
                "all texts have the same vector; there is nothing to whiten",
            ));
        }
        let scale = |value: f64| ((value / mean).max(0.0) + shrinkage).powf(-power / 2.0);
        let scales = DVector::from_iterator(width, eigen.eigenvalues.iter().map(|&l| scale(l)));
        if scales.iter().any(|scale| !scale.is_finite()) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "`model.whitening.shrinkage` is 0, but in some direction the texts do not differ \
                 at all; give it 0.01 or more",
            ));
        }
        let vectors = &eigen.eigenvectors;
        let whitened = vectors * DMatrix::from_diagonal(&scales) * vectors.transpose();
        Ok(Dense {
            inputs: width,
            outputs: width,
            // Symmetric, so that the order of rows and columns is the same.
            weight: whitened.iter().map(|&value| value as f32).collect(),
            bias: vec![0.0; width],
            tanh: false,
        })
    }

    fn covariance(&self) -> DMatrix<f64> {
        let count = self.count as f64;
        DMatrix::from_fn(self.width, self.width, |row, column| {
            let product = self.products[row * self.width + column] / count;
            product - self.sum[row] * self.sum[column] / (count * count)
        })
    }
}
