//! One stage of a run.

use super::evaluation::EvaluationSet;
use super::learner::{Learner, check_length};
use super::lesson::{Lesson, Outcome};
use super::pretraining::PretrainingLesson;
use super::progress::StepReport;
use super::run::Run;
use super::sentence::SentenceLesson;
use super::start::engine;
use crate::checkpoint::{Checkpoint, State, average};
use crate::config::{StageConfig, StageKind};
use crate::error::device;
use crate::kernel::scalar::mix;
use crate::model::safetensors::{self, Entry};
use crate::network::{Backbone, FastBackbone, Parameters};
use crate::optimiser::{AdamW, AdamWSettings, Schedule, gradient_norm};
use crate::record::{DataRecord, Measurement, Score};
use candle_core::Tensor;
use medsift::encoder::parts::{Layout, read_checkpoint};
use medsift::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// How a stage ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// All its steps were taken.
    Finished,
    /// It was told to stop, and its state is saved.
    Stopped,
}

/// A stage under way.
pub(super) struct StageRun<'a> {
    stage: &'a StageConfig,
    lesson: Box<dyn Lesson<FastBackbone>>,
    sets: Vec<EvaluationSet>,
    optimiser: AdamW,
    schedule: Schedule,
    layout: Layout,
    seed: u64,
    state: State,
    /// Losses, tokens and time since the last line of the metrics.
    since: Since,
    saved: Instant,
    /// Whether it goes on from a checkpoint.
    resumed: bool,
}

#[derive(Debug)]
struct Since {
    losses: BTreeMap<String, f64>,
    steps: u64,
    tokens: usize,
    clock: Instant,
}

/// Name in a checkpoint of the losses since the last line of the metrics, so
/// that the next line is the same whether the run was stopped or not.
const LOSSES: &str = "losses";

/// Sums of losses as bits, which stay what they are.
#[derive(Default, Serialize, Deserialize)]
struct SavedLosses {
    steps: u64,
    sums: BTreeMap<String, u64>,
}

impl Since {
    fn now() -> Self {
        Self {
            losses: BTreeMap::new(),
            steps: 0,
            tokens: 0,
            clock: Instant::now(),
        }
    }

    fn add(&mut self, outcome: &Outcome) {
        *self.losses.entry("loss".to_owned()).or_default() += outcome.loss;
        for (name, value) in &outcome.parts {
            *self.losses.entry(format!("loss/{name}")).or_default() += value;
        }
        self.steps += 1;
        self.tokens += outcome.tokens;
    }

    fn saved(&self) -> SavedLosses {
        let bits = |(name, sum): (&String, &f64)| (name.clone(), sum.to_bits());
        SavedLosses {
            steps: self.steps,
            sums: self.losses.iter().map(bits).collect(),
        }
    }

    /// Losses of a checkpoint; time and tokens count from now.
    fn after(saved: SavedLosses) -> Self {
        let sum = |(name, bits)| (name, f64::from_bits(bits));
        Self {
            losses: saved.sums.into_iter().map(sum).collect(),
            steps: saved.steps,
            ..Self::now()
        }
    }

    fn tokens_per_second(&self) -> f64 {
        self.tokens as f64 / self.clock.elapsed().as_secs_f64().max(1e-9)
    }
}

impl<'a> StageRun<'a> {
    /// Loads a stage's data and makes the learner ready for it.
    pub(super) fn begin(
        run: &mut Run<'_>,
        number: usize,
        stage: &'a StageConfig,
        learner: &mut Learner<FastBackbone>,
        step: u64,
    ) -> Result<Self> {
        let seed = mix(run.config.seed, number as u64);
        let layout = Layout::of(learner.network.architecture());
        let hidden = learner.network.architecture().hidden;
        learner.network.set_engine(engine(stage.precision)?);
        learner.micro_batch_tokens = stage.micro_batch_tokens;
        let positions = learner.network.architecture().max_tokens();
        learner.max_tokens = check_length(stage, run.start.max_tokens, positions)?;
        learner.dropout = stage.dropout.unwrap_or(run.start.dropout);
        learner
            .network
            .parameters_mut()
            .freeze(|name| stage.parameter(name, &layout).frozen);
        let on = learner.network.device().clone();
        let lesson: Box<dyn Lesson<FastBackbone>> = match stage.kind {
            StageKind::Sentence => {
                let lesson = SentenceLesson::new(stage, hidden, seed, &on)?;
                let named = |record: &DataRecord| record.stage == stage.name;
                if !run.record.data.iter().any(named) {
                    run.record.data.extend(records(stage, &lesson));
                }
                Box::new(lesson)
            }
            StageKind::Mlm => {
                let articles = run.articles.clone();
                let lesson = PretrainingLesson::new(stage, &run.start, learner, seed, articles)?;
                let named = |record: &DataRecord| record.stage == stage.name;
                if !run.record.data.iter().any(named) {
                    run.record.data.extend(lesson.records(stage)?);
                }
                if !lesson.fresh().is_empty() {
                    let names = lesson.fresh().join(", ");
                    run.progress.note(&format!("begin at random: {names}"));
                }
                Box::new(lesson)
            }
        };
        let total = stage.total_steps(lesson.steps_per_epoch());
        Ok(Self {
            sets: EvaluationSet::load_all(
                stage,
                learner.max_tokens,
                &learner.tokenizer,
                run.articles.as_ref(),
            )?,
            optimiser: AdamW::new(AdamWSettings {
                beta1: stage.betas[0],
                beta2: stage.betas[1],
                epsilon: stage.epsilon,
            }),
            schedule: Schedule {
                kind: stage.schedule,
                warmup: (stage.warm_up * total as f64).round() as usize,
                total: total as usize,
            },
            layout,
            seed,
            state: State {
                step,
                stage: number,
                configuration: run.digest.clone(),
                seconds: run.record.seconds,
                ..State::default()
            },
            since: Since::now(),
            saved: Instant::now(),
            resumed: false,
            stage,
            lesson,
        })
    }

    /// Steps done over all stages.
    pub(super) fn step(&self) -> u64 {
        self.state.step
    }

    /// Parameters beside the encoder.
    pub(super) fn heads(&self) -> &Parameters {
        self.lesson.heads()
    }

    /// Takes up a checkpoint of this stage.
    pub(super) fn restore(
        &mut self,
        learner: &mut Learner<FastBackbone>,
        checkpoint: Checkpoint,
    ) -> Result<()> {
        self.set_parameters(learner, &checkpoint.parameters)?;
        let step = checkpoint.state.stage_step as usize;
        self.optimiser
            .restore(step, &checkpoint.optimiser)
            .map_err(device)?;
        self.lesson
            .seek(checkpoint.state.epoch, checkpoint.state.epoch_step)?;
        self.resumed = true;
        self.state = checkpoint.state;
        let saved = self.state.generators.remove(LOSSES);
        let saved = saved.and_then(|value| serde_json::from_value(value).ok());
        self.since = Since::after(saved.unwrap_or_default());
        Ok(())
    }

    fn set_parameters(
        &mut self,
        learner: &mut Learner<FastBackbone>,
        values: &HashMap<String, Tensor>,
    ) -> Result<()> {
        let all = learner.network.parameters().iter();
        for parameter in all.chain(self.lesson.heads().iter()) {
            let value = values.get(&parameter.name).ok_or_else(|| {
                Error::new(
                    ErrorKind::Corrupt,
                    format!("the checkpoint lacks the parameter `{}`", parameter.name),
                )
            })?;
            parameter.value.set(value).map_err(device)?;
        }
        learner.network.values_changed();
        Ok(())
    }

    fn parameters(&self, learner: &Learner<FastBackbone>) -> Result<HashMap<String, Tensor>> {
        let mut all = learner.network.parameters().snapshot().map_err(device)?;
        all.extend(self.lesson.heads().snapshot().map_err(device)?);
        Ok(all)
    }

    /// Takes the stage's steps.
    pub(super) fn learn(
        &mut self,
        run: &mut Run<'_>,
        learner: &mut Learner<FastBackbone>,
    ) -> Result<End> {
        let total = self.schedule.total as u64;
        run.progress
            .stage(&self.stage.name, self.state.stage_step, total);
        if !self.resumed {
            self.measure(run, learner)?;
            if self.state.stage > 0 {
                // A kill before the first checkpoint would else undo the end
                // of the stage before.
                self.save(run, learner)?;
            }
        }
        self.since.clock = Instant::now();
        while self.state.stage_step < total {
            self.take_step(run, learner)?;
            let step = self.state.stage_step;
            let every = self.stage.evaluation.every_steps;
            if every > 0 && step.is_multiple_of(every) && step < total {
                self.measure(run, learner)?;
            }
            if run.progress.stopped() {
                self.save(run, learner)?;
                return Ok(End::Stopped);
            }
            if step < total && self.is_time_to_save(run) {
                self.save(run, learner)?;
            }
        }
        self.finish(run, learner)?;
        Ok(End::Finished)
    }

    fn take_step(&mut self, run: &mut Run<'_>, learner: &mut Learner<FastBackbone>) -> Result<()> {
        let clock = Instant::now();
        let seed = mix(self.seed, self.state.stage_step);
        let (outcome, epoch, epoch_step) = self.lesson.learn(learner, seed)?;
        let norm = self.norm(learner)?;
        if !outcome.loss.is_finite() || !norm.is_finite() {
            return Err(self.not_a_number(run, &outcome, norm));
        }
        let clip = self.stage.clip_norm;
        let scale = if clip > 0.0 {
            (clip / (norm + 1e-6)).min(1.0)
        } else {
            1.0
        };
        let factor = self.schedule.factor(self.state.stage_step as usize);
        let rate = self.stage.learning_rate * factor;
        let (stage, layout) = (self.stage, &self.layout);
        let group = |name: &str| {
            let settings = stage.parameter(name, layout);
            (rate * settings.factor, settings.weight_decay)
        };
        let all = learner.network.parameters().iter();
        self.optimiser
            .step(all.chain(self.lesson.heads().iter()), group, scale)
            .map_err(device)?;
        let network = &mut learner.network;
        network.parameters_mut().clear_gradients().map_err(device)?;
        network.values_changed();
        self.lesson.heads_mut().clear_gradients().map_err(device)?;
        self.state.step += 1;
        self.state.stage_step += 1;
        (self.state.epoch, self.state.epoch_step) = (epoch, epoch_step);
        self.state.seconds += clock.elapsed().as_secs_f64();
        run.record.seconds = self.state.seconds;
        run.step = self.state.step;
        self.since.add(&outcome);
        run.progress.step(&StepReport {
            step: self.state.stage_step,
            total: self.schedule.total as u64,
            loss: outcome.loss,
            tokens_per_second: self.since.tokens_per_second(),
        });
        self.log(run, rate, norm)
    }

    fn norm(&self, learner: &Learner<FastBackbone>) -> Result<f64> {
        let all = learner.network.parameters().iter();
        gradient_norm(all.chain(self.lesson.heads().iter())).map_err(device)
    }

    fn not_a_number(&self, run: &Run<'_>, outcome: &Outcome, norm: f64) -> Error {
        let saved = match run.store.list() {
            Ok(list) if !list.is_empty() => format!(
                "the last checkpoint, of step {}, is {}",
                list[list.len() - 1].0,
                list[list.len() - 1].1.display()
            ),
            _ => "there is no checkpoint yet".to_owned(),
        };
        Error::new(
            ErrorKind::InvalidInput,
            format!(
                "stage `{}`, step {}: the loss is {} and the gradients' norm {norm}, which is no \
                 number to go on with (batch: {}); {saved}. Lower `learning_rate`, or look at \
                 the batch",
                self.stage.name,
                self.state.stage_step + 1,
                outcome.loss,
                outcome.batch
            ),
        )
    }

    fn log(&mut self, run: &mut Run<'_>, rate: f64, norm: f64) -> Result<()> {
        let step = self.state.stage_step;
        let total = self.schedule.total as u64;
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

    fn write(&self, run: &mut Run<'_>, values: BTreeMap<String, f64>) -> Result<()> {
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
    fn measure(&mut self, run: &mut Run<'_>, learner: &mut Learner<FastBackbone>) -> Result<()> {
        let mut values = BTreeMap::new();
        for set in &self.sets {
            for (name, value) in set.measure(learner, self.lesson.heads())? {
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
        }
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

    fn best_file(&self, run: &Run<'_>) -> std::path::PathBuf {
        let name = format!("best-{}.safetensors", self.state.stage + 1);
        run.folder.root().join(name)
    }

    fn is_time_to_save(&self, run: &Run<'_>) -> bool {
        let settings = &run.config.checkpoint;
        let by_steps =
            settings.every_steps > 0 && self.state.stage_step.is_multiple_of(settings.every_steps);
        let minutes = self.saved.elapsed().as_secs_f64() / 60.0;
        by_steps || (settings.every_minutes > 0.0 && minutes >= settings.every_minutes)
    }

    fn save(&mut self, run: &mut Run<'_>, learner: &Learner<FastBackbone>) -> Result<()> {
        let mut state = self.state.clone();
        if let Ok(losses) = serde_json::to_value(self.since.saved()) {
            state.generators.insert(LOSSES.to_owned(), losses);
        }
        run.store.save(&Checkpoint {
            parameters: self.parameters(learner)?,
            optimiser: self.optimiser.state(),
            state,
        })?;
        run.record.write(&run.folder.run())?;
        self.saved = Instant::now();
        Ok(())
    }

    /// The state that the stage ends with: the last, the best, or the mean of
    /// the last ones.
    fn finish(&mut self, run: &mut Run<'_>, learner: &mut Learner<FastBackbone>) -> Result<()> {
        if self.stage.average_last > 1 {
            self.save(run, learner)?;
            // What the stage began with is not one of its states.
            let from = self.state.step - self.state.stage_step + 1;
            let states = run.store.newest_parameters(self.stage.average_last, from)?;
            let mean = average(&states)?;
            self.set_parameters(learner, &mean)?;
            run.progress.note(&format!(
                "the mean of {} checkpoints is taken",
                states.len()
            ));
        }
        self.measure(run, learner)?;
        if let Some((value, step)) = self.state.best
            && step != self.state.step
        {
            let path = self.best_file(run);
            self.set_parameters(learner, &read_checkpoint(&path)?)?;
            run.progress.note(&format!(
                "the state of step {step} is taken, which scored {value:.4}"
            ));
        }
        Ok(())
    }
}

/// What is recorded of a stage's data.
pub(super) fn records(stage: &StageConfig, lesson: &SentenceLesson) -> Vec<DataRecord> {
    lesson
        .sets()
        .iter()
        .flat_map(|set| &set.sources)
        .map(|source| DataRecord {
            stage: stage.name.clone(),
            path: source.path.display().to_string(),
            sha256: source.sha256.clone(),
            bytes: source.bytes,
            examples: source.examples as u64,
            skipped: source.skipped.total() as u64,
            terms: None,
        })
        .collect()
}
