//! What a run tells while it goes on.

/// One optimiser step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Steps done in the stage.
    pub step: u64,
    /// Steps of the stage.
    pub total: u64,
    /// The step's loss.
    pub loss: f64,
    /// Tokens per second since the last report.
    pub tokens_per_second: f64,
}

/// Hears how a run goes on, and may end it.
pub trait Progress: Sync {
    /// A stage begins, or is taken up again behind `done` of `total` steps.
    fn stage(&self, name: &str, done: u64, total: u64) {
        let _ = (name, done, total);
    }

    /// A teacher has read `done` of `total` texts.
    fn taught(&self, teacher: &str, done: usize, total: usize) {
        let _ = (teacher, done, total);
    }

    /// A step was taken.
    fn step(&self, report: &StepReport) {
        let _ = report;
    }

    /// A score was measured.
    fn score(&self, name: &str, value: f64) {
        let _ = (name, value);
    }

    /// Something to tell in words.
    fn note(&self, words: &str) {
        let _ = words;
    }

    /// Whether the run is to save its state and stop.
    fn stopped(&self) -> bool {
        false
    }
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}
