//! How several sets take turns.

use super::Batch;
use crate::data::random::generator;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// How several sets take turns in an epoch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mix {
    /// All batches of all sets, shuffled: large sets come more often.
    #[default]
    Proportional,
    /// One batch of each set in turn, until the smallest set is used up: each
    /// counts the same. Of a larger set other examples come in each epoch.
    RoundRobin,
    /// All batches of the first set, then of the second, and so on.
    Sequential,
}

impl Mix {
    /// Puts the batches of the sets in order.
    pub(super) fn arrange(self, queues: Vec<Vec<Vec<usize>>>, seed: u64, epoch: u64) -> Vec<Batch> {
        let mut turns: Vec<usize> = match self {
            Self::RoundRobin => {
                let rounds = queues.iter().map(Vec::len).min().unwrap_or(0);
                (0..rounds).flat_map(|_| 0..queues.len()).collect()
            }
            Self::Proportional | Self::Sequential => queues
                .iter()
                .enumerate()
                .flat_map(|(set, queue)| std::iter::repeat_n(set, queue.len()))
                .collect(),
        };
        if self == Self::Proportional {
            turns.shuffle(&mut generator(seed, "turns", &[epoch]));
        }
        let mut queues: Vec<_> = queues.into_iter().map(Vec::into_iter).collect();
        turns
            .into_iter()
            .filter_map(|set| {
                let examples = queues[set].next()?;
                Some(Batch { set, examples })
            })
            .collect()
    }
}
