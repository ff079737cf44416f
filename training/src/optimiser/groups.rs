//! Which parameters learn how fast, and which decay.

use medsift::encoder::parts::{Architecture, Layout};

/// Learning rate and weight decay by the name of a parameter.
#[derive(Debug, Clone)]
pub struct Groups {
    /// For each layer from below, the modules' prefix and its share of the
    /// rate.
    layers: Vec<(String, f64)>,
    embedding: f64,
    /// Share of the rate for parameters beside the encoder.
    head: f64,
    prefixes: Vec<(String, f64)>,
}

impl Groups {
    /// Every layer learns `layer_decay` times as fast as the one above it
    /// (Howard and Ruder, 2018); 1 for all alike. `rates` give a share of the
    /// rate to all parameters whose names begin with a prefix.
    pub fn new(
        architecture: &Architecture,
        layer_decay: f64,
        head: f64,
        rates: impl IntoIterator<Item = (String, f64)>,
    ) -> Self {
        let layout = Layout::of(architecture);
        let count = layout.layers.len();
        let layers = layout.layers.iter().enumerate().map(|(layer, names)| {
            let depth = (count - 1 - layer) as i32;
            (prefix(&names.query, layer), layer_decay.powi(depth))
        });
        Self {
            layers: layers.collect(),
            embedding: layer_decay.powi(count as i32),
            head,
            prefixes: rates.into_iter().collect(),
        }
    }

    /// What the learning rate is multiplied by for a parameter.
    pub fn rate(&self, name: &str) -> f64 {
        if let Some((_, rate)) = self.prefixes.iter().find(|(p, _)| name.starts_with(p)) {
            return *rate;
        }
        if name.starts_with("embeddings.") {
            return self.embedding;
        }
        self.layers
            .iter()
            .find(|(prefix, _)| name.starts_with(prefix))
            .map_or(self.head, |(_, rate)| *rate)
    }

    /// Whether a parameter decays: all do but biases and layer normalisation,
    /// as in the original BERT.
    pub fn decays(name: &str) -> bool {
        let bias = name.ends_with(".bias") || name == "bias";
        let norm = name.contains("LayerNorm") || name.contains("layer_norm");
        !bias && !norm
    }
}

/// `encoder.layer.3.` of a module in layer 3.
fn prefix(module: &str, layer: usize) -> String {
    let number = format!(".{layer}.");
    match module.find(&number) {
        Some(at) => module[..at + number.len()].to_owned(),
        None => module.to_owned(),
    }
}
