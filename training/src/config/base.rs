//! What training starts from, and what comes out.

use crate::model::WeightFormat;
use crate::whitening::WhiteningConfig;
use medsift::encoder::Pooling;
use medsift::encoder::parts::{Architecture, Family, kernel::Activation};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What training starts from: `model`, or `scratch` with a `vocabulary`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseConfig {
    /// A known model's name, the id of a model on the hub, or a model
    /// directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Sizes of a network with random weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scratch: Option<ScratchConfig>,
    /// Folder with the tokenizer that the new model is to have. With `model`,
    /// its table of word pieces is carried over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<PathBuf>,
}

/// Sizes of a BERT with random weights. The vocabulary's size comes from the
/// vocabulary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScratchConfig {
    /// Width of a token's state.
    pub hidden: usize,
    /// Transformer layers.
    pub layers: usize,
    /// Attention heads of a layer.
    pub heads: usize,
    /// Width inside the feed-forward layers.
    pub intermediate: usize,
    /// Rows of the position table.
    #[serde(default = "default_positions")]
    pub positions: usize,
    /// Rows of the token type table.
    #[serde(default = "default_token_types")]
    pub token_types: usize,
}

impl ScratchConfig {
    /// The architecture with a vocabulary of so many pieces.
    pub fn architecture(&self, vocabulary: usize) -> Architecture {
        Architecture {
            family: Family::Bert,
            hidden: self.hidden,
            layers: self.layers,
            heads: self.heads,
            intermediate: self.intermediate,
            vocabulary,
            positions: self.positions,
            first_position: 0,
            token_types: self.token_types,
            distances: 0,
            activation: Activation::Gelu,
            epsilon: 1e-12,
        }
    }
}

/// What the finished model directory says. What is not given is taken from the
/// start model; a plain network gets mean pooling without normalisation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// How states become a vector: mean, cls or max.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pooling: Option<Pooling>,
    /// Whether vectors are scaled to length 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalise: Option<bool>,
    /// Tokens at which a text is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// What stands before every query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_prompt: Option<String>,
    /// What stands before every passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_prompt: Option<String>,
    /// Precision of the stored weights: f32, f16 or int8.
    pub weights: WeightFormat,
    /// A linear layer behind the pooling, fitted at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whitening: Option<WhiteningConfig>,
}

fn default_positions() -> usize {
    512
}

fn default_token_types() -> usize {
    2
}
