//! The parameters of a network: their names in checkpoint files and their
//! shapes. Both forms of the network, and later the trainer, go by it.

use super::architecture::{Architecture, Family};

/// A parameter's name in the checkpoint and its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Without the prefix of the whole model.
    pub name: String,
    /// Rows first.
    pub shape: Vec<usize>,
}

/// Names of one layer's modules; `.weight` and `.bias` hang below each.
#[derive(Debug, Clone)]
pub struct LayerNames {
    /// Queries.
    pub query: String,
    /// Keys.
    pub key: String,
    /// Values.
    pub value: String,
    /// Behind attention.
    pub output: String,
    /// Behind attention and its residual.
    pub attention_norm: String,
    /// Hidden to intermediate width.
    pub widen: String,
    /// Intermediate to hidden width.
    pub narrow: String,
    /// Behind the feed-forward layer and its residual.
    pub final_norm: String,
}

/// Names of all modules.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Table of word pieces.
    pub words: String,
    /// Table of positions.
    pub positions: String,
    /// Absent in DistilBERT.
    pub token_types: Option<String>,
    /// Behind the sum of the tables.
    pub embedding_norm: String,
    /// Table of relative positions, which all layers share; only in MPNet.
    pub distances: Option<String>,
    /// One behind the other.
    pub layers: Vec<LayerNames>,
}

impl Layout {
    /// The names that an architecture's family uses, without the prefix of
    /// the whole model (`bert.`, …).
    pub fn of(architecture: &Architecture) -> Self {
        let embedding = |name: &str| format!("embeddings.{name}");
        Self {
            words: embedding("word_embeddings"),
            positions: embedding("position_embeddings"),
            token_types: (architecture.token_types > 0).then(|| embedding("token_type_embeddings")),
            embedding_norm: embedding("LayerNorm"),
            distances: (architecture.distances > 0)
                .then(|| "encoder.relative_attention_bias".to_owned()),
            layers: (0..architecture.layers)
                .map(|layer| LayerNames::of(architecture.family, layer))
                .collect(),
        }
    }

    /// Every parameter with its shape.
    pub fn parameters(&self, architecture: &Architecture) -> Vec<Parameter> {
        let (hidden, wide) = (architecture.hidden, architecture.intermediate);
        let mut all = vec![
            table(&self.words, architecture.vocabulary, hidden),
            table(&self.positions, architecture.positions, hidden),
        ];
        if let Some(name) = &self.token_types {
            all.push(table(name, architecture.token_types, hidden));
        }
        norm(&mut all, &self.embedding_norm, hidden);
        if let Some(name) = &self.distances {
            all.push(table(name, architecture.distances, architecture.heads));
        }
        for layer in &self.layers {
            for name in [&layer.query, &layer.key, &layer.value, &layer.output] {
                linear(&mut all, name, hidden, hidden);
            }
            norm(&mut all, &layer.attention_norm, hidden);
            linear(&mut all, &layer.widen, hidden, wide);
            linear(&mut all, &layer.narrow, wide, hidden);
            norm(&mut all, &layer.final_norm, hidden);
        }
        all
    }
}

impl LayerNames {
    fn of(family: Family, layer: usize) -> Self {
        match family {
            Family::Bert | Family::Roberta => {
                let name = |rest: &str| format!("encoder.layer.{layer}.{rest}");
                Self {
                    query: name("attention.self.query"),
                    key: name("attention.self.key"),
                    value: name("attention.self.value"),
                    output: name("attention.output.dense"),
                    attention_norm: name("attention.output.LayerNorm"),
                    widen: name("intermediate.dense"),
                    narrow: name("output.dense"),
                    final_norm: name("output.LayerNorm"),
                }
            }
            Family::MpNet => {
                let name = |rest: &str| format!("encoder.layer.{layer}.{rest}");
                Self {
                    query: name("attention.attn.q"),
                    key: name("attention.attn.k"),
                    value: name("attention.attn.v"),
                    output: name("attention.attn.o"),
                    attention_norm: name("attention.LayerNorm"),
                    widen: name("intermediate.dense"),
                    narrow: name("output.dense"),
                    final_norm: name("output.LayerNorm"),
                }
            }
            Family::DistilBert => {
                let name = |rest: &str| format!("transformer.layer.{layer}.{rest}");
                Self {
                    query: name("attention.q_lin"),
                    key: name("attention.k_lin"),
                    value: name("attention.v_lin"),
                    output: name("attention.out_lin"),
                    attention_norm: name("sa_layer_norm"),
                    widen: name("ffn.lin1"),
                    narrow: name("ffn.lin2"),
                    final_norm: name("output_layer_norm"),
                }
            }
        }
    }
}

fn table(name: &str, rows: usize, width: usize) -> Parameter {
    Parameter {
        name: format!("{name}.weight"),
        shape: vec![rows, width],
    }
}

fn linear(all: &mut Vec<Parameter>, name: &str, inputs: usize, outputs: usize) {
    all.push(table(name, outputs, inputs));
    all.push(Parameter {
        name: format!("{name}.bias"),
        shape: vec![outputs],
    });
}

fn norm(all: &mut Vec<Parameter>, name: &str, width: usize) {
    for part in ["weight", "bias"] {
        all.push(Parameter {
            name: format!("{name}.{part}"),
            shape: vec![width],
        });
    }
}
