//! Writing the model as it stands.

use super::learner::Learner;
use super::start::{Start, is_saved_head};
use crate::config::{StageKind, TrainConfig};
use crate::error::device;
use crate::files::{beside, copy_folder, fresh_folder, replace_folder};
use crate::model::{CardNotes, SavedModel, TokenizerSource, model_card, refuse_others};
use crate::network::{Backbone, Parameters};
use crate::record::RunRecord;
use candle_core::Tensor;
use medsift::encoder::parts::Dense;
use medsift::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::path::Path;

/// What the model is for, by what it learnt last.
fn purpose(config: &TrainConfig) -> &'static str {
    match config.stages.last().map(|stage| stage.kind) {
        Some(StageKind::Token) => {
            "An encoder with a head that finds named entities in biomedical literature. Its \
             sentence vectors are a by-product; search with another model."
        }
        Some(StageKind::Text) => {
            "An encoder with a head that labels texts of biomedical literature, such as sentences \
             by the relation of two entities. Its sentence vectors are a by-product; search with \
             another model."
        }
        Some(StageKind::Span) => {
            "An encoder with a head that finds answers to questions in passages of biomedical \
             literature. Its sentence vectors are a by-product; search with another model."
        }
        _ => "A sentence encoder for search in biomedical literature.",
    }
}

/// Writes a model directory. Heads other than those of sentence objectives,
/// which are thrown away, are stored beside the encoder.
pub(super) fn save_model<B: Backbone>(
    dir: &Path,
    config: &TrainConfig,
    start: &Start,
    learner: &Learner<B>,
    heads: Option<&Parameters>,
    dense: &[Dense],
    record: &RunRecord,
) -> Result<()> {
    let weights = learner.network.parameters().snapshot().map_err(device)?;
    let mut others: HashMap<String, Tensor> = HashMap::new();
    for (name, tensor) in heads
        .map_or_else(|| Ok(HashMap::new()), Parameters::snapshot)
        .map_err(device)?
    {
        if is_saved_head(&name) {
            others.insert(name, tensor);
        }
    }
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let notes = CardNotes {
        name: name.into_owned(),
        purpose: purpose(config).to_owned(),
        ..CardNotes::default()
    };
    SavedModel {
        architecture: &start.architecture,
        weights: &weights,
        heads: (!others.is_empty()).then_some(&others),
        start: start.config_dir.as_deref(),
        tokenizer: TokenizerSource::Copy(&start.tokenizer_dir),
        pooling: start.pooling,
        dense,
        normalise: start.normalise,
        max_tokens: start.max_tokens,
        lower_case: start.lower_case,
        query_prompt: &start.query_prompt,
        passage_prompt: &start.passage_prompt,
        format: config.model.weights,
        prefix: "",
        card: Some(&model_card(record, &notes)),
        files: Vec::new(),
    }
    .write(dir)
}

/// Copies the start model, byte for byte and with the heads that it has: what a
/// run with an adapter learns lies beside it, and fits wherever the same
/// encoder is.
pub(super) fn copy_model(start: &Start, dir: &Path) -> Result<()> {
    let Some(from) = &start.folder else {
        return Err(Error::new(
            ErrorKind::Internal,
            "the model is not saved: its run began from none",
        ));
    };
    refuse_others(dir)?;
    let scratch = beside(dir, ".tmp");
    fresh_folder(&scratch)?;
    copy_folder(from, &scratch)?;
    replace_folder(&scratch, dir)
}
