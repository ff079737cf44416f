//! Heads that find the answer to a question in a passage.

use super::choose::{self, Task};
use super::files::{self, FORMAT, Files, HeadConfig};
use crate::encoder::Adapter;
use crate::error::{Error, ErrorKind, Result};
use candle_core::Tensor;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// `config.json` of a head that finds answers. `docs/heads.md` describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpanHeadConfig {
    /// Version of the file's form.
    pub format: u32,
    /// Always `answer`.
    pub task: String,
    /// Numbers in a state of the encoder.
    pub hidden: usize,
    /// Tokens of a window in training: question, passage and special ones.
    pub max_tokens: usize,
    /// Tokens at which a question is cut.
    pub max_question: usize,
    /// Most tokens of an answer.
    pub max_answer: usize,
    /// Tokens by which a window of a long passage lies behind the one before.
    pub stride: usize,
    /// Least margin of an answer's score over that of no answer, as it was
    /// chosen on held-out questions; 0 where none was chosen.
    #[serde(default)]
    pub threshold: f32,
    /// SHA-256 of the encoder that the head was trained on
    /// ([`crate::encoder::ModelFingerprint::sha256`]).
    pub encoder: String,
    /// Rank of the adapter that lies beside the head; none where the encoder
    /// itself was trained, or left as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<usize>,
}

impl SpanHeadConfig {
    /// A head of this version, with BERT's lengths: questions of 64 tokens,
    /// answers of 30, windows 128 apart (Devlin et al. 2019).
    pub fn new(hidden: usize, max_tokens: usize, encoder: String) -> Self {
        Self {
            format: FORMAT,
            task: Task::ANSWER.name.to_owned(),
            hidden,
            max_tokens,
            max_question: 64,
            max_answer: 30,
            stride: 128,
            threshold: 0.0,
            encoder,
            adapter: None,
        }
    }

    /// Whether the lengths leave room for a passage.
    ///
    /// # Errors
    /// When one is 0, the threshold is no number, or questions fill the window.
    pub fn check(&self) -> Result<()> {
        for (field, value) in [
            ("max_question", self.max_question),
            ("max_answer", self.max_answer),
            ("stride", self.stride),
        ] {
            if value == 0 {
                return Err(Error::invalid(
                    field,
                    format!("`{field}` is 0: use at least 1"),
                ));
            }
        }
        if !self.threshold.is_finite() {
            let what = format!("`threshold` is {}, no number", self.threshold);
            return Err(Error::invalid("threshold", what));
        }
        Ok(())
    }
}

impl HeadConfig for SpanHeadConfig {
    const TASK: Task = Task::ANSWER;

    fn encoder(&self) -> &str {
        &self.encoder
    }

    fn hidden(&self) -> usize {
        self.hidden
    }

    fn adapter(&self) -> Option<usize> {
        self.adapter
    }

    fn set_adapter(&mut self, rank: Option<usize>) {
        self.adapter = rank;
    }

    fn outputs(&self) -> Result<usize> {
        self.check()?;
        Ok(2)
    }
}

/// A linear layer over the states of the last layer: for each token a score as
/// the first and one as the last of an answer.
#[derive(Debug, Clone)]
pub struct SpanHead {
    files: Files<SpanHeadConfig>,
}

impl SpanHead {
    /// The names of the heads for answers of a model directory, in alphabetical
    /// order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn names(model: &Path) -> Result<Vec<String>> {
        choose::names(model, Task::ANSWER)
    }

    /// Opens a head of a model directory for the encoder with this SHA-256.
    /// Where no name is given, there has to be one head for answers only.
    ///
    /// # Errors
    /// When there is no such head, a file is damaged, shapes do not fit the
    /// configuration, or the head was trained on another encoder.
    pub fn open(model: &Path, name: Option<&str>, encoder: &str) -> Result<Self> {
        let files = Files::open(model, name, encoder)?;
        Ok(Self { files })
    }

    /// Writes a head into a model directory: weights are `2 × hidden`, the first
    /// row for starts, the second for ends, with a bias for each. With an
    /// adapter the encoder's own files stay as they are, and several heads share
    /// them.
    ///
    /// # Errors
    /// When the name does not do for a folder, shapes do not fit, or it cannot
    /// be written.
    pub fn write(
        model: &Path,
        name: &str,
        config: &SpanHeadConfig,
        classifier: (&Tensor, &Tensor),
        adapter: Option<&Adapter>,
    ) -> Result<()> {
        files::write(model, name, config, classifier, None, adapter)
    }

    /// Writes a threshold into the head's configuration.
    ///
    /// # Errors
    /// When it is no number, or the file cannot be written.
    pub fn set_threshold(&mut self, model: &Path, threshold: f32) -> Result<()> {
        let mut config = self.files.config.clone();
        config.threshold = threshold;
        config.check()?;
        files::rewrite_config(model, &self.files.name, &config)?;
        self.files.config = config;
        Ok(())
    }

    /// What its folder is called.
    pub fn name(&self) -> &str {
        &self.files.name
    }

    /// What its `config.json` says.
    pub fn config(&self) -> &SpanHeadConfig {
        &self.files.config
    }

    /// What it changes in the encoder.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.files.adapter.as_ref()
    }

    /// Scores of a token as the first and as the last of an answer, from its
    /// state.
    ///
    /// # Errors
    /// When the state has not the head's width.
    pub(in crate::enrich) fn score(&self, state: &[f32]) -> Result<[f32; 2]> {
        let mut scores = Vec::with_capacity(2);
        self.files.classifier.apply(state, &mut scores);
        scores.try_into().map_err(|scores: Vec<f32>| {
            let what = format!("a head for answers gave {} numbers", scores.len());
            Error::new(ErrorKind::Internal, what)
        })
    }
}
