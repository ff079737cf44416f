//! One stage of a run.

mod measure;
mod save;
mod since;

use super::adaptation::Adaptation;
use super::evaluation::EvaluationSet;
use super::learner::{Learner, check_length};
use super::lesson::{Lesson, Outcome};
use super::pretraining::PretrainingLesson;
use super::progress::StepReport;
use super::run::Run;
use super::sentence::SentenceLesson;
use super::span::SpanLesson;
use super::teacher::Teaching;
use super::text::TextLesson;
use super::token::TokenLesson;
use crate::checkpoint::State;
use crate::config::{StageConfig, StageKind};
use crate::data::SourceFile;
use crate::error::device;
use crate::kernel::scalar::mix;
use crate::network::{Backbone, Parameters, PlacedBackbone};
use crate::optimiser::{AdamW, AdamWSettings, Schedule, apply, norm_of};
use crate::record::{DataRecord, RunRecord};
use medsift::encoder::parts::Layout;
use medsift::{Error, ErrorKind, Result};
use since::Since;
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
    lesson: Box<dyn Lesson<PlacedBackbone>>,
    /// What is learnt in place of the encoder's own weights.
    adaptation: Option<Adaptation>,
    sets: Vec<EvaluationSet>,
    optimiser: AdamW,
    schedule: Schedule,
    /// Steps of the stage.
    total: u64,
    layout: Layout,
    seed: u64,
    state: State,
    /// Losses, tokens and time since the last line of the metrics.
    since: Since,
    saved: Instant,
    /// Whether it goes on from a checkpoint.
    resumed: bool,
}

impl<'a> StageRun<'a> {
    /// Loads a stage's data and makes the learner ready for it.
    pub(super) fn begin(
        run: &mut Run<'_>,
        number: usize,
        stage: &'a StageConfig,
        learner: &mut Learner<PlacedBackbone>,
        step: u64,
    ) -> Result<Self> {
        let seed = mix(run.config.seed, number as u64);
        let layout = Layout::of(learner.network.architecture());
        let hidden = learner.network.architecture().hidden;
        learner
            .network
            .set_precision(run.config.device, stage.precision)?;
        learner.micro_batch_tokens = stage.micro_batch_tokens;
        let positions = learner.network.architecture().max_tokens();
        learner.max_tokens = check_length(stage, run.start.max_tokens, positions)?;
        learner.dropout = stage.dropout.unwrap_or(run.start.dropout);
        learner
            .network
            .parameters_mut()
            .freeze(|name| stage.parameter(name, &layout).frozen);
        let on = learner.network.device().clone();
        let mut lesson: Box<dyn Lesson<PlacedBackbone>> = match stage.kind {
            StageKind::Sentence => {
                let lesson = SentenceLesson::new(stage, hidden, seed, &on, run.articles.as_ref())?;
                enter_data(&mut run.record, stage, || {
                    Ok(records(stage, lesson.sources()))
                })?;
                Box::new(lesson)
            }
            StageKind::Token => {
                let lesson = TokenLesson::new(stage, hidden, learner.max_tokens, seed, &on)?;
                enter_data(&mut run.record, stage, || {
                    Ok(records(stage, lesson.sources()))
                })?;
                Box::new(lesson)
            }
            StageKind::Text => {
                let tokens = learner.max_tokens;
                let lesson = TextLesson::new(stage, &run.start, tokens, seed, &on)?;
                if lesson.fresh_pooler() {
                    run.progress.note("begins at random: the pooler");
                }
                enter_data(&mut run.record, stage, || {
                    Ok(records(stage, lesson.sources()))
                })?;
                Box::new(lesson)
            }
            StageKind::Span => {
                let reads = (learner.max_tokens, &learner.tokenizer);
                let lesson = SpanLesson::new(stage, hidden, reads, seed, &on)?;
                enter_data(&mut run.record, stage, || {
                    Ok(records(stage, lesson.sources()))
                })?;
                Box::new(lesson)
            }
            StageKind::Mlm => {
                let articles = run.articles.clone();
                let lesson = PretrainingLesson::new(stage, &run.start, learner, seed, articles)?;
                enter_data(&mut run.record, stage, || lesson.records(stage))?;
                if !lesson.fresh().is_empty() {
                    let names = lesson.fresh().join(", ");
                    run.progress.note(&format!("begin at random: {names}"));
                }
                Box::new(lesson)
            }
        };
        let adaptation = stage
            .adapter
            .map(|settings| {
                let (network, heads) = (&mut learner.network, lesson.heads_mut());
                Adaptation::begin(settings, stage, network, heads, seed)
            })
            .transpose()?;
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
            schedule: schedule(stage, total),
            total,
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
            adaptation,
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

    /// Takes the stage's steps.
    pub(super) fn learn(
        &mut self,
        run: &mut Run<'_>,
        learner: &mut Learner<PlacedBackbone>,
    ) -> Result<End> {
        let total = self.total;
        if !self.ask_teachers(run, learner.max_tokens)? {
            self.save(run, learner)?;
            return Ok(End::Stopped);
        }
        run.progress
            .stage(&self.stage.name, self.state.stage_step, total);
        // A run that was stopped while its teachers read was not measured yet.
        let unmeasured = self.state.step == 0 && run.record.scores.is_empty();
        if !self.resumed || unmeasured {
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

    /// Whether the teachers were asked, and not stopped.
    fn ask_teachers(&mut self, run: &mut Run<'_>, max_tokens: usize) -> Result<bool> {
        let teaching = Teaching {
            teachers: &self.stage.teachers,
            folders: &run.teachers,
            max_tokens,
            run: &run.folder,
            progress: run.progress,
        };
        let Some(records) = self.lesson.prepare(&teaching)? else {
            return Ok(false);
        };
        for record in records {
            if !run.record.teachers.contains(&record) {
                run.record.teachers.push(record);
            }
        }
        Ok(true)
    }

    fn take_step(
        &mut self,
        run: &mut Run<'_>,
        learner: &mut Learner<PlacedBackbone>,
    ) -> Result<()> {
        let clock = Instant::now();
        let seed = mix(self.seed, self.state.stage_step);
        let (outcome, epoch, epoch_step) = self.lesson.learn(learner, seed)?;
        if let Some(adaptation) = &self.adaptation {
            let network = learner.network.parameters();
            adaptation
                .take_gradients(network, self.lesson.heads_mut())
                .map_err(device)?;
        }
        let norm = norm_of(&learner.network, self.lesson.heads()).map_err(device)?;
        if !outcome.loss.is_finite() || !norm.is_finite() {
            return Err(self.not_a_number(run, &outcome, norm));
        }
        let factor = self.schedule.factor(self.state.stage_step as usize);
        let rate = self.stage.learning_rate * factor;
        let (stage, layout) = (self.stage, &self.layout);
        let group = |name: &str| {
            let settings = stage.parameter(name, layout);
            (rate * settings.factor, settings.weight_decay)
        };
        let parameters = (&mut learner.network, self.lesson.heads_mut());
        let length = (norm, stage.clip_norm);
        apply(&mut self.optimiser, parameters, length, group).map_err(device)?;
        self.change_encoder(learner)?;
        self.state.step += 1;
        self.state.stage_step += 1;
        (self.state.epoch, self.state.epoch_step) = (epoch, epoch_step);
        self.state.seconds += clock.elapsed().as_secs_f64();
        // Whole milliseconds, which JSON gives back as they were.
        run.record.seconds = (1000.0 * self.state.seconds).round() / 1000.0;
        run.step = self.state.step;
        self.since.add(&outcome);
        run.progress.step(&StepReport {
            step: self.state.stage_step,
            total: self.total,
            loss: outcome.loss,
            tokens_per_second: self.since.tokens_per_second(),
        });
        self.log(run, rate, norm)
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
}

/// Enters a stage's data into the record of a run, unless the run goes on from
/// where it did so.
fn enter_data(
    record: &mut RunRecord,
    stage: &StageConfig,
    data: impl FnOnce() -> Result<Vec<DataRecord>>,
) -> Result<()> {
    if !record.data.iter().any(|data| data.stage == stage.name) {
        record.data.extend(data()?);
    }
    Ok(())
}

/// The learning rate over the steps of a stage.
fn schedule(stage: &StageConfig, total: u64) -> Schedule {
    let over = stage.schedule_steps.unwrap_or(total).max(total);
    Schedule {
        kind: stage.schedule,
        warmup: (stage.warm_up * over as f64).round() as usize,
        total: over as usize,
    }
}

/// What is recorded of a stage's data.
pub(super) fn records<'a>(
    stage: &StageConfig,
    sources: impl Iterator<Item = &'a SourceFile>,
) -> Vec<DataRecord> {
    sources
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
