//! Scores and lines of the metrics.

use super::StageRun;
use super::since::Since;
use crate::model::safetensors::{self, Entry};
use crate::network::PlacedBackbone;
use crate::record::{Measurement, Score};
use crate::trainer::learner::Learner;
use crate::trainer::run::Run;
use medsift::{Error, Result};
use std::collections::BTreeMap;
use std::time::Instant;

/// Name of the mean of all sets' F1, which `evaluation.best` may name.
const MEAN_F1: &str = "score/mean/f1";

/// The mean of the F1 of several sets, so that the best state can be that of
/// all of them.
fn mean_f1(measured: &[(String, f64)]) -> Option<(String, f64)> {
    let of_sets = measured.iter().filter(|(name, _)| name.ends_with("/f1"));
    let values: Vec<f64> = of_sets.map(|(_, value)| *value).collect();
    let taken = measured.iter().any(|(name, _)| name == MEAN_F1);
    (values.len() > 1 && !taken).then(|| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (MEAN_F1.to_owned(), mean)
    })
}

impl StageRun<'_> {
    pub(super) fn log(&mut self, run: &mut Run<'_>, rate: f64, norm: f64) -> Result<()> {
        let step = self.state.stage_step;
        let total = self.total;
        if !step.is_multiple_of(self.stage.log_steps.max(1)) && step != total {
            return Ok(());
        }
        let steps = self.since.steps.max(1) as f64;
        let mut values: BTreeMap<String, f64> = std::mem::take(&mut self.since.losses)
            .into_iter()
            .map(|(name, sum)| (name, sum / steps))
            .collect();
        values.insert("learning_rate".to_owned(), rate);
        values.insert("gradient_norm".to_owned(), norm);
        values.insert(
            "tokens_per_second".to_owned(),
            self.since.tokens_per_second(),
        );
        self.since = Since::now();
        self.write(run, values)
    }

    pub(super) fn write(&self, run: &mut Run<'_>, values: BTreeMap<String, f64>) -> Result<()> {
        // A stream that nobody has counted tells whole passes only.
        let part = match self.lesson.steps_per_epoch() {
            0 => 0.0,
            steps => self.state.epoch_step as f64 / steps as f64,
        };
        let epoch = self.state.epoch as f64 + part;
        run.metrics.write(&Measurement {
            step: self.state.step,
            stage: self.stage.name.clone(),
            epoch,
            values,
        })
    }

    /// Measures all sets, and keeps the state when it is the best so far.
    pub(super) fn measure(
        &mut self,
        run: &mut Run<'_>,
        learner: &mut Learner<PlacedBackbone>,
    ) -> Result<()> {
        let clock = Instant::now();
        let mut values = BTreeMap::new();
        let mut measured = Vec::new();
        for set in &self.sets {
            measured.extend(set.measure(learner, self.lesson.heads())?);
        }
        measured.extend(mean_f1(&measured));
        for (name, value) in measured {
            // Few enough digits to come back the same from a record.
            let value = (value * 1e12).round() / 1e12;
            run.progress.score(&name, value);
            run.record.scores.push(Score {
                stage: self.stage.name.clone(),
                step: self.state.step,
                name: name.clone(),
                value,
            });
            values.insert(name, value);
        }
        // Measuring is no training: the rate of tokens leaves it out.
        self.since.clock += clock.elapsed();
        if values.is_empty() {
            return Ok(());
        }
        if let Some(best) = &self.stage.evaluation.best {
            let Some(&value) = values.get(best) else {
                let known: Vec<&str> = values.keys().map(String::as_str).collect();
                return Err(Error::invalid(
                    "best",
                    format!(
                        "stage `{}`: `evaluation.best` names `{best}`, but measured are {}",
                        self.stage.name,
                        known.join(", ")
                    ),
                ));
            };
            if self.state.best.is_none_or(|(before, _)| value > before) {
                self.state.best = Some((value, self.state.step));
                let path = self.best_file(run);
                let tensors = self.parameters(learner)?.into_iter();
                let entries = tensors.map(|(name, tensor)| Entry::tensor(name, tensor));
                safetensors::write(&path, entries.collect())?;
            }
        }
        self.write(run, values)
    }

    pub(super) fn best_file(&self, run: &Run<'_>) -> std::path::PathBuf {
        let name = format!("best-{}.safetensors", self.state.stage + 1);
        run.folder.root().join(name)
    }
}
