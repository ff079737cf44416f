//! Heads that give each word a tag.

use super::choose::{self, Task};
use super::files::{self, FORMAT, Files, HeadConfig};
use crate::encoder::Adapter;
use crate::enrich::decode::log_softmax;
use crate::enrich::tags::TagSet;
use crate::error::Result;
use candle_core::Tensor;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// `config.json` of a head that tags words. `docs/heads.md` describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenHeadConfig {
    /// Version of the file's form.
    pub format: u32,
    /// Always `entities`.
    pub task: String,
    /// Types of entities; the tags are `O`, then `B-` and `I-` of each.
    pub types: Vec<String>,
    /// Numbers in a state of the encoder.
    pub hidden: usize,
    /// Tokens at which a sentence was cut in training, special ones included.
    pub max_tokens: usize,
    /// SHA-256 of the encoder that the head was trained on
    /// ([`crate::encoder::ModelFingerprint::sha256`]).
    pub encoder: String,
    /// Rank of the adapter that lies beside the head; none where the encoder
    /// itself was trained, or left as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<usize>,
}

impl TokenHeadConfig {
    /// A head of this version.
    pub fn new(types: &[String], hidden: usize, max_tokens: usize, encoder: String) -> Self {
        Self {
            format: FORMAT,
            task: Task::ENTITIES.name.to_owned(),
            types: types.to_vec(),
            hidden,
            max_tokens,
            encoder,
            adapter: None,
        }
    }
}

impl HeadConfig for TokenHeadConfig {
    const TASK: Task = Task::ENTITIES;

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
        Ok(TagSet::new(self.types.iter().cloned())?.len())
    }
}

/// A linear layer over the states of the last layer: a score for each tag.
#[derive(Debug, Clone)]
pub struct TokenHead {
    files: Files<TokenHeadConfig>,
    tags: TagSet,
}

impl TokenHead {
    /// The folder of heads in a model directory.
    pub const FOLDER: &str = files::FOLDER;

    /// The parameters of a head, in its own folder.
    pub const FILE: &str = files::FILE;

    /// What a head changes in the encoder, in its own folder.
    pub const ADAPTER: &str = files::ADAPTER;

    /// The names of the heads for entities of a model directory, in
    /// alphabetical order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn names(model: &Path) -> Result<Vec<String>> {
        choose::names(model, Task::ENTITIES)
    }

    /// Opens a head of a model directory for the encoder with this SHA-256.
    /// Where no name is given, there has to be one head for entities only.
    ///
    /// # Errors
    /// When there is no such head, a file is damaged, shapes do not fit the
    /// configuration, or the head was trained on another encoder.
    pub fn open(model: &Path, name: Option<&str>, encoder: &str) -> Result<Self> {
        let files: Files<TokenHeadConfig> = Files::open(model, name, encoder)?;
        let tags = TagSet::new(files.config.types.iter().cloned())?;
        Ok(Self { files, tags })
    }

    /// Writes a head into a model directory: `weight` is `tags × hidden`,
    /// `bias` has a number for each tag. With an adapter the encoder's own
    /// files stay as they are, and several heads share them.
    ///
    /// # Errors
    /// When the name does not do for a folder, shapes do not fit, or it cannot
    /// be written.
    pub fn write(
        model: &Path,
        name: &str,
        config: &TokenHeadConfig,
        classifier: (&Tensor, &Tensor),
        adapter: Option<&Adapter>,
    ) -> Result<()> {
        files::write(model, name, config, classifier, None, adapter)
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
    pub fn config(&self) -> &TokenHeadConfig {
        &self.files.config
    }

    /// What it changes in the encoder.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.files.adapter.as_ref()
    }

    /// Its tags.
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// Adds the logarithms of the tags' probabilities for a state of the
    /// encoder behind `scores`.
    pub(in crate::enrich) fn score(&self, state: &[f32], scores: &mut Vec<f32>) {
        let start = scores.len();
        self.files.classifier.apply(state, scores);
        log_softmax(&mut scores[start..], self.tags.len());
    }
}
