//! `config.json` of a network.

use medsift::encoder::parts::{Architecture, Family, kernel::Activation};
use serde_json::{Map, Value, json};

/// Keys that are true of the start model only.
const LEFT_BEHIND: [&str; 3] = ["_name_or_path", "torch_dtype", "dtype"];

/// `config.json` of an architecture. What the start model's file says about
/// other things (dropout, token numbers, …) is kept when it is of the same
/// family.
pub fn configuration(
    architecture: &Architecture,
    start: Option<&Map<String, Value>>,
    class: &str,
) -> Map<String, Value> {
    let start = start.filter(|start| same_family(architecture, start));
    let mut config = start.cloned().unwrap_or_default();
    for key in LEFT_BEHIND {
        config.remove(key);
    }
    config.insert("architectures".into(), json!([class]));
    match architecture.family {
        Family::Bert => set(&mut config, bert(architecture, "bert")),
        Family::Roberta => {
            let kind = text(&config, "model_type").unwrap_or("roberta").to_owned();
            set(&mut config, bert(architecture, &kind));
        }
        Family::DistilBert => set(&mut config, distilbert(architecture)),
        Family::MpNet => set(&mut config, mpnet(architecture)),
    }
    for (key, value) in defaults(architecture) {
        config.entry(key).or_insert(value);
    }
    config
}

/// Sizes and constants under BERT's names.
fn bert(architecture: &Architecture, kind: &str) -> Value {
    json!({
        "model_type": kind,
        "hidden_size": architecture.hidden,
        "num_hidden_layers": architecture.layers,
        "num_attention_heads": architecture.heads,
        "intermediate_size": architecture.intermediate,
        "vocab_size": architecture.vocabulary,
        "max_position_embeddings": architecture.positions,
        "type_vocab_size": architecture.token_types,
        "hidden_act": activation(architecture.activation),
        "layer_norm_eps": decimal(architecture.epsilon),
        "position_embedding_type": "absolute",
    })
}

/// Sizes and constants under BERT's names, and the relative positions.
fn mpnet(architecture: &Architecture) -> Value {
    let mut config = bert(architecture, "mpnet");
    if let Some(config) = config.as_object_mut() {
        config.remove("type_vocab_size");
        config.remove("position_embedding_type");
        let classes = json!(architecture.distances);
        config.insert("relative_attention_num_buckets".into(), classes);
    }
    config
}

/// Sizes and constants under DistilBERT's names.
fn distilbert(architecture: &Architecture) -> Value {
    json!({
        "model_type": "distilbert",
        "dim": architecture.hidden,
        "n_layers": architecture.layers,
        "n_heads": architecture.heads,
        "hidden_dim": architecture.intermediate,
        "vocab_size": architecture.vocabulary,
        "max_position_embeddings": architecture.positions,
        "activation": activation(architecture.activation),
    })
}

/// What a file has to say and the architecture does not know.
fn defaults(architecture: &Architecture) -> Vec<(String, Value)> {
    let pairs = match architecture.family {
        Family::DistilBert => json!({
            "dropout": 0.1, "attention_dropout": 0.1, "initializer_range": 0.02,
            "pad_token_id": 0, "sinusoidal_pos_embds": false,
        }),
        Family::Bert | Family::Roberta | Family::MpNet => json!({
            "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
            "initializer_range": 0.02,
            "pad_token_id": architecture.first_position.saturating_sub(1),
        }),
    };
    match pairs {
        Value::Object(map) => map.into_iter().collect(),
        _ => Vec::new(),
    }
}

fn set(config: &mut Map<String, Value>, values: Value) {
    if let Value::Object(values) = values {
        config.extend(values);
    }
}

fn same_family(architecture: &Architecture, start: &Map<String, Value>) -> bool {
    let kind = text(start, "model_type");
    match architecture.family {
        Family::Bert => matches!(kind, None | Some("bert")),
        Family::Roberta => matches!(kind, Some("roberta" | "xlm-roberta" | "camembert")),
        Family::DistilBert => kind == Some("distilbert"),
        Family::MpNet => kind == Some("mpnet"),
    }
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key).and_then(Value::as_str)
}

/// `1e-12` rather than the digits that single precision has behind it.
fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// An activation's name in `config.json`.
pub fn activation(activation: Activation) -> &'static str {
    match activation {
        Activation::Gelu => "gelu",
        Activation::GeluTanh => "gelu_new",
        Activation::Relu => "relu",
        Activation::Silu => "silu",
    }
}
