//! What `config.json` says about a network.

use super::files::{read_json, unsupported};
use super::kernel::Activation;
use crate::Result;
use serde::Deserialize;
use std::path::Path;

/// Families of networks that the encoder knows. They share one computation
/// and differ in names, positions and token types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// BERT (Devlin et al., 2019) and its biomedical descendants.
    Bert,
    /// RoBERTa, XLM-RoBERTa, CamemBERT: positions begin behind the padding
    /// index.
    Roberta,
    /// DistilBERT: no token types.
    DistilBert,
    /// MPNet (Song et al., 2020): scores of attention depend on the distance of
    /// the tokens too; no token types.
    MpNet,
}

/// Sizes and constants of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Architecture {
    /// Decides names, positions and token types.
    pub family: Family,
    /// Width of a token's state.
    pub hidden: usize,
    /// Transformer layers.
    pub layers: usize,
    /// Attention heads of a layer.
    pub heads: usize,
    /// Width inside the feed-forward layers.
    pub intermediate: usize,
    /// Rows of the word table.
    pub vocabulary: usize,
    /// Rows of the position table.
    pub positions: usize,
    /// Row of the position table that the first token gets.
    pub first_position: usize,
    /// Rows of the token type table; 0 where there is none.
    pub token_types: usize,
    /// Rows of the table of relative positions, classes of distances that all
    /// layers share; 0 where there is none.
    pub distances: usize,
    /// Inside the feed-forward layers.
    pub activation: Activation,
    /// Added to the variance in layer normalisation.
    pub epsilon: f32,
}

/// `config.json` as it is written, with DistilBERT's names beside BERT's.
#[derive(Debug, Deserialize)]
struct Config {
    model_type: Option<String>,
    #[serde(default)]
    architectures: Option<Vec<String>>,
    #[serde(alias = "dim")]
    hidden_size: usize,
    #[serde(alias = "n_layers")]
    num_hidden_layers: usize,
    #[serde(alias = "n_heads")]
    num_attention_heads: usize,
    #[serde(alias = "hidden_dim")]
    intermediate_size: usize,
    vocab_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: Option<usize>,
    #[serde(alias = "activation")]
    hidden_act: Option<String>,
    layer_norm_eps: Option<f64>,
    pad_token_id: Option<usize>,
    position_embedding_type: Option<String>,
    relative_attention_num_buckets: Option<usize>,
}

impl Architecture {
    /// Reads and checks `config.json`.
    ///
    /// # Errors
    /// When it is missing or damaged, or names what the encoder does not know.
    pub fn read(path: &Path) -> Result<Self> {
        let config: Config = read_json(path)?;
        let family = config.family(path)?;
        if let Some(kind) = config.position_embedding_type.as_deref()
            && kind != "absolute"
        {
            return Err(unsupported(
                path,
                format!("position_embedding_type `{kind}` is not supported, only `absolute`"),
            ));
        }
        let architecture = Self {
            family,
            hidden: config.hidden_size,
            layers: config.num_hidden_layers,
            heads: config.num_attention_heads,
            intermediate: config.intermediate_size,
            vocabulary: config.vocab_size,
            positions: config.max_position_embeddings,
            first_position: match family {
                Family::Roberta | Family::MpNet => config.pad_token_id.unwrap_or(1) + 1,
                Family::Bert | Family::DistilBert => 0,
            },
            token_types: match family {
                Family::DistilBert | Family::MpNet => 0,
                Family::Bert => config.type_vocab_size.unwrap_or(2),
                Family::Roberta => config.type_vocab_size.unwrap_or(1),
            },
            distances: match family {
                Family::MpNet => config.relative_attention_num_buckets.unwrap_or(32),
                Family::Bert | Family::Roberta | Family::DistilBert => 0,
            },
            activation: activation(path, config.hidden_act.as_deref().unwrap_or("gelu"))?,
            epsilon: config.layer_norm_eps.unwrap_or(1e-12) as f32,
        };
        architecture.check(path)?;
        Ok(architecture)
    }

    /// Most tokens that have a position.
    pub fn max_tokens(&self) -> usize {
        self.positions - self.first_position
    }

    /// Width of an attention head.
    pub fn head(&self) -> usize {
        self.hidden / self.heads
    }

    fn check(&self, path: &Path) -> Result<()> {
        let sizes = [
            ("hidden_size", self.hidden),
            ("num_hidden_layers", self.layers),
            ("num_attention_heads", self.heads),
            ("intermediate_size", self.intermediate),
            ("vocab_size", self.vocabulary),
            (
                "max_position_embeddings",
                self.positions.saturating_sub(self.first_position + 1),
            ),
        ];
        if let Some((field, _)) = sizes.iter().find(|(_, size)| *size == 0) {
            return Err(unsupported(path, format!("`{field}` is too small")));
        }
        if self.family == Family::MpNet
            && (!(4..512).contains(&self.distances) || !self.distances.is_multiple_of(4))
        {
            return Err(unsupported(
                path,
                format!(
                    "relative_attention_num_buckets {} is no multiple of 4 below 512",
                    self.distances
                ),
            ));
        }
        if !self.hidden.is_multiple_of(self.heads) {
            return Err(unsupported(
                path,
                format!(
                    "hidden_size {} is not a multiple of num_attention_heads {}",
                    self.hidden, self.heads
                ),
            ));
        }
        Ok(())
    }
}

impl Config {
    fn family(&self, path: &Path) -> Result<Family> {
        // The oldest BERT checkpoints say neither.
        let class = self.architectures.as_ref().and_then(|names| names.first());
        let kind = match (&self.model_type, class) {
            (Some(kind), _) => kind.as_str(),
            (None, Some(class)) if class.starts_with("Bert") => "bert",
            (None, Some(class)) if class.starts_with("Roberta") => "roberta",
            (None, Some(class)) if class.starts_with("XLMRoberta") => "xlm-roberta",
            (None, Some(class)) if class.starts_with("DistilBert") => "distilbert",
            (None, Some(class)) if class.starts_with("MPNet") => "mpnet",
            (None, Some(class)) => class.as_str(),
            (None, None) => "bert",
        };
        match kind {
            "bert" => Ok(Family::Bert),
            "roberta" | "xlm-roberta" | "camembert" => Ok(Family::Roberta),
            "distilbert" => Ok(Family::DistilBert),
            "mpnet" => Ok(Family::MpNet),
            other => Err(unsupported(
                path,
                format!(
                    "unknown architecture `{other}`; supported are bert, roberta, \
                     xlm-roberta, camembert, distilbert and mpnet"
                ),
            )),
        }
    }
}

fn activation(path: &Path, name: &str) -> Result<Activation> {
    match name {
        "gelu" => Ok(Activation::Gelu),
        "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Ok(Activation::GeluTanh),
        "relu" => Ok(Activation::Relu),
        "silu" | "swish" => Ok(Activation::Silu),
        other => Err(unsupported(
            path,
            format!(
                "unknown activation `{other}`; supported are gelu, gelu_new, \
                 gelu_pytorch_tanh, gelu_fast, relu and silu"
            ),
        )),
    }
}
