//! What a run would do, found out without doing it.

use super::adaptation;
use super::evaluation::EvaluationSet;
use super::learner::check_length;
use super::pretraining::PretrainingPlan;
use super::sentence::SentenceLesson;
use super::siamese::KEPT_TOKENS;
use super::span::SpanLesson;
use super::stage::records;
use super::start::Start;
use super::text::TextLesson;
use super::token::TokenLesson;
use crate::config::{Length, StageConfig, StageKind, TrainConfig};
use crate::data::corpus::ArticleSource;
use crate::network::check_precision;
use crate::record::DataRecord;
use candle_core::Device;
use medsift::Result;
use medsift::encoder::parts::{Architecture, Layout};
use serde::Serialize;
use std::path::Path;

/// What a run would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// The start model, as the configuration names it.
    pub base: String,
    /// Numbers of the network.
    pub parameters: usize,
    /// Its stages in order.
    pub stages: Vec<StagePlan>,
}

/// What a stage would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StagePlan {
    /// Its name.
    pub name: String,
    /// What it learns.
    pub kind: StageKind,
    /// The objective's kind; empty where the configuration names none.
    pub objective: String,
    /// The files that it learns from.
    pub data: Vec<DataRecord>,
    /// Examples of one pass; unknown for text that is streamed.
    pub examples: Option<u64>,
    /// Optimiser steps; unknown for passes over text that is streamed.
    pub steps: Option<u64>,
    /// Examples of a step.
    pub batch: usize,
    /// Tokens at which a text is cut.
    pub max_tokens: usize,
    /// Numbers that are trained, those of heads included.
    pub trained: usize,
    /// Sets that are measured on, with their examples.
    pub evaluation: Vec<(String, usize)>,
    /// Bytes that the stage takes at most, by estimate: parameters, their
    /// gradients and moments, what a batch of texts of the full length keeps
    /// for its way back, and the texts.
    pub memory: u64,
}

/// Opens the start model of a run and reads all of its data, but for text that
/// is streamed: of that, the files are looked for. `articles` reads files of
/// articles.
///
/// # Errors
/// As [`super::train`] before its first step.
pub fn plan(
    config: &TrainConfig,
    model: Option<&Path>,
    articles: Option<&ArticleSource>,
) -> Result<Plan> {
    config.device.device()?;
    let start = Start::open(config, model)?;
    let stages = config
        .stages
        .iter()
        .map(|stage| plan_stage(config, &start, stage, articles))
        .collect::<Result<_>>()?;
    Ok(Plan {
        base: start.record.name.clone(),
        parameters: numbers(&start, |_| true),
        stages,
    })
}

fn plan_stage(
    config: &TrainConfig,
    start: &Start,
    stage: &StageConfig,
    articles: Option<&ArticleSource>,
) -> Result<StagePlan> {
    check_precision(config.device, stage.precision)?;
    let architecture = &start.architecture;
    let max_tokens = check_length(stage, start.max_tokens, architecture.max_tokens())?;
    let layout = Layout::of(architecture);
    let trained = match stage.adapter {
        None => numbers(start, |name| !stage.parameter(name, &layout).frozen),
        Some(settings) => adaptation::numbers(settings, stage, &layout, |name| {
            start.tensors[name].dims2().unwrap_or_default()
        }),
    };
    let objective = stage.objective.get("kind").and_then(toml::Value::as_str);
    let mut plan = StagePlan {
        name: stage.name.clone(),
        kind: stage.kind,
        objective: objective.unwrap_or_default().to_owned(),
        data: Vec::new(),
        examples: None,
        steps: match stage.length() {
            Length::Steps(steps) => Some(steps),
            Length::Epochs(_) => None,
        },
        batch: stage.batch,
        max_tokens,
        trained,
        evaluation: EvaluationSet::load_all(stage, max_tokens, &start.tokenizer, articles)?
            .iter()
            .map(|set| (set.name().to_owned(), set.len()))
            .collect(),
        memory: 0,
    };
    let mut texts = 1;
    let text_bytes;
    match stage.kind {
        StageKind::Sentence => {
            let (hidden, seed) = (architecture.hidden, config.seed);
            let lesson = SentenceLesson::new(stage, hidden, seed, &Device::Cpu, articles)?;
            plan.examples = Some(lesson.examples());
            plan.steps = Some(stage.total_steps(lesson.batches()));
            plan.trained += lesson.head_numbers();
            plan.data = records(stage, lesson.sources());
            texts = lesson.columns();
            text_bytes = lesson.text_bytes();
        }
        StageKind::Token => {
            let hidden = architecture.hidden;
            let lesson = TokenLesson::new(stage, hidden, max_tokens, config.seed, &Device::Cpu)?;
            plan.examples = Some(lesson.examples());
            plan.steps = Some(stage.total_steps(lesson.batches()));
            plan.trained += lesson.head_numbers();
            plan.data = records(stage, lesson.sources());
            text_bytes = lesson.text_bytes();
        }
        StageKind::Text => {
            let lesson = TextLesson::new(stage, start, max_tokens, config.seed, &Device::Cpu)?;
            plan.examples = Some(lesson.examples());
            plan.steps = Some(stage.total_steps(lesson.batches()));
            plan.trained += lesson.head_numbers();
            plan.data = records(stage, lesson.sources());
            text_bytes = lesson.text_bytes();
        }
        StageKind::Span => {
            let (hidden, reads) = (architecture.hidden, (max_tokens, &start.tokenizer));
            let lesson = SpanLesson::new(stage, hidden, reads, config.seed, &Device::Cpu)?;
            plan.examples = Some(lesson.examples());
            plan.steps = Some(stage.total_steps(lesson.batches()));
            plan.trained += lesson.head_numbers();
            plan.data = records(stage, lesson.sources());
            text_bytes = lesson.text_bytes();
        }
        StageKind::Mlm => {
            let heads = PretrainingPlan::of(stage, start, max_tokens, articles)?;
            plan.trained += heads.numbers;
            plan.data = heads.data;
            text_bytes = heads.memory;
        }
    }
    let whole = stage.batch * texts * max_tokens;
    let kept = if stage.kind == StageKind::Sentence && whole <= KEPT_TOKENS {
        whole
    } else {
        whole.min(stage.micro_batch_tokens.max(max_tokens))
    };
    plan.memory = memory(architecture, numbers(start, |_| true), plan.trained, kept) + text_bytes;
    Ok(plan)
}

/// Numbers of the parameters whose names fit.
fn numbers(start: &Start, wanted: impl Fn(&str) -> bool) -> usize {
    let parameters = start.tensors.iter().filter(|(name, _)| wanted(name));
    parameters.map(|(_, tensor)| tensor.elem_count()).sum()
}

/// Bytes of a network in training that keeps so many tokens.
fn memory(architecture: &Architecture, parameters: usize, trained: usize, kept: usize) -> u64 {
    let Architecture {
        hidden,
        intermediate,
        heads,
        layers,
        ..
    } = *architecture;
    // `SavedLayer`: eight rows of the width, two of the inner width, and a
    // few numbers for each head and normalisation.
    let token = layers * (8 * hidden + 2 * intermediate + heads + 2) + 4 * hidden;
    // The start model's values, the learner's, those that its kernels have
    // arranged for the way there and back, and what is held while a model is
    // read and written: ten times the parameters, as measured on MiniLM (peaks
    // of 1.5 and 2.0 GiB where this gives 1.7 and 2.0, `mini.toml` with
    // batches of 64 and 16). Then gradients and two moments.
    let numbers = 10 * parameters + 3 * trained + kept * token;
    numbers as u64 * 4
}
