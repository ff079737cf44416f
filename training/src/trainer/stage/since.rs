//! What is added up between two lines of the metrics.

use crate::trainer::lesson::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Debug)]
pub(super) struct Since {
    pub(super) losses: BTreeMap<String, f64>,
    pub(super) steps: u64,
    tokens: usize,
    pub(super) clock: Instant,
}

/// Name in a checkpoint of the losses since the last line of the metrics, so
/// that the next line is the same whether the run was stopped or not.
pub(super) const LOSSES: &str = "losses";

/// Sums of losses as bits, which stay what they are.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SavedLosses {
    steps: u64,
    sums: BTreeMap<String, u64>,
}

impl Since {
    pub(super) fn now() -> Self {
        Self {
            losses: BTreeMap::new(),
            steps: 0,
            tokens: 0,
            clock: Instant::now(),
        }
    }

    pub(super) fn add(&mut self, outcome: &Outcome) {
        *self.losses.entry("loss".to_owned()).or_default() += outcome.loss;
        for (name, value) in &outcome.parts {
            *self.losses.entry(format!("loss/{name}")).or_default() += value;
        }
        self.steps += 1;
        self.tokens += outcome.tokens;
    }

    pub(super) fn saved(&self) -> SavedLosses {
        let bits = |(name, sum): (&String, &f64)| (name.clone(), sum.to_bits());
        SavedLosses {
            steps: self.steps,
            sums: self.losses.iter().map(bits).collect(),
        }
    }

    /// Losses of a checkpoint; time and tokens count from now.
    pub(super) fn after(saved: SavedLosses) -> Self {
        let sum = |(name, bits)| (name, f64::from_bits(bits));
        Self {
            losses: saved.sums.into_iter().map(sum).collect(),
            steps: saved.steps,
            ..Self::now()
        }
    }

    pub(super) fn tokens_per_second(&self) -> f64 {
        self.tokens as f64 / self.clock.elapsed().as_secs_f64().max(1e-9)
    }
}
