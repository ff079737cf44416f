//! What a stage teaches, step by step.

use super::learner::Learner;
use super::teacher::Teaching;
use crate::network::{Backbone, Parameters};
use crate::record::BaseRecord;
use medsift::Result;
use medsift::encoder::Adapter;
use std::collections::BTreeMap;
use std::path::Path;

/// What came of one step before the parameters are moved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// The loss that is minimised.
    pub loss: f64,
    /// Its parts, where it has several.
    pub parts: BTreeMap<String, f64>,
    /// Tokens that went through the network.
    pub tokens: usize,
    /// What the batch was made of, for messages.
    pub batch: String,
}

/// The content of a stage.
pub trait Lesson<B: Backbone>: Send {
    /// Steps of one pass over the data; 0 where a stream was not counted.
    fn steps_per_epoch(&self) -> u64;

    /// Asks the teachers of the stage, and gives their records; nothing where it
    /// was stopped. Called once, before the first step.
    ///
    /// # Errors
    /// When a teacher cannot be opened, or its vectors not be kept.
    fn prepare(&mut self, teaching: &Teaching<'_>) -> Result<Option<Vec<BaseRecord>>> {
        let _ = teaching;
        Ok(Some(Vec::new()))
    }

    /// Goes to a step of a pass; the next [`Lesson::learn`] takes that one.
    ///
    /// # Errors
    /// When the data cannot be read.
    fn seek(&mut self, epoch: u64, step: u64) -> Result<()>;

    /// Takes the next batch, and adds its gradients to those of the learner's
    /// parameters and of [`Lesson::heads`]. Says the pass and the steps done
    /// in it.
    ///
    /// # Errors
    /// When the data cannot be read or do not fit, or the device fails.
    fn learn(&mut self, learner: &mut Learner<B>, seed: u64) -> Result<(Outcome, u64, u64)>;

    /// Writes into a model directory what belongs beside the encoder in a form
    /// of its own, with what is changed in the encoder for it.
    ///
    /// # Errors
    /// When it cannot be written.
    fn save_beside(&self, model: &Path, adapter: Option<&Adapter>) -> Result<()> {
        let _ = (model, adapter);
        Ok(())
    }

    /// Parameters beside the encoder.
    fn heads(&self) -> &Parameters;

    /// The same, to be changed.
    fn heads_mut(&mut self) -> &mut Parameters;
}
