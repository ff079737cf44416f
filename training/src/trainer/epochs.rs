//! Going through the batches of a sampler, one pass behind the other.

use crate::data::{Batch, Sampler};

/// Where a lesson stands in its passes over the data.
pub(super) struct Epochs {
    sampler: Sampler,
    /// Steps of the first pass.
    per_epoch: u64,
    epoch: u64,
    /// Steps done in this pass.
    step: u64,
    batches: Vec<Batch>,
}

impl Epochs {
    /// At the beginning of the first pass.
    pub(super) fn new(sampler: Sampler) -> Self {
        let batches = sampler.epoch(0);
        Self {
            sampler,
            per_epoch: batches.len() as u64,
            epoch: 0,
            step: 0,
            batches,
        }
    }

    /// Steps of one pass.
    pub(super) fn per_epoch(&self) -> u64 {
        self.per_epoch
    }

    /// The pass, and the steps done in it.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.epoch, self.step)
    }

    /// Goes to a step of a pass; [`Epochs::next`] gives that one.
    pub(super) fn seek(&mut self, epoch: u64, step: u64) {
        (self.epoch, self.step) = (epoch, step);
        self.batches = self.sampler.epoch(epoch);
    }

    /// The next batch; behind a pass, the first of another.
    pub(super) fn next(&mut self) -> Batch {
        if self.step as usize >= self.batches.len() {
            self.seek(self.epoch + 1, 0);
        }
        let batch = self.batches[self.step as usize].clone();
        self.step += 1;
        batch
    }
}
