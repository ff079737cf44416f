//! The learning rate over the steps of a stage.

use serde::{Deserialize, Serialize};

/// How the rate falls after the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScheduleKind {
    /// In a straight line to zero.
    #[default]
    Linear,
    /// Half a cosine wave to zero.
    Cosine,
    /// Not at all.
    Constant,
}

/// The rate's factor at every step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// How the rate falls.
    pub kind: ScheduleKind,
    /// Steps during which the rate rises from zero in a straight line.
    pub warmup: usize,
    /// Steps of the whole stage.
    pub total: usize,
}

impl Schedule {
    /// What the peak rate is multiplied by in a step, counted from 0; the
    /// same as `get_linear_schedule_with_warmup` of transformers.
    pub fn factor(&self, step: usize) -> f64 {
        if step < self.warmup {
            return step as f64 / self.warmup as f64;
        }
        let left = self.total.saturating_sub(self.warmup).max(1) as f64;
        let done = ((step - self.warmup) as f64 / left).min(1.0);
        match self.kind {
            ScheduleKind::Linear => 1.0 - done,
            ScheduleKind::Cosine => 0.5 * (1.0 + (std::f64::consts::PI * done).cos()),
            ScheduleKind::Constant => 1.0,
        }
    }
}
