//! What a forward pass keeps for its backward pass, and the memory that goes
//! from one pass to the next.

use super::{DropoutPass, Tokens};

/// Memory of passes that have ended: fresh pages would cost more time than
/// filling them.
#[derive(Debug, Default)]
pub(super) struct Pool {
    free: Vec<Vec<f32>>,
}

impl Pool {
    /// Memory for `len` numbers, whatever they are.
    pub(super) fn take(&mut self, len: usize) -> Vec<f32> {
        // The smallest that is large enough, else the largest.
        let best = (0..self.free.len()).min_by_key(|&at| {
            let capacity = self.free[at].capacity();
            (
                capacity < len,
                if capacity < len {
                    usize::MAX - capacity
                } else {
                    capacity
                },
            )
        });
        let mut buffer = best.map_or_else(Vec::new, |at| self.free.swap_remove(at));
        if buffer.capacity() < len {
            // Nothing of the old contents needs to move.
            buffer.clear();
        }
        buffer.resize(len, 0.0);
        buffer
    }

    /// Takes memory back.
    pub(super) fn give(&mut self, buffer: Vec<f32>) {
        self.free.push(buffer);
    }
}

/// Normalised rows before scale and shift, and their factors.
#[derive(Debug, Default)]
pub(super) struct Normalised {
    pub(super) rows: Vec<f32>,
    pub(super) deviations: Vec<f32>,
}

/// What one layer keeps; `t` tokens, width `h`, inner width `w`.
#[derive(Debug, Default)]
pub(super) struct SavedLayer {
    /// `t × h`.
    pub(super) input: Vec<f32>,
    /// `t × 3h`.
    pub(super) qkv: Vec<f32>,
    /// Logarithms of the sums of attention rows, `t × heads`.
    pub(super) sums: Vec<f32>,
    /// The heads' outputs, `t × h`.
    pub(super) mixed: Vec<f32>,
    pub(super) attention: Normalised,
    /// Between attention and feed-forward layer, `t × h`.
    pub(super) middle: Vec<f32>,
    /// Before the activation, `t × w`.
    pub(super) wide: Vec<f32>,
    /// Behind it, `t × w`.
    pub(super) active: Vec<f32>,
    pub(super) last: Normalised,
}

impl SavedLayer {
    pub(super) fn give(self, pool: &mut Pool) {
        for buffer in [
            self.input,
            self.qkv,
            self.sums,
            self.mixed,
            self.attention.rows,
            self.attention.deviations,
            self.middle,
            self.wide,
            self.active,
            self.last.rows,
            self.last.deviations,
        ] {
            pool.give(buffer);
        }
    }
}

/// What a whole pass keeps.
#[derive(Debug)]
pub struct FastPass {
    pub(super) tokens: Tokens,
    pub(super) dropout: Option<DropoutPass>,
    pub(super) embedding: Normalised,
    pub(super) layers: Vec<SavedLayer>,
}
