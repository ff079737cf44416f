//! Dropout (Srivastava et al., 2014) whose masks are a function of a seed and
//! a place, so that the backward pass makes them again instead of keeping
//! them.

use super::scalar::{hash, mix};

/// One place in the network where numbers are dropped, in one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dropout {
    seed: u64,
    /// Of 65,536 numbers, how many are dropped.
    share: u32,
}

impl Dropout {
    /// Drops nothing.
    pub(crate) const OFF: Self = Self { seed: 0, share: 0 };

    /// Drops each number with a probability, to a step of 2⁻¹⁶.
    pub(crate) fn new(seed: u64, site: u64, probability: f32) -> Self {
        Self {
            seed: mix(seed, site),
            share: (f64::from(probability) * 65_536.0).round() as u32,
        }
    }

    /// Whether anything is dropped.
    pub(crate) fn is_on(self) -> bool {
        self.share > 0
    }

    /// What numbers that stay are multiplied by.
    #[inline(always)]
    pub(crate) fn scale(self) -> f32 {
        65_536.0 / (65_536 - self.share) as f32
    }

    /// Drops numbers of a row in place and scales the others. The same row
    /// number drops the same places.
    #[inline(always)]
    pub(crate) fn apply(self, row: usize, values: &mut [f32]) {
        if self.share == 0 {
            return;
        }
        let start = mix(self.seed, row as u64) as u32;
        let (scale, share) = (self.scale(), self.share);
        let half = values.len().div_ceil(2);
        let (low, high) = values.split_at_mut(half);
        // Each hash decides on two numbers, so that a row has half as many.
        for (place, value) in low.iter_mut().enumerate() {
            let random = hash(start.wrapping_add(place as u32)) & 0xffff;
            *value = if random < share { 0.0 } else { *value * scale };
        }
        for (place, value) in high.iter_mut().enumerate() {
            let random = hash(start.wrapping_add(place as u32)) >> 16;
            *value = if random < share { 0.0 } else { *value * scale };
        }
    }
}
