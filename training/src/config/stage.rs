//! One stage of a run.

use crate::Precision;
use crate::data::Mix;
use crate::optimiser::ScheduleKind;
use serde::{Deserialize, Serialize};
use toml::Table;

/// A stage: an objective on some data for so many steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageConfig {
    /// The stage's name in records and messages; no two are the same.
    pub name: String,
    /// What is learnt: masked tokens, sentences, tags of words, labels of
    /// texts, or answers in passages.
    pub kind: StageKind,
    /// What is optimised; read by the objectives.
    #[serde(default)]
    pub objective: Table,
    /// What is learnt from; read by the data sets.
    #[serde(default)]
    pub data: Vec<Table>,
    /// Larger encoders whose vectors of the texts an objective learns from.
    #[serde(default, rename = "teacher", skip_serializing_if = "Vec::is_empty")]
    pub teachers: Vec<TeacherConfig>,
    /// How several data sets are mixed.
    #[serde(default)]
    pub mix: Mix,
    /// Passes over the data, parts of one too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epochs: Option<f64>,
    /// Optimiser steps, in place of passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Examples of an optimiser step.
    #[serde(default = "sixteen")]
    pub batch: usize,
    /// Most tokens, filling included, that go through the network at once; a
    /// batch is cut into pieces of this size, which bounds memory.
    #[serde(default = "default_micro_batch_tokens")]
    pub micro_batch_tokens: usize,
    /// Tokens at which a text is cut; the model's limit when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// Largest learning rate.
    #[serde(default = "default_learning_rate")]
    pub learning_rate: f64,
    /// Factor of the learning rate from each layer to the one below it; 1 for
    /// the same everywhere.
    #[serde(default = "one")]
    pub layer_decay: f64,
    /// Factor of the learning rate for what stands beside the encoder: heads
    /// and classifiers, which begin at random.
    #[serde(default = "one")]
    pub head_factor: f64,
    /// Whether the embedding tables and their normalisation stay as they are.
    #[serde(default)]
    pub freeze_embeddings: bool,
    /// Lowest layers that stay as they are.
    #[serde(default)]
    pub freeze_layers: usize,
    /// Exceptions by the parameter's name; the last that fits decides.
    #[serde(default, rename = "group")]
    pub groups: Vec<GroupConfig>,
    /// Share of the steps in which the learning rate rises from 0.
    #[serde(default = "default_warm_up")]
    pub warm_up: f64,
    /// How the learning rate falls afterwards.
    #[serde(default)]
    pub schedule: ScheduleKind,
    /// Steps over which it rises and falls, where the stage is to end before
    /// the rate has fallen to 0; the stage's own when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule_steps: Option<u64>,
    /// Decoupled weight decay; none on biases and normalisation.
    #[serde(default = "default_weight_decay")]
    pub weight_decay: f64,
    /// Decay rates of the optimiser's two moments.
    #[serde(default = "default_betas")]
    pub betas: [f64; 2],
    /// Added to the root of the second moment.
    #[serde(default = "default_epsilon")]
    pub epsilon: f64,
    /// Longest gradient over all parameters; longer ones are scaled down. 0
    /// for no limit.
    #[serde(default = "one")]
    pub clip_norm: f64,
    /// Share of states and attention weights that are dropped; what
    /// `config.json` says when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropout: Option<f64>,
    /// Precision of the computation.
    #[serde(default)]
    pub precision: Precision,
    /// Steps between two lines of `metrics.jsonl`.
    #[serde(default = "default_log_steps")]
    pub log_steps: u64,
    /// What is measured on the way.
    #[serde(default)]
    pub evaluation: EvaluationConfig,
    /// Checkpoints, the newest ones, whose average the stage ends with; 0 or 1
    /// for the last state itself.
    #[serde(default)]
    pub average_last: usize,
    /// Share of the run's start model in the weights that the stage ends with
    /// (WiSE-FT, Wortsman et al. 2022): what is learnt is kept in part, and so
    /// is what the start model could do beside it.
    #[serde(default)]
    pub start_share: f64,
    /// Whether the encoder stays as it is, and a low-rank change of it is
    /// learnt beside the head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<AdapterConfig>,
}

/// An encoder to learn from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeacherConfig {
    /// A known model's name, an id on the hub, or a model directory.
    pub model: String,
    /// What its cosines weigh among those of all teachers.
    #[serde(default = "one")]
    pub weight: f64,
}

/// A low-rank change of the encoder's linear layers (LoRA).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdapterConfig {
    /// Rank of each layer's change.
    pub rank: usize,
    /// The change is multiplied by `alpha / rank`; the rank when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
}

impl AdapterConfig {
    /// What the product of the two matrices is multiplied by.
    pub fn scale(&self) -> f64 {
        self.alpha.unwrap_or(self.rank as f64) / self.rank as f64
    }
}

/// What a stage learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageKind {
    /// Masked tokens, and the relation of two segments.
    Mlm,
    /// Sentence embeddings.
    Sentence,
    /// A tag for each word: named entities.
    Token,
    /// A label for a whole text.
    Text,
    /// Where in a passage the answer to a question is.
    Span,
}

/// An exception for the parameters whose names fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupConfig {
    /// Name of a parameter; `*` stands for any characters.
    pub parameters: String,
    /// Factor on the stage's learning rate, beside the layer's.
    #[serde(default = "one")]
    pub factor: f64,
    /// Weight decay in place of the stage's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_decay: Option<f64>,
    /// Whether the parameters stay as they are.
    #[serde(default)]
    pub freeze: bool,
}

/// What is measured on the way.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Steps between two evaluations; 0 for only one at the end.
    pub every_steps: u64,
    /// Sets to measure on; read by the evaluators.
    pub sets: Vec<Table>,
    /// The score, by its name in `metrics.jsonl`, whose best state the stage
    /// ends with; the last state when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
}

/// How long a stage lasts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// Passes over the data.
    Epochs(f64),
    /// Optimiser steps.
    Steps(u64),
}

impl StageConfig {
    /// How long the stage lasts; one pass when nothing is said.
    pub fn length(&self) -> Length {
        match self.steps {
            Some(steps) => Length::Steps(steps),
            None => Length::Epochs(self.epochs.unwrap_or(1.0)),
        }
    }

    /// Optimiser steps of the stage, where one pass takes `steps_per_epoch`.
    pub fn total_steps(&self, steps_per_epoch: u64) -> u64 {
        match self.length() {
            Length::Steps(steps) => steps,
            Length::Epochs(epochs) => (epochs * steps_per_epoch as f64).ceil() as u64,
        }
    }
}

fn sixteen() -> usize {
    16
}

fn default_micro_batch_tokens() -> usize {
    4096
}

fn default_learning_rate() -> f64 {
    2e-5
}

fn one() -> f64 {
    1.0
}

fn default_warm_up() -> f64 {
    0.1
}

fn default_weight_decay() -> f64 {
    0.01
}

fn default_betas() -> [f64; 2] {
    [0.9, 0.999]
}

fn default_epsilon() -> f64 {
    1e-8
}

fn default_log_steps() -> u64 {
    10
}
