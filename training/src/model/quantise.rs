//! Weights in eight bits.

/// A table or matrix in eight bits: number `r, c` is
/// `values[r * width + c] * scales[r]`.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantisedRows {
    /// Numbers of all rows, -127 to 127.
    pub values: Vec<i8>,
    /// A factor for each row.
    pub scales: Vec<f32>,
}

/// Symmetric rounding to eight bits with a scale for each row of `width`
/// numbers: the largest number of a row becomes 127.
///
/// No number moves by more than half its row's scale, that is 1/254 of the
/// row's largest.
pub fn quantise_rows(numbers: &[f32], width: usize) -> QuantisedRows {
    let mut quantised = QuantisedRows {
        values: Vec::with_capacity(numbers.len()),
        scales: Vec::with_capacity(numbers.len() / width.max(1)),
    };
    for row in numbers.chunks(width.max(1)) {
        let largest = row.iter().fold(0f32, |most, x| most.max(x.abs()));
        let scale = largest / 127.0;
        quantised.scales.push(scale);
        quantised.values.extend(row.iter().map(|x| {
            // A scale that is too small to divide by belongs to a row of
            // (nearly) nothing.
            let level = if scale >= f32::MIN_POSITIVE {
                x / scale
            } else {
                0.0
            };
            level.round().clamp(-127.0, 127.0) as i8
        }));
    }
    quantised
}

impl QuantisedRows {
    /// The numbers that the eight bits stand for.
    pub fn restore(&self) -> Vec<f32> {
        if self.scales.is_empty() {
            return Vec::new();
        }
        let width = self.values.len() / self.scales.len();
        self.values
            .chunks(width.max(1))
            .zip(&self.scales)
            .flat_map(|(row, scale)| row.iter().map(move |&value| f32::from(value) * scale))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_number_moves_by_more_than_half_a_level(
            rows in proptest::collection::vec(
                proptest::collection::vec(-1e3f32..1e3, 5), 0..20),
        ) {
            let numbers = rows.concat();
            let quantised = quantise_rows(&numbers, 5);
            let restored = quantised.restore();
            prop_assert_eq!(restored.len(), numbers.len());
            for ((a, b), scale) in numbers.iter().zip(&restored)
                .zip(quantised.scales.iter().flat_map(|s| [s; 5]))
            {
                prop_assert!((a - b).abs() <= scale * 0.5001, "{a} {b} {scale}");
            }
        }
    }

    #[test]
    fn rows_of_nothing_stay_nothing() {
        let quantised = quantise_rows(&[0.0, 0.0, 1e-44, 0.0, -2.0, 1.0], 2);
        assert_eq!(quantised.values, [0, 0, 0, 0, -127, 64]);
        assert_eq!(quantised.restore()[..2], [0.0, 0.0]);
        assert!(quantise_rows(&[], 4).restore().is_empty());
    }
}
