//! Heads that give a whole text a label.

use super::choose::{self, Task};
use super::files::{self, FORMAT, Files, HeadConfig};
use crate::encoder::Adapter;
use crate::enrich::decode::log_softmax;
use crate::error::{Error, Result};
use candle_core::Tensor;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How the states of a text's tokens become one vector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextPooling {
    /// The state of the first token, `[CLS]` (Devlin et al. 2019).
    #[default]
    Cls,
    /// The mean of all states.
    Mean,
}

/// Which pairs of entities a head for relations was trained on, and how they
/// were masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairRule {
    /// Types of the two entities; the mask of each is its type in capitals:
    /// `@GENE$`.
    pub types: [String; 2],
    /// The mask, `@OTHERS$`, of other entities of these types in the same
    /// sentence; they stand as they are where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<String>,
}

/// `config.json` of a head that labels texts. `docs/heads.md` describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextHeadConfig {
    /// Version of the file's form.
    pub format: u32,
    /// Always `text`.
    pub task: String,
    /// The labels, in the order of the head's numbers.
    pub labels: Vec<String>,
    /// The label that says that there is nothing: no relation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative: Option<String>,
    /// How states become a vector.
    pub pooling: TextPooling,
    /// Whether a dense layer with tanh stands between the two, as in BERT.
    #[serde(default)]
    pub pooler: bool,
    /// Whether it reads two texts at once: a question and an abstract.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text_pair: bool,
    /// Which pairs of entities it is for, where it tells relations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<PairRule>,
    /// Numbers in a state of the encoder.
    pub hidden: usize,
    /// Tokens at which a text was cut in training, special ones included.
    pub max_tokens: usize,
    /// SHA-256 of the encoder that the head was trained on
    /// ([`crate::encoder::ModelFingerprint::sha256`]).
    pub encoder: String,
    /// Rank of the adapter that lies beside the head; none where the encoder
    /// itself was trained, or left as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<usize>,
}

impl TextHeadConfig {
    /// A head of this version, from `[CLS]`, without a pooler and a negative
    /// label.
    pub fn new(labels: &[String], hidden: usize, max_tokens: usize, encoder: String) -> Self {
        Self {
            format: FORMAT,
            task: Task::TEXT.name.to_owned(),
            labels: labels.to_vec(),
            negative: None,
            pooling: TextPooling::Cls,
            pooler: false,
            text_pair: false,
            pair: None,
            hidden,
            max_tokens,
            encoder,
            adapter: None,
        }
    }

    /// Whether labels and types hold together.
    ///
    /// # Errors
    /// When there are fewer than two labels, one is empty or comes twice, the
    /// negative label is none of them, or a type or mask does not do.
    pub fn check(&self) -> Result<()> {
        let labels = &self.labels;
        if labels.len() < 2 {
            return Err(Error::invalid("labels", "a head needs two labels or more"));
        }
        for (place, label) in labels.iter().enumerate() {
            if label.trim().is_empty() || label.trim() != label {
                let what = format!("{label:?} is no label: it is empty or has white space around");
                return Err(Error::invalid("labels", what));
            }
            if labels[..place].contains(label) {
                let what = format!("the label {label} is there twice");
                return Err(Error::invalid("labels", what));
            }
        }
        if let Some(negative) = &self.negative
            && !labels.contains(negative)
        {
            let known = labels.join(", ");
            let what = format!("the negative label {negative} is none of {known}");
            return Err(Error::invalid("negative", what));
        }
        self.pair.as_ref().map_or(Ok(()), PairRule::check)
    }
}

impl PairRule {
    /// Whether types and mask are words.
    fn check(&self) -> Result<()> {
        for name in self.types.iter().chain(&self.others) {
            let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
            if name.is_empty() || !name.chars().all(fits) {
                let what = format!("{name:?} is no type of entities: letters, digits, -, _ and /");
                return Err(Error::invalid("pair", what));
            }
        }
        Ok(())
    }
}

impl HeadConfig for TextHeadConfig {
    const TASK: Task = Task::TEXT;

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
        Ok(self.labels.len())
    }

    fn has_pooler(&self) -> bool {
        self.pooler
    }
}

/// A linear layer over the vector of a text: a score for each label.
#[derive(Debug, Clone)]
pub struct TextHead {
    files: Files<TextHeadConfig>,
}

impl TextHead {
    /// The names of the heads for texts of a model directory, in alphabetical
    /// order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn names(model: &Path) -> Result<Vec<String>> {
        choose::names(model, Task::TEXT)
    }

    /// Opens a head of a model directory for the encoder with this SHA-256.
    /// Where no name is given, there has to be one head for texts only.
    ///
    /// # Errors
    /// When there is no such head, a file is damaged, shapes do not fit the
    /// configuration, or the head was trained on another encoder.
    pub fn open(model: &Path, name: Option<&str>, encoder: &str) -> Result<Self> {
        let files = Files::open(model, name, encoder)?;
        Ok(Self { files })
    }

    /// Writes a head into a model directory: weights are `labels × hidden`,
    /// with a bias for each label; of the pooler, if there is one, `hidden ×
    /// hidden`. With an adapter the encoder's own files stay as they are, and
    /// several heads share them.
    ///
    /// # Errors
    /// When the name does not do for a folder, the configuration or shapes do
    /// not fit, or it cannot be written.
    pub fn write(
        model: &Path,
        name: &str,
        config: &TextHeadConfig,
        classifier: (&Tensor, &Tensor),
        pooler: Option<(&Tensor, &Tensor)>,
        adapter: Option<&Adapter>,
    ) -> Result<()> {
        files::write(model, name, config, classifier, pooler, adapter)
    }

    /// What its folder is called.
    pub fn name(&self) -> &str {
        &self.files.name
    }

    /// SHA-256 over its files.
    pub fn sha256(&self) -> &str {
        &self.files.sha256
    }

    /// What its `config.json` says.
    pub fn config(&self) -> &TextHeadConfig {
        &self.files.config
    }

    /// What it changes in the encoder.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.files.adapter.as_ref()
    }

    /// Its labels.
    pub fn labels(&self) -> &[String] {
        &self.files.config.labels
    }

    /// The place of the label that says that there is nothing.
    pub fn negative(&self) -> Option<usize> {
        let negative = self.files.config.negative.as_ref()?;
        self.labels().iter().position(|label| label == negative)
    }

    /// Probabilities of the labels, which add up to 1, for the states of a
    /// text's tokens, one behind the other.
    pub(in crate::enrich) fn probabilities(&self, states: &[f32]) -> Vec<f32> {
        let files = &self.files;
        let hidden = files.config.hidden;
        let mut vector = match files.config.pooling {
            // A tokenizer without special tokens leaves nothing of no text.
            TextPooling::Cls => states
                .get(..hidden)
                .map_or_else(|| vec![0.0; hidden], <[f32]>::to_vec),
            TextPooling::Mean => mean(states, hidden),
        };
        if let Some(pooler) = &files.pooler {
            let mut out = Vec::with_capacity(hidden);
            pooler.apply(&vector, &mut out);
            out.iter_mut().for_each(|x| *x = x.tanh());
            vector = out;
        }
        let mut scores = Vec::with_capacity(self.labels().len());
        files.classifier.apply(&vector, &mut scores);
        log_softmax(&mut scores, self.labels().len());
        scores.iter_mut().for_each(|x| *x = x.exp());
        scores
    }
}

fn mean(states: &[f32], hidden: usize) -> Vec<f32> {
    let rows = states.chunks_exact(hidden);
    let count = rows.len() as f32;
    let mut mean = vec![0.0; hidden];
    for row in rows {
        for (sum, value) in mean.iter_mut().zip(row) {
            *sum += value / count;
        }
    }
    mean
}
