//! Seeded batches of one or several sets.

mod batches;
mod mix;
#[cfg(test)]
mod tests;

use super::random::generator;
use crate::example::Example;
use batches::{Texts, distinct_batches, plain_batches};
use medsift::{Error, Result};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

pub use mix::Mix;

/// How examples become batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SamplerSettings {
    /// Examples of a batch.
    pub batch_size: usize,
    /// Seed of the order.
    pub seed: u64,
    /// No two examples of a batch share a text, letter case and surrounding
    /// space apart. Objectives that take the other examples of a batch as
    /// negatives need it: a shared text would be its own negative.
    pub no_duplicates: bool,
    /// Leaves batches out that are not full.
    pub drop_last: bool,
    /// How several sets take turns.
    pub mix: Mix,
}

impl Default for SamplerSettings {
    fn default() -> Self {
        Self {
            batch_size: 16,
            seed: 0,
            no_duplicates: false,
            drop_last: false,
            mix: Mix::Proportional,
        }
    }
}

/// A batch: examples of one set, since each set has its own objective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Number of the set.
    pub set: usize,
    /// Numbers of the examples in it.
    pub examples: Vec<usize>,
}

/// Puts examples into batches.
///
/// The batches of an epoch follow from the settings, the sets and the number
/// of the epoch alone, so a run goes on at any step as if it had not stopped
/// ([`Sampler::starting_at`]), and two runs with the same seed see the same batches.
#[derive(Debug)]
pub struct Sampler {
    settings: SamplerSettings,
    sizes: Vec<usize>,
    texts: Vec<Texts>,
}

impl Sampler {
    /// A sampler over sets.
    ///
    /// # Errors
    /// When there is no set, a set is empty, or a batch would be.
    pub fn new(sets: &[&[Example]], settings: SamplerSettings) -> Result<Self> {
        let texts = if settings.no_duplicates {
            sets.iter().map(|set| Texts::of(set)).collect()
        } else {
            Vec::new()
        };
        Self::checked(sets.iter().map(|set| set.len()).collect(), texts, settings)
    }

    /// A sampler over sets of so many examples each, whatever these are.
    ///
    /// # Errors
    /// As [`Sampler::new`]; and with `no_duplicates`, which needs texts.
    pub fn of_sizes(sizes: Vec<usize>, settings: SamplerSettings) -> Result<Self> {
        if settings.no_duplicates {
            return Err(Error::invalid(
                "no_duplicates",
                "`no_duplicates` compares texts, which these examples do not have",
            ));
        }
        Self::checked(sizes, Vec::new(), settings)
    }

    fn checked(sizes: Vec<usize>, texts: Vec<Texts>, settings: SamplerSettings) -> Result<Self> {
        if settings.batch_size == 0 {
            return Err(Error::invalid(
                "batch_size",
                "`batch_size` must be at least 1",
            ));
        }
        if sizes.is_empty() || sizes.contains(&0) {
            return Err(Error::invalid(
                "data",
                "there is no set, or one without examples",
            ));
        }
        let sampler = Self {
            settings,
            sizes,
            texts,
        };
        if sampler.epoch(0).is_empty() {
            return Err(Error::invalid(
                "drop_last",
                format!(
                    "no batch of {} can be filled; lower `batch_size` or set `drop_last = false`",
                    settings.batch_size
                ),
            ));
        }
        Ok(sampler)
    }

    /// The batches of an epoch, counted from 0, in order.
    ///
    /// With [`Mix::Proportional`] and without `drop_last` every example is in
    /// exactly one of them.
    pub fn epoch(&self, epoch: u64) -> Vec<Batch> {
        let queues = (0..self.sizes.len())
            .map(|set| self.set_batches(set, epoch))
            .collect();
        self.settings.mix.arrange(queues, self.settings.seed, epoch)
    }

    /// Batches from a step of an epoch on, without end: epoch after epoch,
    /// each batch with its epoch and its step in it. A step behind the end of
    /// the epoch is the first of the next.
    pub fn starting_at(
        &self,
        epoch: u64,
        step: usize,
    ) -> impl Iterator<Item = (u64, usize, Batch)> {
        (epoch..).flat_map(move |number| {
            let skip = if number == epoch { step } else { 0 };
            self.epoch(number)
                .into_iter()
                .enumerate()
                .skip(skip)
                .map(move |(step, batch)| (number, step, batch))
        })
    }

    fn set_batches(&self, set: usize, epoch: u64) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.sizes[set]).collect();
        order.shuffle(&mut generator(
            self.settings.seed,
            "order",
            &[set as u64, epoch],
        ));
        let size = self.settings.batch_size;
        let mut batches = match self.texts.get(set) {
            Some(texts) => distinct_batches(&order, size, texts),
            None => plain_batches(&order, size),
        };
        if self.settings.drop_last {
            batches.retain(|batch| batch.len() == size);
        }
        batches
    }
}
