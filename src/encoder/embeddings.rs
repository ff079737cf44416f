//! The vectors of a batch.

use super::pooling::normalise;

/// Vectors one behind the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    values: Vec<f32>,
    dimension: usize,
}

impl Embeddings {
    /// `count` vectors of zeros.
    pub(super) fn zeros(count: usize, dimension: usize) -> Self {
        Self {
            values: vec![0.0; count * dimension],
            dimension,
        }
    }

    /// Numbers in a vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.values.len() / self.dimension
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The vectors in the order of their texts.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.dimension)
    }

    /// The vector of one text.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimension..][..self.dimension]
    }

    /// All numbers, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All numbers, row after row.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// The first `dimension` numbers of each vector.
    ///
    /// # Panics
    /// When the vectors are shorter.
    #[must_use]
    pub fn cut(self, dimension: usize) -> Self {
        if dimension == self.dimension {
            return self;
        }
        let rows = self.values.chunks_exact(self.dimension);
        Self {
            values: rows.flat_map(|row| &row[..dimension]).copied().collect(),
            dimension,
        }
    }

    /// The first `dimension` numbers of each vector, scaled to length 1; a vector
    /// without length stays as it is.
    ///
    /// # Panics
    /// When the vectors are shorter.
    #[must_use]
    pub fn unit(self, dimension: usize) -> Self {
        let mut cut = self.cut(dimension);
        for row in cut.values.chunks_exact_mut(dimension) {
            normalise(row);
        }
        cut
    }

    pub(super) fn row_mut(&mut self, index: usize) -> &mut [f32] {
        &mut self.values[index * self.dimension..][..self.dimension]
    }
}
