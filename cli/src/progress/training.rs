//! What training shows: a bar for the stage under way, and lines for scores.

use super::{LINES, bar, line};
use crate::interrupt::Interrupt;
use indicatif::{HumanDuration, ProgressBar};
use medsift_training::trainer::{Progress, StepReport};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bars and lines of a training that Ctrl-C may stop.
pub(crate) struct TrainBars {
    quiet: bool,
    terminal: bool,
    interrupt: Interrupt,
    stage: Mutex<Stage>,
}

/// The stage under way.
struct Stage {
    name: String,
    bar: ProgressBar,
    /// The first step taken here, and when it was done: what is measured
    /// before it says nothing of the time left.
    first: Option<(u64, Instant)>,
    /// When a line was written last.
    told: Instant,
}

impl TrainBars {
    /// Shows nothing when `quiet`.
    pub(crate) fn new(quiet: bool, interrupt: Interrupt) -> Self {
        let now = Instant::now();
        Self {
            quiet,
            terminal: io::stderr().is_terminal(),
            interrupt,
            stage: Mutex::new(Stage {
                name: String::new(),
                bar: ProgressBar::hidden(),
                first: None,
                told: now,
            }),
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.with_stage(|stage| stage.bar.finish_and_clear());
    }

    fn with_stage<R>(&self, change: impl FnOnce(&mut Stage) -> R) -> R {
        // A bar is only decoration: a panic elsewhere does not spoil it.
        change(&mut self.stage.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn line(&self, text: &str) {
        if !self.quiet {
            line(text);
        }
    }
}

impl Progress for TrainBars {
    fn stage(&self, name: &str, done: u64, total: u64) {
        let rest = match done {
            0 => String::new(),
            done => format!(", {done} of them done"),
        };
        self.line(&format!("stage {name}: {total} steps{rest}"));
        self.with_stage(|stage| {
            stage.bar.finish_and_clear();
            let template = "{prefix} [{bar:24}] {human_pos}/{human_len} {msg}";
            stage.bar = bar(self.quiet, Some(total), template);
            stage.bar.set_prefix(name.to_owned());
            stage.bar.set_position(done);
            stage.name = name.to_owned();
            stage.first = None;
            stage.told = Instant::now();
        });
    }

    fn taught(&self, teacher: &str, done: usize, total: usize) {
        let told = self.with_stage(|stage| {
            if stage.name != teacher {
                stage.bar.finish_and_clear();
                let template =
                    "{prefix} reads [{bar:24}] {human_pos}/{human_len} texts, {eta} left";
                stage.bar = bar(self.quiet, Some(total as u64), template);
                stage.bar.set_prefix(teacher.to_owned());
                stage.name = teacher.to_owned();
                stage.told = Instant::now();
            }
            stage.bar.set_position(done as u64);
            let due = !self.terminal && stage.told.elapsed() >= LINES;
            if due {
                stage.told = Instant::now();
            }
            due
        });
        if told {
            self.line(&format!("{teacher} has read {done} of {total} texts"));
        }
    }

    fn step(&self, report: &StepReport) {
        let line = self.with_stage(|stage| {
            let now = Instant::now();
            let (first, began) = *stage.first.get_or_insert((report.step, now));
            let words = words(report, first, now - began);
            stage.bar.set_position(report.step);
            let due = !self.terminal && stage.told.elapsed() >= LINES;
            let line = due.then(|| {
                stage.told = Instant::now();
                let (step, total) = (report.step, report.total);
                format!("{} step {step}/{total} · {words}", stage.name)
            });
            stage.bar.set_message(words);
            line
        });
        if let Some(line) = line {
            self.line(&line);
        }
    }

    fn score(&self, name: &str, value: f64) {
        let step = self.with_stage(|stage| stage.bar.position());
        let name = name.strip_prefix("score/").unwrap_or(name);
        self.line(&format!("  {name} {value:.4} behind step {step}"));
    }

    fn note(&self, words: &str) {
        self.line(&format!("  {words}"));
    }

    fn stopped(&self) -> bool {
        self.interrupt.is_pressed()
    }
}

/// Loss, speed and time left, the latter by the steps behind the `first` one.
fn words(report: &StepReport, first: u64, elapsed: Duration) -> String {
    let words = format!(
        "loss {:.4} · {:.0} tokens/s",
        report.loss, report.tokens_per_second
    );
    let done = report.step.saturating_sub(first);
    if done == 0 {
        return words;
    }
    let rest = report.total.saturating_sub(report.step);
    let left = elapsed.as_secs_f64() * rest as f64 / done as f64;
    let left = HumanDuration(Duration::from_secs_f64(left));
    format!("{words} · {left} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_goes_by_the_steps_taken_here() {
        let report = StepReport {
            step: 60,
            total: 100,
            loss: 0.5,
            tokens_per_second: 1234.4,
        };
        // Ten steps in 30 seconds, forty to go.
        assert_eq!(
            words(&report, 50, Duration::from_secs(30)),
            "loss 0.5000 · 1234 tokens/s · 2 minutes left"
        );
        let nothing_yet = words(&report, 60, Duration::ZERO);
        assert_eq!(nothing_yet, "loss 0.5000 · 1234 tokens/s");
    }
}
