//! Measuring a finished model.

use super::objective::MaskedObjective;
use super::scores::{MaskedScores, MaskedSet, SEQUENCES};
use crate::Place;
use crate::data::corpus::{ArticleSource, CorpusSpec, Relations};
use crate::network::head::{checkpoint_classes, start_heads};
use crate::network::{Backbone, Parameters, PlacedBackbone};
use crate::trainer::learner::Learner;
use crate::trainer::start::Start;
use medsift::{Error, ErrorKind, Result};
use std::path::Path;

/// How a model is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaskedModelOptions {
    /// Sequences of a file, the first ones.
    pub sequences: usize,
    /// Decides the segments and the masks.
    pub seed: u64,
    /// Most tokens of a sequence; the model's limit when not given.
    pub max_tokens: Option<usize>,
    /// Whether all pieces of a word are masked together.
    pub whole_word: bool,
}

impl Default for MaskedModelOptions {
    fn default() -> Self {
        Self {
            sequences: SEQUENCES,
            seed: 0,
            max_tokens: None,
            whole_word: false,
        }
    }
}

/// A model with the heads of its pre-training.
#[derive(Debug)]
pub struct MaskedModel {
    learner: Learner<PlacedBackbone>,
    heads: Parameters,
    relations: Relations,
}

impl MaskedModel {
    /// Opens a model directory.
    ///
    /// # Errors
    /// When it cannot be read, or its checkpoint holds no head for masked
    /// tokens.
    pub fn open(dir: &Path) -> Result<Self> {
        let start = Start::read(dir)?;
        let relations = match checkpoint_classes(&start.others) {
            Some(2) => Relations::NextSentence,
            Some(3) => Relations::Linked,
            _ => Relations::None,
        };
        let learner = start.learner(Place::Cpu)?;
        let heads = start_heads(
            &start.architecture,
            &start.others,
            super::classes(relations),
            0,
            learner.network.device(),
        )?;
        if !heads.fresh.is_empty() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!(
                    "the model {} lacks the head of masked tokens ({}), so that there is nothing \
                     to measure: take a model that a stage of kind `mlm` has left, or train one \
                     from this model",
                    dir.display(),
                    heads.fresh.join(", ")
                ),
            ));
        }
        Ok(Self {
            learner,
            heads: heads.parameters,
            relations,
        })
    }

    /// What the model was trained to tell of two segments.
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// Measures the model on one file. `articles` opens what is neither JSON
    /// lines nor plain text.
    ///
    /// # Errors
    /// When the file cannot be read or holds no text.
    pub fn measure(
        &mut self,
        file: &Path,
        options: &MaskedModelOptions,
        articles: Option<&ArticleSource>,
    ) -> Result<MaskedScores> {
        let most = self.learner.network.architecture().max_tokens();
        let max_tokens = options.max_tokens.unwrap_or(self.learner.max_tokens);
        if !(super::SHORTEST..=most).contains(&max_tokens) {
            return Err(Error::invalid(
                "max_tokens",
                format!(
                    "{max_tokens} tokens of a sequence are not between {} and the network's \
                     {most} positions",
                    super::SHORTEST
                ),
            ));
        }
        let objective = MaskedObjective {
            relations: self.relations,
            whole_word: options.whole_word,
            ..MaskedObjective::default()
        };
        let spec = CorpusSpec {
            files: vec![file.to_string_lossy().into_owned()],
            exclude: Vec::new(),
        };
        let set = MaskedSet::read(
            &spec,
            objective.settings(max_tokens, options.seed),
            options.sequences,
            &self.learner.tokenizer,
            articles,
        )?;
        let budget = self.learner.micro_batch_tokens;
        set.measure(&mut self.learner.network, &self.heads, budget)
    }
}
