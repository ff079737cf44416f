//! The model card, filled from the run's record.

use crate::config::{Length, StageConfig};
use crate::record::{RunRecord, summary};
use std::fmt::Write;

/// What a record does not know about a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CardNotes {
    /// What the model is called.
    pub name: String,
    /// What it is for, in a paragraph.
    pub purpose: String,
    /// What it cannot do, one entry for each limit.
    pub limits: Vec<String>,
    /// Licence of the weights, as an SPDX name.
    pub licence: Option<String>,
}

/// `README.md` of a model directory: base, data with terms, hyper-parameters,
/// time, scores, limits, and the command that makes the model again.
pub fn model_card(record: &RunRecord, notes: &CardNotes) -> String {
    let mut card = String::from("---\nlibrary_name: sentence-transformers\n");
    card.push_str("pipeline_tag: sentence-similarity\n");
    if let Some(licence) = &notes.licence {
        let _ = writeln!(card, "license: {licence}");
    }
    let _ = writeln!(card, "---\n\n# {}\n", notes.name);
    if !notes.purpose.is_empty() {
        let _ = writeln!(card, "{}\n", notes.purpose);
    }
    base(&mut card, record);
    data(&mut card, record);
    hyper_parameters(&mut card, record);
    scores(&mut card, record);
    limits(&mut card, notes);
    let _ = writeln!(
        card,
        "## Training it again\n\n```\n{}\n```\n\nThe configuration, checksums of all data and \
         all scores are in the run's `run.json`.",
        record.command
    );
    card
}

fn base(card: &mut String, record: &RunRecord) {
    let environment = &record.environment;
    let sum = match &record.base.sha256 {
        Some(sum) => format!("checkpoint SHA-256 `{sum}`"),
        None => "random weights".to_owned(),
    };
    let _ = writeln!(
        card,
        "## Base\n\n{}, {sum}.\n\nTrained with medsift {} in {} on {} ({}, {} threads, {}); \
         begun {}, ended {}. Seed {}.\n",
        record.base.name,
        environment.version,
        duration(record.seconds),
        environment.processor,
        environment.instruction_set,
        environment.threads,
        environment.device,
        record.started,
        record.finished.as_deref().unwrap_or("not yet"),
        record.configuration.seed,
    );
}

fn data(card: &mut String, record: &RunRecord) {
    card.push_str("## Data\n\n");
    if record.data.is_empty() {
        card.push_str("None is recorded.\n\n");
        return;
    }
    card.push_str("| stage | file | examples | terms | SHA-256 |\n|---|---|---:|---|---|\n");
    for file in &record.data {
        let _ = writeln!(
            card,
            "| {} | {} | {} | {} | `{}` |",
            file.stage,
            file.path,
            file.examples,
            file.terms.as_deref().unwrap_or("not recorded"),
            file.sha256
        );
    }
    card.push('\n');
}

fn hyper_parameters(card: &mut String, record: &RunRecord) {
    card.push_str("## Hyper-parameters\n\n");
    if !record.configuration.stages.is_empty() {
        stages(card, record);
    }
    if let Some(whitening) = &record.configuration.model.whitening {
        let _ = writeln!(
            card,
            "Behind the pooling stands a linear layer, fitted to the vectors of at most {} texts: \
             soft whitening of power {} with shrinkage {}.\n",
            whitening.texts, whitening.power, whitening.shrinkage
        );
    }
}

fn stages(card: &mut String, record: &RunRecord) {
    card.push_str(
        "\
         | stage | objective | length | batch | tokens | learning rate | warm-up | schedule | \
         decay | clip | precision |\n|---|---|---|---:|---:|---:|---:|---|---:|---:|---|\n",
    );
    for stage in &record.configuration.stages {
        let _ = writeln!(
            card,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            stage.name,
            objective(stage),
            length(stage),
            stage.batch,
            stage
                .max_tokens
                .map_or_else(|| "model's".to_owned(), |tokens| tokens.to_string()),
            stage.learning_rate,
            stage.warm_up,
            format!("{:?}", stage.schedule).to_lowercase(),
            stage.weight_decay,
            stage.clip_norm,
            format!("{:?}", stage.precision).to_lowercase(),
        );
    }
    card.push('\n');
}

fn objective(stage: &StageConfig) -> String {
    let kind = stage.objective.get("kind").and_then(|kind| kind.as_str());
    kind.map_or_else(|| format!("{:?}", stage.kind).to_lowercase(), str::to_owned)
}

fn length(stage: &StageConfig) -> String {
    match stage.length() {
        Length::Epochs(1.0) => "1 pass".to_owned(),
        Length::Epochs(epochs) => format!("{epochs} passes"),
        Length::Steps(steps) => format!("{steps} steps"),
    }
}

fn scores(card: &mut String, record: &RunRecord) {
    let table = summary(record);
    let table = if table.is_empty() {
        "Nothing was measured.\n"
    } else {
        &table
    };
    let _ = writeln!(card, "## Scores\n\n{table}");
}

fn limits(card: &mut String, notes: &CardNotes) {
    if notes.limits.is_empty() {
        return;
    }
    card.push_str("## Limits\n\n");
    for limit in &notes.limits {
        let _ = writeln!(card, "- {limit}");
    }
    card.push('\n');
}

/// `2 h 5 min`, `3 min 10 s`, `7 s`.
fn duration(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}
